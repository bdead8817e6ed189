import { sha256 } from "../base/sha256.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { type NodeId, nodeId } from "../domain/node.ts";
import type { KnownFact } from "./facts/fact-file.ts";

/** Format of a memory id: `mem_` and 18 bytes with node, key and check. */
const FORM = /^mem_([A-Za-z0-9_-]{24})$/;
const NODE_BYTES = 6;
const KEY_BYTES = 8;
const CHECK_BYTES = 4;

/** Key of an episode, which is the only memory in its file. */
export const EPISODE_KEY = sha256("episode").slice(0, 2 * KEY_BYTES);

/** Identifies a memory by its file and its key there. */
export interface MemoryPlace {
  readonly node: NodeId;
  readonly key: string;
}

/**
 * Public id of a memory, which is only valid in its account. The owner of the file is checked when it is
 * read.
 */
export function memoryId(workspace: WorkspaceId, { node, key }: MemoryPlace): string {
  const bytes = Buffer.alloc(NODE_BYTES + KEY_BYTES + CHECK_BYTES);
  bytes.writeUIntBE(node, 0, NODE_BYTES);
  bytes.write(key, NODE_BYTES, "hex");
  bytes.write(checkOf(workspace, node, key), NODE_BYTES + KEY_BYTES, "hex");
  return `mem_${bytes.toString("base64url")}`;
}

/** Parses an id; undefined if it is not an id of this account. */
export function placeOfMemory(workspace: WorkspaceId, id: string): MemoryPlace | undefined {
  const encoded = FORM.exec(id)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, "base64url");
  const node = nodeId(bytes.readUIntBE(0, NODE_BYTES));
  const key = bytes.toString("hex", NODE_BYTES, NODE_BYTES + KEY_BYTES);
  const check = bytes.toString("hex", NODE_BYTES + KEY_BYTES);
  return check === checkOf(workspace, node, key) ? { node, key } : undefined;
}

const checkOf = (workspace: WorkspaceId, node: NodeId, key: string): string =>
  sha256(`memory ${workspace} ${node} ${key}`).slice(0, 2 * CHECK_BYTES);

/** A key for a new fact, derived from everything that distinguishes it. */
export const newFactKey = (...parts: readonly (string | number)[]): string =>
  sha256(JSON.stringify(parts)).slice(0, 2 * KEY_BYTES);

/**
 * Keys of a list of facts, in order. A fact without a key (from an earlier version, or written by hand) gets
 * one derived from its text, because other lines of the file may change.
 */
export function factKeys(facts: readonly KnownFact[]): string[] {
  const seen = new Map<string, number>();
  return facts.map(({ key, text, date }) => {
    if (key !== undefined) return key;
    const words = `${text}\n${date}`;
    const nth = seen.get(words) ?? 0;
    seen.set(words, nth + 1);
    return newFactKey(words, nth);
  });
}
