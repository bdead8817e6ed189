import { MAX_WEIGHT } from "../domain/chunk.ts";

/** Weights are stored as whole numbers of halves. */
export const HALVES = 2;

export const halvesOf = (weight: number): number => Math.round(Math.min(weight, MAX_WEIGHT) * HALVES);

/**
 * Postings of one partition. Documents are rows: whole numbers from 0, assigned by the document table, never
 * reused. `live` is a mask by row (1 = counts); if given, rows outside it are skipped. All in memory and
 * synchronous.
 */
export interface Terms extends TermScores {
  /**
   * Adds a row with its terms and weights (multiples of .5, above 0, at most MAX_WEIGHT). Each row only once.
   */
  add(row: number, terms: ReadonlyMap<string, number>): void;
}

/** Limit of rows that are searched for those with several terms; more frequent words are uninformative. */
export const MAX_HOLDERS = 8192;

/** The rows with a term, live or not. */
export interface PostingList {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Parallel to `rows`: the weights of the term, in halves. */
  readonly weights: Uint16Array;
}

/** Postings as searches read them. */
export interface TermScores {
  /** The postings of a term as views, to be read immediately; undefined if no row has it. */
  list(term: string): PostingList | undefined;
  /**
   * Live rows that have all of the terms (at least one given): the first `most` of them, among MAX_HOLDERS
   * rows of the rarest term.
   */
  holders(terms: readonly string[], live: Uint8Array, most: number): number[];
  /**
   * Adds the weight of the term in each live row to the sum of the row's group; rows of group -1 are skipped.
   * Groups whose sum was 0 are appended to `touched` from position `count` on; returns the new count.
   * `groups` by row, `sums` by group, `touched` has room for all groups.
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
