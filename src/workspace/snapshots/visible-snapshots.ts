import { includes } from "../../domain/access.ts";
import { notFound } from "../../domain/errors.ts";
import type { NodeKind } from "../../domain/node.ts";
import { isInMemories, isVisible } from "../../domain/scope.ts";
import { isAtOrInside, type Path } from "../../domain/uri.ts";
import type { FormerPlace } from "../access/owner-access.ts";
import { type Owner, SHARED } from "../tree/locate.ts";
import type { Workspace } from "../workspace.ts";
import type { Snapshot } from "./snapshots.ts";

/** A workspace as accessed by one caller. */
export interface Viewing {
  readonly workspace: Workspace;
  readonly owner: Owner;
}

/** Owners whose snapshots a caller can use, in the order in which names are looked up. */
export const snapshotOwners = ({ owner: { user } }: Pick<Viewing, "owner">): readonly string[] => [
  user,
  SHARED,
];

/**
 * Whether the caller can use a snapshot: it has not expired, and belongs to the caller or covers a readable
 * folder.
 */
export function isSnapshotVisible(viewing: Viewing, snapshot: Snapshot): boolean {
  const { expires, path, by, owner: of, parts } = snapshot;
  const { workspace, owner } = viewing;
  if (expires !== undefined && expires <= workspace.clock()) return false;
  if (of === owner.user || (by !== undefined && by === owner.author) || path.length === 0) return true;
  const root = parts[0]?.roots[0];
  if (root === undefined) return false;
  const lacksFolders = !root.folders;
  return mayRead(viewing, { ...root, path, lacksFolders, kind: "file", isInPlace: false });
}

interface PastPlace extends FormerPlace {
  /** For folders, a visible name is sufficient. */
  readonly kind: NodeKind;
  /** Whether the node is still at this path. */
  readonly isInPlace: boolean;
}

/**
 * Whether a caller may read a node at a former path by the current rules, both those for that path and those
 * for the node's current path.
 */
export function mayRead({ workspace, owner }: Viewing, place: PastPlace): boolean {
  const { path, node, kind, isInPlace } = place;
  const { access } = owner;
  const wanted = kind === "directory" ? "pass" : "read";
  if (access ? !includes(access.levelPast(place), wanted) : !isVisible(owner, path)) return false;
  // a node that was removed since it was found has lost its grants
  if (isInPlace) return !access || !workspace.sharing.hasBeenUsed || workspace.table.isReachable(node);
  const now = workspace.pathOf(node);
  if (now && isInMemories(now)) return false;
  // private spaces, or trash of private spaces
  const of = workspace.partitionOwnerOf(node);
  const isForeign = of !== undefined && of !== SHARED && of !== owner.user;
  if (isForeign && now?.[0] !== "user") return false;
  if (!now) return true;
  return access ? includes(access.levelAt(now), wanted) : isVisible(owner, now);
}

/**
 * The snapshot with this name. Throws NOT_FOUND if it does not exist or its folder is hidden from the caller.
 */
export function findSnapshot(viewing: Viewing, name: string): Snapshot {
  for (const of of snapshotOwners(viewing)) {
    const found = viewing.workspace.snapshots.find(of, name);
    if (found && isSnapshotVisible(viewing, found)) return found;
  }
  throw notFound("snapshot", name);
}

/** The path of a URI inside a snapshot; default: the path of the snapshot. Throws NOT_FOUND outside it. */
export function pathIn(viewing: Viewing, snapshot: Snapshot, text: string | undefined): Path {
  if (text === undefined) return snapshot.path;
  const { uris } = viewing.workspace;
  const path = uris.parse(text);
  if (!isAtOrInside(path, snapshot.path)) throw notFound("resource", uris.format(path));
  return path;
}
