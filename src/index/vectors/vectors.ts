import type { QuantisedVector } from "../../domain/chunk.ts";
import type { Columns } from "../columns.ts";

/** The file of one space's vectors: row, scale and components of each. */
export const VECTOR_COLUMNS = { rows: "u32", scales: "f32", values: "i8" } as const;

export type VectorColumns = Columns<typeof VECTOR_COLUMNS>;

/** The kind of a space's file. */
export const vectorsKind = (space: string): string => `vectors ${space}`;

/**
 * The vectors of one partition in one space. Documents are rows as in `Terms`; a row may have no vector here
 * (it was not embedded yet). All in memory and synchronous.
 */
export interface Vectors {
  readonly dimensions: number;
  /** Rows that have a vector. */
  readonly size: number;
  /** Sets the vector of a row, replacing any earlier one. RangeError for another number of dimensions. */
  set(row: number, vector: QuantisedVector): void;
  /**
   * Writes the dot product of `query` and the row's vector, exact except for the rounding of the query to 16
   * bits, to `scores[row]` for each row that has a vector; other scores stay unchanged, so that a better
   * space can overwrite a worse one. `scores` is at least as long as the highest row. Rows outside of `live`
   * (a mask by row) may be skipped.
   */
  scan(query: Float32Array, scores: Float32Array, live?: Uint8Array): void;
  /**
   * Writes the scores of `scan` for about that share (0 to 1) of the rows, including nearly all of the
   * nearest, and returns these rows. Undefined, and nothing written, if `scan` is as fast.
   */
  scanNearest(query: Float32Array, scores: Float32Array, share: number): number[] | undefined;
  /**
   * Gives the scores of `scan` one by one, NaN for a row without a vector. Valid until the next call for
   * another query.
   */
  scorer(query: Float32Array): (row: number) => number;
}
