import type { Lane } from "../base/serial-executor.ts";
import type { Chunk, QuantisedVector } from "../domain/chunk.ts";
import type { ChunkRange } from "../domain/node.ts";
import type { Kv } from "../storage/kv.ts";
import type { IndexCache } from "./cache.ts";
import type { IndexKeys } from "./keys.ts";
import type { SegmentRecord } from "./manifest.ts";
import type { ReservedRanges } from "./reserved-ranges.ts";
import type { IndexPart } from "./searchable.ts";
import { Tail } from "./segments/mutable-segment.ts";
import type { Segment } from "./segments/segment.ts";
import type { IndexFolder } from "./segments/segment-files.ts";
import type { NeighbourIndexes } from "./vectors/neighbours.ts";

export interface NeighbourStores {
  readonly indexes: NeighbourIndexes;
  /** Documents from which a segment gets one. */
  readonly minDocs: number;
  /** Also where a scan is faster: whoever sets fewer documents than by default wants an index from there on. */
  readonly isForced: boolean;
  /** Ends builds when the server stops. */
  readonly signal: AbortSignal;
}

/** What all partitions of all workspaces share. */
export interface IndexStores {
  readonly files: IndexFolder["files"];
  /** Spaces beside the instant one in which queries can be embedded, the preferred one first: their vectors are brought into memory, those of the first are made. */
  readonly spaces: readonly string[];
  /** Documents from which a tail is sealed. */
  readonly sealDocs: number;
  readonly cache: IndexCache;
  /** Where seals, merges and checkpoints are done. */
  readonly lane: Lane;
  /** Hears of files that cannot be used, what they held is made anew, and of upkeep that failed. */
  readonly report: (what: string, error: unknown) => void;
  /** Where sealed vectors get an index of neighbours too. */
  readonly neighbours?: NeighbourStores | undefined;
}

/** The workspace of a partition, as far as its index is concerned. It stays in memory while one of its partitions does. */
export interface IndexHome {
  readonly kv: Kv;
  readonly keys: IndexKeys;
  readonly folder: IndexFolder;
  readonly stores: IndexStores;
  /** Whether chunks of a node generation count; false for what is still being built. */
  readonly isCurrent: (node: number, generation: number) => boolean;
  /** Nothing is to be written any more. */
  readonly isClosed: () => boolean;
}

export interface SealedPart {
  record: SegmentRecord;
  readonly segment: Segment;
  /** No index of neighbours is to be built for it: one is under way, or cannot be had. */
  isIndexed: boolean;
  /** Indexes of neighbours begun for it. */
  builds: number;
  /** Documents that did not count when it was last looked whether their records are there. */
  checked: number;
}

/** A vector of a further space, which came after its document. */
export interface LateVector {
  readonly space: string;
  readonly doc: number;
  readonly vector: QuantisedVector;
}

/** A partition in memory. */
export interface Parts {
  /** By their first documents. */
  segments: readonly SealedPart[];
  /** Full tails that wait to be sealed. */
  frozen: readonly Tail[];
  /** Takes what is added. */
  tail: Tail;
}

/** A partition to whose files and manifest something is done. */
export interface Tended {
  readonly home: IndexHome;
  readonly number: number;
  readonly reserved: ReservedRanges;
  readonly parts: Parts | undefined;
  /** Vectors that came since a seal or merge began; undefined while there is none. */
  arrivals: LateVector[] | undefined;
  /** It is out of memory, whatever is under way. */
  forget(): void;
}

export const piecesOf = ({ segments, frozen, tail }: Parts): readonly IndexPart[] => [
  ...segments.map(({ segment }) => segment),
  ...frozen,
  tail,
];

export const has = ({ segments, frozen, tail }: Parts, doc: number): boolean =>
  tail.has(doc) || frozen.some((full) => full.has(doc)) || segments.some(({ segment }) => segment.has(doc));

/** True if a tail is full with it. */
export function put(parts: Parts, doc: number, chunk: Chunk, sealDocs: number): boolean {
  parts.tail.add(doc, chunk);
  if (parts.tail.count < sealDocs) return false;
  freeze(parts);
  return true;
}

export function freeze(parts: Parts): void {
  parts.frozen = [...parts.frozen, parts.tail];
  parts.tail = new Tail();
}

/** Sealed chunks stay: their nodes have gone or have another generation, so that no search counts them. */
export function dropFrom({ frozen, tail }: Parts, { first, count }: ChunkRange): void {
  for (const part of [...frozen, tail]) for (let doc = first; doc < first + count; doc++) part.remove(doc);
}

/** No effect where the document is not in memory. */
export function giveVector(parts: Parts, { space, doc, vector }: LateVector): void {
  for (const piece of piecesOf(parts)) piece.setVector(space, doc, vector);
}
