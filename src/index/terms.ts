import { MAX_WEIGHT } from "../domain/chunk.ts";

/** Weights are kept as whole numbers of halves. */
export const HALVES = 2;

export const halvesOf = (weight: number): number => Math.round(Math.min(weight, MAX_WEIGHT) * HALVES);

/**
 * Postings of one partition. Documents are rows: whole numbers from 0, given by the owner of the document
 * table, never reused. `live` is a mask by row (1 = counts); rows outside it are passed over where it is
 * given. Everything is in memory and synchronous.
 */
export interface Terms extends TermScores {
  /** Adds a row with its terms and weights (multiples of .5, above 0, at most MAX_WEIGHT). Each row once. */
  add(row: number, terms: ReadonlyMap<string, number>): void;
}

/** Rows among which those that hold several terms are looked for; a word of more rows says little. */
export const MAX_HOLDERS = 8192;

/** The rows that hold a term, live or not. */
export interface PostingList {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Beside them the weights of the term, in halves. */
  readonly weights: Uint16Array;
}

/** Postings as searches read them. */
export interface TermScores {
  /** The postings of a term as they lie in memory, to be read at once; undefined where no row holds it. */
  list(term: string): PostingList | undefined;
  /**
   * Live rows that hold every one of the terms, at least one of them given: the first `most` of them, looked
   * for among MAX_HOLDERS rows of the rarest term.
   */
  holders(terms: readonly string[], live: Uint8Array, most: number): number[];
  /**
   * Adds the weight of the term in each live row to the sum of the row's group; rows of group -1 are passed
   * over. Groups whose sum was 0 are written to `touched` from place `count` on; answers how many are there
   * now. `groups` by row, `sums` by group, `touched` has room for all groups.
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
