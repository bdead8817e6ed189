import type { Chunk } from "../domain/chunk.ts";
import type { QuantisedVector } from "../domain/quantise.ts";
import type { TermScores } from "./terms.ts";
import type { NearestRows } from "./vectors/neighbours.ts";
import type { Vectors } from "./vectors/vectors.ts";

/**
 * Columns of the chunks, by row. The arrays are replaced when they grow: read them again for every query, up
 * to `rows`.
 */
export interface RowColumns {
  readonly rows: number;
  /** Increases with every change; derived data is valid for one revision. */
  readonly revision: number;
  /** Node of the chunk; -1 if removed. */
  readonly node: Int32Array;
  readonly generation: Uint32Array;
  readonly level: Uint8Array;
  /** See Chunk.length. */
  readonly length: Float32Array;
  /** See Chunk.start. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Number of the chunk in its partition. */
  readonly doc: Uint32Array;
  /** Next row of the same node; -1 at the end of the list. */
  readonly next: Int32Array;
}

/** Tables of a segment that searches read. */
export interface SegmentTables {
  readonly documents: RowColumns;
  readonly terms: TermScores;
  /** Vectors by space name. */
  readonly vectors: ReadonlyMap<string, Vectors>;
  /**
   * First row of a node's chunks in any generation (the others follow in `documents.next`); -1 if the node
   * has none in this segment.
   */
  firstRow(node: number): number;
  /** Neighbour index for the segment's vectors, if open. */
  readonly neighbours?: NearestRows | undefined;
}

/** Compares a chunk in memory with its record; returns the differences as text. */
export type RecordComparison = (doc: number, chunk: Chunk) => string[];

/** A separately searched part of a partition's index. Each chunk is in exactly one segment. */
export interface SearchableSegment extends SegmentTables {
  /** Approximate number of chunks; may include some that were removed from the workspace. */
  readonly count: number;
  /** Approximate memory in bytes. */
  readonly bytes: number;
  has(doc: number): boolean;
  /**
   * Sets a chunk's vector in a space other than the instant one. No effect if the chunk is not in this
   * segment.
   */
  setVector(space: string, doc: number, vector: QuantisedVector): void;
  /** A chunk's vector in a space; undefined if it has none. */
  vectorOf(space: string, doc: number): QuantisedVector | undefined;
  /** Numbers of chunks without a vector in a space. */
  docsWithout(space: string): number[];
  /** Drops the vectors of a space after a change of model. */
  dropSpace(space: string): void;
  /** A function that compares the segment with its records, for `verify`. */
  comparison(): RecordComparison;
  /** Span of a chunk in its source text, in UTF-16 units. */
  span(doc: number): { start: number; end: number } | undefined;
}
