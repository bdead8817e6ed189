import { NO_WORKSPACE, type WorkspaceId, workspaceId } from "../domain/ids.ts";
import { idKey } from "./key-numbers.ts";
import { type KeyRange, type KvOp, prefixRange } from "./kv.ts";

/** First parts of keys that are followed by a workspace number. */
const OF_WORKSPACE = new Set(["w", "y", "q", "qn", "qx", "f", "ai", "az", "au", "al", "at"]);
/**
 * First parts of the directory's keys, which map accounts and API keys to workspaces. They are written with
 * the workspace's records.
 */
const OF_DIRECTORY = new Set(["a", "k", "an"]);
/** `<ws>/` in a key. */
const NUMBER = /^[0-9a-z]{7}(?:\/|$)/;

/** First part of a key with its workspace number, if any. */
interface KeyOwner {
  readonly prefix: string;
  readonly owner: string;
  readonly workspace?: WorkspaceId;
}

const DIRECTORY: KeyOwner = { prefix: "", owner: "directory" };
const SERVER: KeyOwner = { prefix: "", owner: "server", workspace: NO_WORKSPACE };

function ownerOf(key: string): KeyOwner {
  const end = key.indexOf("/");
  const first = end < 0 ? key : key.slice(0, end);
  if (OF_DIRECTORY.has(first)) return DIRECTORY;
  const number = key.slice(end + 1, end + 9);
  if (!OF_WORKSPACE.has(first) || !NUMBER.test(number)) return SERVER;
  const workspace = workspaceId(Number.parseInt(number, 36));
  return { prefix: key.slice(0, end + 1) + number, owner: `workspace ${workspace}`, workspace };
}

/** The workspace of a key; NO_WORKSPACE for a key of the server, undefined for a key of the directory. */
export const workspaceOfKey = (key: string): WorkspaceId | undefined => ownerOf(key).workspace;

/** The ranges of all keys that contain the number of a workspace, or of any workspace. */
export const rangesOf = (workspace: WorkspaceId | undefined): Pick<KeyRange, "gte" | "lt">[] =>
  [...OF_WORKSPACE].map((first) => {
    if (workspace === undefined) return prefixRange(`${first}/`);
    // the number may be the end of a key, or followed by further parts
    const { gte, lt } = prefixRange(`${first}/${idKey(workspace)}/`);
    return { gte: gte.slice(0, -1), lt };
  });

/** Prefix of server facts, which have a table of their own in a shared store. */
export const FACTS = "m/";

/** Groups operations by their workspace, keeping their order. Those of the directory form one group. */
export function byOwner(ops: readonly KvOp[]): KvOp[][] {
  const groups = new Map<string, KvOp[]>();
  for (const op of ops) {
    const { owner } = ownerOf(op.key);
    const group = groups.get(owner);
    if (group) group.push(op);
    else groups.set(owner, [op]);
  }
  return [...groups.values()];
}

/**
 * Checks that a transaction has keys of only one workspace, or only of the server; keys of the directory are
 * allowed with either. Stores may place each workspace separately. Throws an Error, because a violation is a
 * bug.
 */
export function checkOneOwner(ops: readonly KvOp[]): void {
  let first: KeyOwner | undefined;
  let known = "";
  for (const { key } of ops) {
    // most keys of a change start like the previous one
    if (known !== "" && key.startsWith(known)) continue;
    const found = ownerOf(key);
    if (found === DIRECTORY) continue;
    if (first && first.owner !== found.owner)
      throw new Error(`a change of both ${first.owner} and ${found.owner}: divide it into one for each`);
    first ??= found;
    known = found.prefix;
  }
}
