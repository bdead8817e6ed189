import { MAX_WEIGHT } from "../domain/chunk.ts";

/** Weights are stored as integers in units of one half. */
export const HALVES = 2;

export const halvesOf = (weight: number): number => Math.round(Math.min(weight, MAX_WEIGHT) * HALVES);

/**
 * Postings of one partition. A chunk is identified by its row: an integer from 0, assigned by the chunk table
 * and never reused. `live` is a mask by row (1 = live); if given, other rows are skipped. In memory and
 * synchronous.
 */
export interface Terms extends TermScores {
  /**
   * Adds a row with the weights of its terms (multiples of .5, above 0, at most MAX_WEIGHT). Each row may be
   * added only once.
   */
  add(row: number, terms: ReadonlyMap<string, number>): void;
}

/**
 * Maximum number of rows of the rarest term that are searched for other terms; words that are more frequent
 * carry little information.
 */
export const MAX_HOLDERS = 8192;

/** The rows that contain a term, live or not. */
export interface PostingList {
  /** In ascending order. */
  readonly rows: Uint32Array;
  /** Weights in units of 0.5, in the order of `rows`. */
  readonly weights: Uint16Array;
}

/** Read access to postings for searches. */
export interface TermScores {
  /**
   * Postings of a term as views that are valid only until the next change; undefined if no row has the term.
   */
  list(term: string): PostingList | undefined;
  /**
   * Finds live rows with all of the terms (at least one is required): the first `most`, among MAX_HOLDERS
   * rows of the rarest term.
   */
  holders(terms: readonly string[], live: Uint8Array, most: number): number[];
  /**
   * For each live row with the term, adds its weight to the sum of the row's group; skips rows of group -1.
   * Appends groups whose sum was 0 to `touched` at position `count`, and returns the new count. `groups`: by
   * row; `sums`: by group; `touched`: room for all groups.
   */
  sum(
    term: string,
    live: Uint8Array,
    groups: Int32Array,
    sums: Float32Array,
    touched: Int32Array,
    count: number,
  ): number;
}
