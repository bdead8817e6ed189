import { isObject } from "../../base/expect.ts";
import type { Author, Entry, NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import {
  isList,
  isMissingOr,
  isNumber,
  isNumbers,
  isText,
  isTexts,
  objects,
  RecordKind,
} from "../../storage/record-codec.ts";

/** A folder that a snapshot covers with everything below, at its path at the time of the snapshot. */
export interface SnapshotRoot {
  readonly node: NodeId;
  readonly path: Path;
  /** Folders that contained it, from the top down: their rules apply wherever they are now. */
  readonly folders?: readonly NodeId[];
  /** Whether one of these folders denied reading when it was purged: only its administrators see the root. */
  readonly isGuarded?: true;
}

/** The part of a snapshot with one owner's folders; removed with the owner. */
export interface SnapshotPart {
  /** Greater than the numbers of all earlier snapshots of the workspace; never reused. */
  readonly number: number;
  /** A user, or the account for shared content (see partitionOwner). */
  readonly owner: string;
  readonly roots: readonly SnapshotRoot[];
}

/** A snapshot. Creating it writes only this record; later changes preserve what they replace. */
export interface SnapshotRecord {
  /** Path of the folder; empty for the workspace. */
  readonly path: Path;
  readonly parts: readonly SnapshotPart[];
  /** Unix time in ms. */
  readonly created: number;
  /** Expiry, Unix time in ms; absent: never. */
  readonly expires?: number;
  /** The creator; absent if unknown. */
  readonly by?: Author;
  readonly description?: string;
}

const isRoot = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value.node) &&
  isTexts(value.path) &&
  isMissingOr(value.folders, isNumbers) &&
  isMissingOr(value.isGuarded, (guarded) => guarded === true);

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

/** The fields of an entry that snapshots need. Layers, chunks and earlier versions are not preserved. */
export type EntryOfSnapshot = Pick<
  Entry,
  "node" | "kind" | "generation" | "size" | "created" | "modified" | "mime" | "hash" | "source" | "unindexed"
>;

/**
 * A name's entry before a change; null if there was none. The key contains the latest snapshot number at that
 * time; `needed` lists the numbers of the snapshots that cover the folder.
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
 * `shared`: the file or one of its versions has the content, too. `alone`: only snapshots need it.
 * `forgotten`: it was removed from memories, so that snapshots have lost it.
 */
export const CONTENT_STATES = ["shared", "alone", "forgotten"] as const;
type ContentState = (typeof CONTENT_STATES)[number];

/** Number of kept entries that refer to a content, and the state of the content. */
export type KeptContent = readonly [generation: number, entries: number, state: ContentState];

/** Data kept for snapshots after the entry of a node has changed. */
export interface KeptNode {
  /** Numbers of snapshots that cover the node even if it was moved since. */
  readonly needed: readonly number[];
  readonly contents?: readonly KeptContent[];
  /** Whether the folder was moved into memories, which removed it from all snapshots. */
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
