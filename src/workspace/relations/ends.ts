import {
  AGENTS,
  type Entry,
  NO_NODE,
  type NodeId,
  RESOURCES,
  ROOT,
  SESSIONS,
  SKILLS,
  USERS,
} from "../../domain/node.ts";
import { isReadable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { type KvPages, type KvReader, prefixRange } from "../../storage/kv.ts";
import { encodeRecord, text } from "../../storage/record-codec.ts";
import { type Keys, lastNodeOfKey, nodeEnd, nodeOfEnd, placeEnd } from "../keys.ts";
import { ENTRIES, NODE_RECORDS } from "../records.ts";
import { locate, MAX_DEPTH, type Owner } from "../tree/locate.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/**
 * An absolute path that does not depend on the viewer: agent spaces include the owner's directory,
 * `agents/<owner>/<agent>/…`. A relation's end is a node as long as the node exists, so that the relation
 * follows moves; otherwise it is a path.
 */
export type EndPath = string;

const TOP: ReadonlyMap<NodeId, EndPath> = new Map([
  [ROOT, ""],
  [RESOURCES, "resources"],
  [SKILLS, "agent/skills"],
  [USERS, "user"],
  [AGENTS, "agents"],
  [SESSIONS, "session"],
]);

export function endPathOf(owner: Owner, path: Path): EndPath {
  const isAgents = path[0] === "agent" && path[1] !== "skills";
  return (isAgents ? ["agents", owner.agentsOf, ...path.slice(1)] : path).join("/");
}

/**
 * Converts an absolute path for an owner; undefined if the owner may not read it. `node`: the node that is or
 * was there.
 */
export function pathOfPlace(owner: Owner, place: EndPath, node?: NodeId): Path | undefined {
  const given = place === "" ? [] : place.split("/");
  const isAgents = given[0] === "agents";
  if (isAgents && given[1] !== owner.agentsOf) return undefined;
  // agents may belong to the account, so that grants can deny a part of their spaces
  const names = isAgents ? ["agent", ...given.slice(2)] : given;
  const isSeen =
    node !== undefined && owner.access
      ? owner.access.seesPast({ path: names, node })
      : isReadable(owner, names);
  return isSeen ? names : undefined;
}

/** The path of a node, or its last path if it was removed; undefined if its user's space is gone. */
export function placeOfNode(reader: KvReader, keys: Keys, node: NodeId): EndPath | undefined {
  const names: string[] = [];
  let at = node;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const top = TOP.get(at);
    if (top !== undefined) return [top, ...names].join("/");
    const gone = reader.get(keys.gone(at));
    if (gone) return [text(gone), ...names].join("/");
    const record = NODE_RECORDS.read(reader, keys.node(at));
    if (!record || ENTRIES.read(reader, keys.entry(record.directory, record.name))?.node !== at)
      return undefined;
    names.unshift(record.name);
    at = record.directory;
  }
  return undefined;
}

/** The innermost node that exists now on an absolute path; NO_NODE for paths of sessions. */
export function nodeOnPlace(reader: Pick<KvReader, "get">, keys: Keys, place: EndPath): NodeId {
  for (const [top, path] of TOP) {
    if (path === "" || top === SESSIONS || !place.startsWith(`${path}/`)) continue;
    let at = top;
    for (const name of place.slice(path.length + 1).split("/")) {
      const entry = ENTRIES.readShared(reader, keys.entry(at, name));
      if (!entry) break;
      at = entry.node;
    }
    return at;
  }
  return NO_NODE;
}

/** The path of an end in a relation's key. */
export function placeOfEnd(reader: KvReader, keys: Keys, end: string): EndPath | undefined {
  const node = nodeOfEnd(end);
  return node === undefined ? end.slice(1) : placeOfNode(reader, keys, node);
}

/**
 * Must be called when an entry is removed: relations of its node, and of everything below, are then attached
 * to paths. Relations of sessions are removed.
 */
export function noteGone(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  name: string,
  entry: Entry,
): void {
  if (entry.kind === "file" && !entry.related) return;
  if (!workspace.hasRelations && draft.touched(draft.keys.allRelations()).length === 0) return;
  const above = placeOfNode(draft, draft.keys, directory);
  if (above === undefined || above.split("/")[0] === "session") return;
  const place = `${above}/${name}`;
  draft.put(draft.keys.gone(entry.node), Buffer.from(place));
  draft.put(draft.keys.goneNodeAt(place, entry.node), encodeRecord(null));
}

/** Must be called after a removed node was purged with everything below. */
export function forgetGone(draft: WorkspaceDraft, node: NodeId): void {
  const place = draft.get(draft.keys.gone(node));
  if (!place) return;
  draft.delete(draft.keys.gone(node));
  draft.delete(draft.keys.goneNodeAt(text(place), node));
}

/**
 * The ends of a path: the path itself, and removed nodes there that are not purged yet. The current node is
 * `liveEnd`.
 */
export async function lastingEnds(kv: KvPages, keys: Keys, owner: Owner, path: Path): Promise<string[]> {
  const place = endPathOf(owner, path);
  const ends = [placeEnd(place)];
  if ((await kv.keys(prefixRange(keys.allGone(), 1))).length === 0) return ends;
  const names = place.split("/");
  for (let depth = 1; depth <= names.length; depth++) {
    for (const key of await kv.keys(prefixRange(keys.goneAt(names.slice(0, depth).join("/"))))) {
      let node: NodeId | undefined = lastNodeOfKey(key);
      for (const name of names.slice(depth))
        node = node === undefined ? undefined : ENTRIES.read(kv, keys.entry(node, name))?.node;
      if (node !== undefined) ends.push(nodeEnd(node));
    }
  }
  return ends;
}

/** The end for a new relation of a path: the current node, otherwise the path. */
export function liveEnd(
  reader: KvReader,
  keys: Keys,
  owner: Owner,
  path: Path,
): { readonly end: string; readonly directory: NodeId; readonly entry?: Entry } {
  const found = locate(reader, keys, owner, path);
  if (!found?.entry) return { end: placeEnd(endPathOf(owner, path)), directory: NO_NODE };
  return { end: nodeEnd(found.node), directory: found.directory, entry: found.entry };
}
