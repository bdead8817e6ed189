import type { SerialExecutor } from "../base/concurrency/serial-executor.ts";
import type { Chunk } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import type { QuantisedVector } from "../domain/quantise.ts";
import type { Kv } from "../storage/kv.ts";
import type { IndexCache } from "./cache.ts";
import type { IndexKeys } from "./keys.ts";
import type { SegmentRecord } from "./manifest.ts";
import type { ReservedRanges } from "./reserved-ranges.ts";
import type { SearchableSegment } from "./searchable.ts";
import { MutableSegment } from "./segments/mutable-segment.ts";
import type { Segment } from "./segments/segment.ts";
import type { IndexFolder } from "./segments/segment-files.ts";
import type { NeighbourIndexes } from "./vectors/neighbours.ts";

export interface NeighbourStores {
  readonly indexes: NeighbourIndexes;
  /** Minimum number of chunks for a neighbour index. */
  readonly minDocs: number;
  /** True if a setting below the default forces indexes even if a scan is faster. */
  readonly isForced: boolean;
  /** Aborts builds when the server stops. */
  readonly signal: AbortSignal;
}

/** Shared by all partitions of all workspaces. */
export interface IndexStores {
  readonly files: IndexFolder["files"];
  /**
   * Spaces besides the instant space in which queries can be embedded, the preferred one first. Their vectors
   * are loaded; jobs make the missing ones of the first space.
   */
  readonly spaces: readonly string[];
  /** Number of chunks at which a mutable segment is sealed. */
  readonly sealDocs: number;
  readonly cache: IndexCache;
  /** Runs seals, merges and checkpoints. */
  readonly executor: SerialExecutor;
  /** Called for unusable files, whose content is rebuilt, and for failed compactions. */
  readonly report: (what: string, error: unknown) => void;
  /** If set, builds neighbour indexes for sealed vectors. */
  readonly neighbours?: NeighbourStores | undefined;
}

/** What the partitions of a workspace need from it. Stays in memory as long as one of them. */
export interface IndexContext {
  readonly kv: Kv;
  readonly keys: IndexKeys;
  readonly folder: IndexFolder;
  readonly stores: IndexStores;
  /** Whether a node generation is current; false while it is still being built. */
  readonly isCurrent: (node: number, generation: number) => boolean;
  /** Whether the workspace is closed for writing. */
  readonly isClosed: () => boolean;
  /** Whether the account is deleted; files written after that are removed. */
  readonly isDeleted: () => boolean;
}

export interface SealedSegment {
  record: SegmentRecord;
  readonly segment: Segment;
  /** True if no neighbour index is to be built, because a build is running or impossible. */
  isIndexed: boolean;
  /** Number of neighbour index builds started. */
  builds: number;
  /** Number of dead rows when their records were last checked. */
  checked: number;
}

/** A vector that arrived after its chunk was sealed. */
export interface LateVector {
  readonly space: string;
  readonly doc: number;
  readonly vector: QuantisedVector;
}

/** A partition in memory. */
export interface OwnerSegments {
  /** In the order of their first chunk numbers. */
  segments: readonly SealedSegment[];
  /** Full mutable segments waiting to be sealed. */
  frozen: readonly MutableSegment[];
  /** The segment that receives new rows. */
  mutable: MutableSegment;
}

/** A partition during compaction. */
export interface Compactable {
  readonly home: IndexContext;
  readonly number: number;
  readonly reserved: ReservedRanges;
  readonly loaded: OwnerSegments | undefined;
  /** Vectors that arrived during a running seal or merge; undefined if none is running. */
  lateVectors: LateVector[] | undefined;
  /** Drops the partition from memory, even during compaction. */
  forget(): void;
}

export const searchableOf = ({ segments, frozen, mutable }: OwnerSegments): readonly SearchableSegment[] => [
  ...segments.map(({ segment }) => segment),
  ...frozen,
  mutable,
];

export const hasChunk = ({ segments, frozen, mutable }: OwnerSegments, doc: number): boolean =>
  mutable.has(doc) ||
  frozen.some((full) => full.has(doc)) ||
  segments.some(({ segment }) => segment.has(doc));

/** Returns whether the chunk filled the mutable segment. */
export function addChunk(loaded: OwnerSegments, doc: number, chunk: Chunk, sealDocs: number): boolean {
  loaded.mutable.add(doc, chunk);
  if (loaded.mutable.count < sealDocs) return false;
  freezeMutable(loaded);
  return true;
}

export function freezeMutable(loaded: OwnerSegments): void {
  loaded.frozen = [...loaded.frozen, loaded.mutable];
  loaded.mutable = new MutableSegment();
}

/**
 * Removes chunks from the unsealed segments. Sealed chunks stay, but searches ignore them, because their
 * nodes are gone or have a new generation.
 */
export function removeChunks({ frozen, mutable }: OwnerSegments, { first, count }: ChunkRange): void {
  for (const part of [...frozen, mutable]) for (let doc = first; doc < first + count; doc++) part.remove(doc);
}

/** No effect if the chunk is not in memory. */
export function setLateVector(loaded: OwnerSegments, { space, doc, vector }: LateVector): void {
  for (const segment of searchableOf(loaded)) segment.setVector(space, doc, vector);
}
