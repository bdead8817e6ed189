import type { Draft } from "../storage/draft.ts";
import type { KvReader } from "../storage/kv.ts";
import { encodeRecord, isMissingOr, isText, isTexts, objects } from "../storage/record-codec.ts";
import type { IndexKeys } from "./keys.ts";

/** State of a workspace's vectors outside the instant space, key `o`. */
export interface SpacesRecord {
  /** Spaces that may have records under `v/`. */
  readonly spaces: readonly string[];
  /**
   * The space in which every chunk has a vector or a pending job for one; undefined while a space is being
   * filled, or after that has failed.
   */
  readonly filled?: string;
}

const SPACES = objects<SpacesRecord>(
  "list of spaces",
  ({ spaces, filled }) => isTexts(spaces) && isMissingOr(filled, isText),
);

const NONE: SpacesRecord = { spaces: [] };

/** Undefined if no chunk was ever written. */
export const spacesOf = (read: Pick<KvReader, "get">, keys: IndexKeys): SpacesRecord | undefined =>
  SPACES.read(read, keys.spaces());

/** Names of the spaces in which chunks may have vectors. */
export const spacesWithVectors = (read: Pick<KvReader, "get">, keys: IndexKeys): readonly string[] =>
  (spacesOf(read, keys) ?? NONE).spaces;

/**
 * To be called in a transaction that adds chunks. `main`: the space whose vectors are made by jobs of the
 * same transaction; undefined if there is none.
 */
export function noteChunks(draft: Draft, keys: IndexKeys, main: string | undefined): void {
  const before = spacesOf(draft, keys);
  if (before === undefined) put(draft, keys, main === undefined ? NONE : { spaces: [main], filled: main });
  else if (before.filled !== undefined && before.filled !== main) put(draft, keys, { spaces: before.spaces });
}

/** To be called in a transaction that writes vectors of a space. */
export function noteVectors(draft: Draft, keys: IndexKeys, space: string): void {
  const before = spacesOf(draft, keys) ?? NONE;
  if (!before.spaces.includes(space)) put(draft, keys, { ...before, spaces: [...before.spaces, space] });
}

/** Records that every chunk has a vector in the space. */
export function noteFilled(draft: Draft, keys: IndexKeys, space: string): void {
  noteVectors(draft, keys, space);
  put(draft, keys, { ...(spacesOf(draft, keys) ?? NONE), filled: space });
}

/** Records that the jobs for missing vectors have failed. */
export function noteUnfilled(draft: Draft, keys: IndexKeys): void {
  const before = spacesOf(draft, keys);
  if (before?.filled !== undefined) put(draft, keys, { spaces: before.spaces });
}

/** Records that all vectors of the space are removed. */
export function noteDropped(draft: Draft, keys: IndexKeys, space: string): void {
  const before = spacesOf(draft, keys);
  if (before) put(draft, keys, { ...before, spaces: before.spaces.filter((name) => name !== space) });
}

const put = (draft: Draft, keys: IndexKeys, record: SpacesRecord): void =>
  draft.put(keys.spaces(), encodeRecord(record));
