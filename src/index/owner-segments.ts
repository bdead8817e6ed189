import type { SerialExecutor } from "../base/serial-executor.ts";
import type { Chunk, QuantisedVector } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
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
  /** Minimum number of documents for an index. */
  readonly minDocs: number;
  /** True if a setting below the default forces indexes even where a scan is faster. */
  readonly isForced: boolean;
  /** Ends builds when the server stops. */
  readonly signal: AbortSignal;
}

/** Shared by all partitions of all workspaces. */
export interface IndexStores {
  readonly files: IndexFolder["files"];
  /**
   * Spaces besides the instant one in which queries can be embedded, the preferred one first: their vectors
   * are loaded, and missing ones are made for the first.
   */
  readonly spaces: readonly string[];
  /** Documents from which a mutable segment is sealed. */
  readonly sealDocs: number;
  readonly cache: IndexCache;
  /** Runs seals, merges and checkpoints. */
  readonly executor: SerialExecutor;
  /** Called for unusable files, whose contents are rebuilt, and for failed compactions. */
  readonly report: (what: string, error: unknown) => void;
  /** Builds neighbour indexes for sealed vectors, if set. */
  readonly neighbours?: NeighbourStores | undefined;
}

/** A partition's view of its workspace. It stays in memory while one of its partitions does. */
export interface IndexContext {
  readonly kv: Kv;
  readonly keys: IndexKeys;
  readonly folder: IndexFolder;
  readonly stores: IndexStores;
  /** Whether a node generation is current; false while it is being built. */
  readonly isCurrent: (node: number, generation: number) => boolean;
  /** True once writing is forbidden. */
  readonly isClosed: () => boolean;
  /** True once the account is deleted: files written from then on are removed. */
  readonly isDeleted: () => boolean;
}

export interface SealedSegment {
  record: SegmentRecord;
  readonly segment: Segment;
  /** No neighbour index is to be built: one is being built, or it is impossible. */
  isIndexed: boolean;
  /** Number of neighbour index builds begun. */
  builds: number;
  /** Number of dead documents when their records were last checked. */
  checked: number;
}

/** A vector that arrived after its document was sealed. */
export interface LateVector {
  readonly space: string;
  readonly doc: number;
  readonly vector: QuantisedVector;
}

/** A partition in memory. */
export interface OwnerSegments {
  /** In the order of their first documents. */
  segments: readonly SealedSegment[];
  /** Full mutable segments that wait to be sealed. */
  frozen: readonly MutableSegment[];
  /** Receives new rows. */
  mutable: MutableSegment;
}

/** A partition during compaction. */
export interface Compactable {
  readonly home: IndexContext;
  readonly number: number;
  readonly reserved: ReservedRanges;
  readonly loaded: OwnerSegments | undefined;
  /** Vectors that arrived during a running seal or merge; else undefined. */
  lateVectors: LateVector[] | undefined;
  /** Drops it from memory, even during work. */
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

/** True if this fills the mutable segment. */
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

/** Sealed chunks stay: their nodes are gone or have a new generation, so that no search counts them. */
export function removeChunks({ frozen, mutable }: OwnerSegments, { first, count }: ChunkRange): void {
  for (const part of [...frozen, mutable]) for (let doc = first; doc < first + count; doc++) part.remove(doc);
}

/** No effect if the document is not in memory. */
export function setLateVector(loaded: OwnerSegments, { space, doc, vector }: LateVector): void {
  for (const segment of searchableOf(loaded)) segment.setVector(space, doc, vector);
}
