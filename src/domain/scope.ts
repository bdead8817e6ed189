import { itemAt } from "../base/expect.ts";
import { type AccessLevel, includes } from "./access.ts";
import { invalidArgument, notFound, permissionDenied } from "./errors.ts";
import { isIdentifier } from "./ids.ts";
import type { Path } from "./uri.ts";

export type ContextType = "resource" | "memory" | "skill";

/** Names of files that the server renders from records; callers can read but not write them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ".abstract.md",
  ".overview.md",
  ".meta.json",
  ".relations.json",
]);

export const isHidden = (name: string): boolean => name.startsWith(".");

/** The context type of a path, which depends on the path alone. */
export function contextTypeOf(path: Path): ContextType {
  if (path[0] === "user") return "memory";
  if (path[0] === "agent") return path[1] === "skills" ? "skill" : "memory";
  return "resource";
}

/** Whether a path is, or is inside, the memories of a user or agent. */
export const isInMemories = (path: Path): boolean =>
  (path[0] === "user" || path[0] === "agent") && contextTypeOf(path) === "memory" && path[2] === "memories";

/** Access of one viewer, as decided by grants. */
export interface PathAccess {
  levelAt(path: Path): AccessLevel;
  /** Throws NOT_FOUND or PERMISSION_DENIED if the level is not reached. */
  check(path: Path, uri: string, level: "write" | "admin"): void;
  /** Like `check` for "write", for a change that affects the node itself but nothing below it. */
  checkAlone(path: Path, uri: string): void;
}

/** The caller whose view of the tree is computed. */
export interface Viewer {
  readonly user: string;
  /** Undefined if only scopes decide. */
  readonly access: PathAccess | undefined;
}

/** Whether the viewer may know that the path exists. Invisible paths are treated as missing. */
export function isVisible({ user, access }: Viewer, path: Path): boolean {
  if (access) return includes(access.levelAt(path), "pass");
  if (path[0] === "user" || path[0] === "session") return path.length < 2 || path[1] === user;
  return true;
}

/** Whether the viewer may read the content at the path. A visible folder is not necessarily readable. */
export const isReadable = (viewer: Viewer, path: Path): boolean =>
  viewer.access ? includes(viewer.access.levelAt(path), "read") : isVisible(viewer, path);

export function checkVisible(viewer: Viewer, path: Path, uri: string): void {
  if (!isVisible(viewer, path)) throw notFound("resource", uri);
}

/** Whether a path is the root or a scope root, which cannot be moved, deleted or overwritten. */
export function isProtected(path: Path): boolean {
  if (path.length <= 1) return true;
  return path.length === 2 && (path[0] === "user" || path[0] === "agent" || path[0] === "session");
}

/** The first reserved name in a path; no path of a stored node may contain one. */
export const reservedIn = (path: Path): string | undefined => path.find((name) => RESERVED_NAMES.has(name));

/**
 * Refuses paths that the caller may not write, in this order: scope roots, session spaces, reserved names,
 * spaces of unknown agents, missing grants. `field`: the parameter named in errors.
 */
export function checkWritable(viewer: Viewer, path: Path, uri: string, field: string): void {
  checkPlace(viewer, path, uri, field);
  viewer.access?.check(path, uri, "write");
}

/** Checks visibility, and the conditions of `checkWritable` that do not depend on grants. */
export function checkPlace(viewer: Viewer, path: Path, uri: string, field: string): void {
  checkVisible(viewer, path, uri);
  if (isProtected(path))
    throw permissionDenied(uri, "a scope root cannot be created, moved, deleted or overwritten");
  if (path[0] === "session")
    throw permissionDenied(uri, "only the session operations can change sessions: use those instead");
  const reserved = reservedIn(path);
  if (reserved !== undefined) throw invalidArgument(field, `must not contain the reserved name ${reserved}`);
  if (path[0] === "agent" && !isIdentifier(itemAt(path, 1)))
    throw invalidArgument(
      field,
      `${JSON.stringify(path[1])} is not a valid agent id: use 1 to 64 of A-Z a-z 0-9 _ . @ -, starting with a letter or digit`,
    );
}

/**
 * Like `checkWritable`, for a node that is removed, moved or replaced: its parent folder must be writable,
 * too.
 */
export function checkRemovable(viewer: Viewer, path: Path, uri: string, field: string): void {
  checkWritable(viewer, path, uri, field);
  viewer.access?.checkAlone(path.slice(0, -1), uri.slice(0, uri.lastIndexOf("/")));
}
