import { present } from "../../base/expect.ts";
import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/errors.ts";
import { NO_USER } from "../../domain/ids.ts";
import {
  AGENTS,
  type Author,
  type Entry,
  NO_NODE,
  type NodeId,
  type NodeKind,
  RESOURCES,
  ROOT,
  SESSIONS,
  SKILLS,
  USERS,
} from "../../domain/node.ts";
import { isVisible } from "../../domain/scope.ts";
import { MAX_SEGMENTS, type Path } from "../../domain/uri.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { OwnerAccess } from "../access/owner-access.ts";
import type { Keys } from "../keys.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { SESSION_DEPTH, type SessionDirectory, sessionDirectory } from "../sessions/session-directories.ts";

/**
 * The owner of the spaces that a path refers to. Agent spaces belong to the user or, with
 * CTXDB_AGENT_SCOPE=account, to the account.
 */
export interface Owner {
  readonly user: string;
  readonly agent: string;
  /**
   * Name of the directory under AGENTS with the agents' spaces; if they are shared, it is not a valid user
   * id.
   */
  readonly agentsOf: string;
  /** Identity of the user as author of versions. */
  readonly author?: Author | undefined;
  /** Effect of grants for this user; undefined if none. */
  readonly access: OwnerAccess | undefined;
}

/** Maximum number of levels: those of a path, the owners' level under AGENTS, and the scope. */
export const MAX_DEPTH = MAX_SEGMENTS + 2;

export const SHARED_AGENTS = "+account";

export const ownerOf = (
  caller: Pick<Caller, "user" | "agent" | "userIncarnation">,
  agentScope: "user" | "account",
  access?: OwnerAccess,
): Owner => ({
  user: caller.user,
  author: authorOf(caller),
  agent: caller.agent,
  agentsOf: agentsOf(caller, agentScope),
  access,
});

export const agentsOf = ({ user }: Pick<Caller, "user">, agentScope: "user" | "account"): string =>
  agentScope === "account" ? SHARED_AGENTS : user;

/** Users of earlier versions have no incarnation number and cannot be distinguished. */
const authorOf = ({ user, userIncarnation }: Pick<Caller, "user" | "userIncarnation">): Author | undefined =>
  userIncarnation === NO_USER ? undefined : (userIncarnation ?? user);

/** Owner of an account's shared content: resources and skills. Not a valid user id. */
export const SHARED = "+shared";

/**
 * The owner whose partition contains a path's chunks. Content of one owner never affects another's scores.
 */
export function partitionOwner(owner: Owner, path: Path): string {
  // a space that its owner may share
  if (path[0] === "user" && path[1] !== undefined) return path[1];
  if (path[0] === "resources" || (path[0] === "agent" && path[1] === "skills")) return SHARED;
  return path[0] === "agent" && owner.agentsOf === SHARED_AGENTS ? SHARED : owner.user;
}

/** An existing location. Implicit directories that were never written have node 0 and no entry. */
export interface Located {
  readonly path: Path;
  readonly kind: NodeKind;
  readonly node: NodeId;
  readonly entry?: Entry;
  /** Directory that contains the entry; 0 for scope roots. */
  readonly directory: NodeId;
  /** Set for a session, or a directory in one; the latter has node 0 and no entry. */
  readonly session?: SessionDirectory | undefined;
  /** The owner for whom `locate` found the location. */
  readonly owner?: Owner | undefined;
}

/**
 * The entry of a location that has one, unlike scope roots and implicit directories. Throws Error otherwise.
 */
export const entryOf = ({ path, entry }: Pick<Located, "path" | "entry">): Entry =>
  present(entry, `entry of ${path.join("/")}`);

/** The start node of a path, and the names below it. */
export function anchor(owner: Pick<Owner, "agentsOf">, path: Path): { base: NodeId; names: Path } {
  if (path.length === 0) return { base: ROOT, names: [] };
  if (path[0] === "resources") return { base: RESOURCES, names: path.slice(1) };
  if (path[0] === "user") return { base: USERS, names: path.slice(1) };
  if (path[0] === "session") return { base: SESSIONS, names: path.slice(1) };
  if (path[1] === "skills") return { base: SKILLS, names: path.slice(2) };
  return { base: AGENTS, names: [owner.agentsOf, ...path.slice(1)] };
}

/** The folders that contain a path, from the top down, without the scope. */
export function foldersOf(reader: Pick<KvReader, "get">, keys: Keys, owner: Owner, path: Path): NodeId[] {
  const { base, names } = anchor(owner, path);
  const folders: NodeId[] = [];
  let node = base;
  for (const name of names.slice(0, -1)) {
    const entry = ENTRIES.readShared(reader, keys.entry(node, name));
    if (!entry) break;
    node = entry.node;
    folders.push(node);
  }
  return folders;
}

/** Whether a directory is implicit: the scopes, and the caller's spaces with their memories. */
export function isStanding(owner: Owner, path: Path): boolean {
  if (path.length <= 1) return true;
  const [scope, name, inner] = path;
  if (path.length > 3 || (path.length === 3 && inner !== "memories")) return false;
  if (scope === "user") return name === owner.user;
  if (scope === "agent") return name === owner.agent || (name === "skills" && path.length === 2);
  return scope === "session" && path.length === 2 && name === owner.user;
}

/** Finds a path; undefined if nothing exists there or the owner may not see it. */
export function locate(reader: KvReader, keys: Keys, owner: Owner, path: Path): Located | undefined {
  if (!isVisible(owner, path)) return undefined;
  const { base, names } = anchor(owner, path);
  let directory: NodeId = NO_NODE;
  let node = base;
  let entry: Entry | undefined;
  for (const name of names) {
    if (entry?.kind === "file") return undefined;
    const found = ENTRIES.readShared(reader, keys.entry(node, name));
    if (!found)
      return isStanding(owner, path)
        ? { path, kind: "directory", node: NO_NODE, directory: NO_NODE, owner }
        : inSession(reader, keys, owner, path, entry);
    directory = node;
    node = found.node;
    entry = found;
  }
  return entry
    ? locatedAt(path, entry, directory, owner)
    : { path, kind: "directory", node, directory: NO_NODE, owner };
}

/**
 * Whether a location's node is still at its path for this owner, according to the records of its ancestors.
 * Needed for walks, which follow nodes: a location found for another owner must not give access.
 */
export function isOfOwner(
  reader: KvReader,
  keys: Keys,
  owner: Owner,
  { path, node, session, owner: known }: Pick<Located, "path" | "node" | "session" | "owner">,
): boolean {
  if (known === owner) return true;
  if (!isVisible(owner, path)) return false;
  const { base, names } = anchor(owner, path);
  let at = session?.session ?? node;
  // an implicit directory that was never written
  if (at === 0) return isStanding(owner, path);
  let name: string | undefined;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (at === base) return base === RESOURCES || base === SKILLS || name === names[0];
    const record = NODE_RECORDS.readShared(reader, keys.node(at));
    if (!record) return false;
    [at, name] = [record.directory, record.name];
  }
  return false;
}

export function locatedAt(path: Path, entry: Entry, directory: NodeId, owner?: Owner): Located {
  const { kind, node } = entry;
  const session =
    entry.session && path.length === SESSION_DEPTH
      ? ({ kind: "session", session: node } as const)
      : undefined;
  return { path, kind, node, entry, directory, session, owner };
}

/** A directory inside a session, which has no entry of its own. `entry`: the last entry on the path. */
function inSession(
  reader: KvReader,
  keys: Keys,
  owner: Owner,
  path: Path,
  entry: Entry | undefined,
): Located | undefined {
  if (!entry?.session || path.length <= SESSION_DEPTH) return undefined;
  const session = sessionDirectory(reader, keys, entry.node, path.slice(SESSION_DEPTH));
  return session && { path, kind: "directory", node: NO_NODE, directory: NO_NODE, session, owner };
}

/** Finds a path. Throws NOT_FOUND naming `uri`. */
export function mustLocate(reader: KvReader, keys: Keys, owner: Owner, path: Path, uri: string): Located {
  const located = locate(reader, keys, owner, path);
  if (!located) throw notFound("resource", uri);
  return located;
}
