import type { Chunk, QuantisedVector } from "../domain/chunk.ts";
import type { TermScores } from "./terms.ts";
import type { NearestRows } from "./vectors/neighbours.ts";
import type { Vectors } from "./vectors/vectors.ts";

/**
 * Document columns, by row. The arrays are replaced when they grow: reread them for every query, up to
 * `rows`.
 */
export interface RowColumns {
  readonly rows: number;
  /** Grows with every change: derived data is valid for one revision. */
  readonly revision: number;
  /** Node of the document; -1: removed. */
  readonly node: Int32Array;
  readonly generation: Uint32Array;
  readonly level: Uint8Array;
  /** As Chunk.length. */
  readonly length: Float32Array;
  /** As in Chunk. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** The document's number in its partition. */
  readonly doc: Uint32Array;
  /** The next row of the same node, -1 at the end. */
  readonly next: Int32Array;
}

/** Tables of a segment as searches read them. */
export interface SegmentTables {
  readonly documents: RowColumns;
  readonly terms: TermScores;
  /** By the name of the space. */
  readonly vectors: ReadonlyMap<string, Vectors>;
  /**
   * The first row of a node's documents (the others by `documents.next`), -1 if it has none here. Includes
   * all generations.
   */
  firstRow(node: number): number;
  /** Neighbour index over the segment's vectors, if any. */
  readonly neighbours?: NearestRows | undefined;
}

/** Differences between a row in memory and its record, as text. */
export type RecordComparison = (doc: number, chunk: Chunk) => string[];

/** A segment of an index partition, searched separately; each document is in one segment of its partition. */
export interface SearchableSegment extends SegmentTables {
  /** Approximate number of documents: some may have been removed from the workspace since. */
  readonly count: number;
  /** Memory held, roughly. */
  readonly bytes: number;
  has(doc: number): boolean;
  /** Sets the vector of a document in a further space. No effect if the document is not here. */
  setVector(space: string, doc: number, vector: QuantisedVector): void;
  /** The vector of a document in a space, if it has one. */
  vectorOf(space: string, doc: number): QuantisedVector | undefined;
  /** Documents without a vector in a space. */
  docsWithout(space: string): number[];
  /** Drops the vectors of a further space: the model has changed. */
  dropSpace(space: string): void;
  /** For `verify`. */
  comparison(): RecordComparison;
  /** Span of a chunk in its text, in UTF-16 units. */
  span(doc: number): { start: number; end: number } | undefined;
}
