import { isObject } from "../../base/expect.ts";
import type { Author, Entry, NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import {
  isList,
  isMissingOr,
  isNumber,
  isText,
  isTexts,
  objects,
  RecordKind,
} from "../../storage/records.ts";

/** A folder that a snapshot covers with everything below it, at its path when the snapshot was made. */
export interface SnapshotRoot {
  readonly node: NodeId;
  readonly path: Path;
}

/** What a snapshot covers of one owner; removed with the owner. */
export interface SnapshotPart {
  /** Greater than those of all earlier snapshots of the workspace; never used again. */
  readonly number: number;
  /** A user, or the account for shared content (see partitionOwner). */
  readonly owner: string;
  readonly roots: readonly SnapshotRoot[];
}

/** A snapshot. Creating one writes nothing else; changes keep what they replace. */
export interface SnapshotRecord {
  /** Path of the folder; empty for the workspace. */
  readonly path: Path;
  readonly parts: readonly SnapshotPart[];
  /** Unix time in ms. */
  readonly created: number;
  /** Unix time in ms from which the snapshot is gone; absent: never. */
  readonly expires?: number;
  /** Who created it; absent if unknown. */
  readonly by?: Author;
  readonly description?: string;
}

const isRoot = (value: unknown): boolean => isObject(value) && isNumber(value.node) && isTexts(value.path);

export const SNAPSHOTS = objects<SnapshotRecord>(
  "snapshot",
  ({ path, parts, created, expires, by, description }) =>
    isTexts(path) &&
    Array.isArray(parts) &&
    parts.every(
      (part) =>
        isObject(part) &&
        isNumber(part.number) &&
        isText(part.owner) &&
        Array.isArray(part.roots) &&
        part.roots.every(isRoot),
    ) &&
    isNumber(created) &&
    isMissingOr(expires, isNumber) &&
    isMissingOr(by, (author) => isText(author) || isNumber(author)) &&
    isMissingOr(description, isText),
);

/** The fields of an entry that snapshots need; layers, chunks and earlier versions are not kept. */
export type EntryOfSnapshot = Pick<
  Entry,
  "node" | "kind" | "generation" | "size" | "created" | "modified" | "mime" | "hash" | "source" | "unindexed"
>;

/**
 * The entry of a name as it was until a change; null if there was none. The key has the last number
 * that was given to a snapshot, `needed` those of the snapshots that cover the folder.
 */
export type KeptEntry = readonly [needed: readonly number[], entry: EntryOfSnapshot | null];

export const KEPT_ENTRIES = new RecordKind<KeptEntry>(
  "kept entry",
  (value) =>
    Array.isArray(value) &&
    Array.isArray(value[0]) &&
    value[0].every(isNumber) &&
    (value[1] === null || (isObject(value[1]) && isNumber(value[1].node) && isNumber(value[1].generation))),
);

/**
 * `shared`: the content also belongs to the file or one of its versions. `alone`: only snapshots need it.
 * `forgotten`: it was removed from memories, and snapshots lost it.
 */
export const CONTENT_STATES = ["shared", "alone", "forgotten"] as const;
type ContentState = (typeof CONTENT_STATES)[number];

/** Number of kept entries with a content, and the state of the content. */
export type KeptContent = readonly [generation: number, entries: number, state: ContentState];

/** What snapshots keep of a node whose entry was changed. */
export interface KeptNode {
  /** Numbers of snapshots that cover the node, although it may now be elsewhere. */
  readonly needed: readonly number[];
  readonly contents?: readonly KeptContent[];
  /** Whether the folder was moved into memories: it has left all snapshots. */
  readonly isLost?: true;
}

export const KEPT_NODES = objects<KeptNode>(
  "kept node",
  ({ needed, contents, isLost }) =>
    Array.isArray(needed) &&
    needed.every(isNumber) &&
    isMissingOr(contents, isList) &&
    isMissingOr(isLost, (value) => value === true),
);
