import type { LengthNorm } from "../domain/score.ts";

/**
 * Postings of one partition. Documents are rows: whole numbers from 0, given by the owner of the document table, never reused.
 * `live` is a mask by row (1 = counts); rows outside it are passed over by every method. Everything is in memory and synchronous.
 */
export interface Terms extends TermScores {
  /** Adds a row with its terms and weights (multiples of .5, above 0, at most MAX_WEIGHT). Each row once. */
  add(row: number, terms: ReadonlyMap<string, number>): void;
}

/** Rows among which those that hold several terms are looked for; a word of more rows says little. */
export const MAX_HOLDERS = 8192;

/** What a search asks of postings. */
export interface TermScores {
  /** How many live rows hold the term. */
  frequency(term: string, live: Uint8Array): number;
  /**
   * Adds what the term brings (domain/score.ts termScore) to the score of each live row that holds it. `lengths` by row, `saturation` as in termScore.
   * Answers the highest of these scores, 0 if no live row holds the term.
   */
  accumulate(term: string, live: Uint8Array, saturation: number, norm: LengthNorm, lengths: Float32Array, scores: Float32Array): number;
  /** Live rows that hold every one of the terms, at least one of them given: the first `most` of them, looked for among MAX_HOLDERS rows of the rarest term. */
  holders(terms: readonly string[], live: Uint8Array, most: number): number[];
  /**
   * Adds the weight of the term in each live row to the sum of the row's group; rows of group -1 are passed over. Groups whose sum was 0 are written to
   * `touched` from place `count` on; answers how many are there now. `groups` by row, `sums` by group, `touched` has room for all groups.
   */
  sum(term: string, live: Uint8Array, groups: Int32Array, sums: Float32Array, touched: Int32Array, count: number): number;
}
