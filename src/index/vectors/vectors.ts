import type { QuantisedVector } from "../../domain/chunk.ts";
import type { Columns } from "../columns.ts";

/** The file of the vectors of one space: row, scale and components of each. */
export const VECTOR_COLUMNS = { rows: "u32", scales: "f32", values: "i8" } as const;

export type VectorColumns = Columns<typeof VECTOR_COLUMNS>;

/** The kind of the file of a space. */
export const vectorsKind = (space: string): string => `vectors ${space}`;

/**
 * The vectors of one partition in one space. Documents are rows as in `Terms`; a row may have no vector here
 * (it was not embedded yet). Everything is in memory and synchronous.
 */
export interface Vectors {
  readonly dimensions: number;
  /** Rows that have a vector. */
  readonly size: number;
  /** Gives a row its vector, in place of the one it had. Another number of dimensions: RangeError. */
  set(row: number, vector: QuantisedVector): void;
  /**
   * Writes the dot product of `query` and the row's vector, exact but for the rounding of the query to 16
   * bits, to `scores[row]` for each row that has a vector; leaves other scores as they are, so that a better
   * space can be laid over a worse one. `scores` is at least as long as the highest row. Rows that `live` (a
   * mask by row) does not hold may be passed over.
   */
  scan(query: Float32Array, scores: Float32Array, live?: Uint8Array): void;
  /**
   * Writes the numbers of `scan` for about that share (0 to 1) of the rows, among which nearly all of the
   * nearest are, and leaves the others. False, and nothing written, where `scan` is as good.
   */
  scanNearest(query: Float32Array, scores: Float32Array, share: number): boolean;
  /**
   * Gives the numbers of `scan` one by one, NaN for a row without a vector. To be used before the next call
   * for another query.
   */
  scorer(query: Float32Array): (row: number) => number;
}
