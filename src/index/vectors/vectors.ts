import type { QuantisedVector } from "../../domain/quantise.ts";
import type { Columns } from "../columns.ts";

/** Columns of a vector file: row, scale and components of each vector. */
export const VECTOR_COLUMNS = { rows: "u32", scales: "f32", values: "i8" } as const;

export type VectorColumns = Columns<typeof VECTOR_COLUMNS>;

/** File kind for the vectors of a space. */
export const vectorsKind = (space: string): string => `vectors ${space}`;

/**
 * Vectors of one partition in one space, by row as in `Terms`. A row that is not embedded yet has no vector.
 * In memory and synchronous.
 */
export interface Vectors {
  readonly dimensions: number;
  /** Number of rows with a vector. */
  readonly size: number;
  /** Sets or replaces the vector of a row. Throws RangeError if the number of dimensions differs. */
  set(row: number, vector: QuantisedVector): void;
  /**
   * Writes the dot product of `query` and each row's vector to `scores[row]`; exact except that the query is
   * rounded to 16 bits. Scores of rows without a vector are unchanged, so that a better space can overwrite a
   * worse one. `scores` must include the highest row. Rows outside `live` (a mask by row) may be skipped.
   */
  scan(query: Float32Array, scores: Float32Array, live?: Uint8Array): void;
  /**
   * Writes the scores of `scan` for about this share (0 to 1) of the rows, including nearly all of the
   * nearest, and returns the rows. Undefined, with nothing written, if `scan` is as fast.
   */
  scanNearest(query: Float32Array, scores: Float32Array, share: number): number[] | undefined;
  /**
   * A function that computes the scores of `scan` one by one; NaN for a row without a vector. Valid until the
   * next call with another query.
   */
  scorer(query: Float32Array): (row: number) => number;
}
