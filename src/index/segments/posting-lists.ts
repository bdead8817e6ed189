import { HALVES, MAX_HOLDERS, type PostingList, type TermScores } from "../terms.ts";
import { placeIn } from "./ascending.ts";

/** Posting lists by term number: search and rewriting, independent of the storage layout. */
export abstract class PostingLists implements TermScores {
  /** Number of terms, which are numbered from 0. */
  abstract readonly size: number;
  /** Approximate memory in bytes. */
  abstract readonly bytes: number;
  /** Terms in the order of their numbers. */
  abstract names(): Iterable<string>;
  /** -1 if no list exists for the term. */
  protected abstract numberOf(term: string): number;
  /** Rows of a list in ascending order, as a view that is valid only until the next change. */
  abstract rowsOf(term: number): Uint32Array;
  /** Weights in units of 0.5, in the order of `rowsOf`. */
  abstract weightsOf(term: number): Uint16Array;

  list(term: string): PostingList | undefined {
    const found = this.numberOf(term);
    return found < 0 ? undefined : { rows: this.rowsOf(found), weights: this.weightsOf(found) };
  }

  holders(terms: readonly string[], live: Uint8Array, most: number): number[] {
    const lists: Uint32Array[] = [];
    for (const term of terms) {
      const found = this.numberOf(term);
      if (found < 0) return [];
      lists.push(this.rowsOf(found));
    }
    const [rarest, ...others] = lists.sort((a, b) => a.length - b.length);
    const held: number[] = [];
    for (const row of rarest?.subarray(0, MAX_HOLDERS) ?? []) {
      if (held.length >= most) break;
      if (live[row] === 1 && others.every((rows) => placeIn(rows, row) >= 0)) held.push(row);
    }
    return held;
  }

  sum(
    term: string,
    live: Uint8Array,
    groups: Int32Array,
    sums: Float32Array,
    touched: Int32Array,
    count: number,
  ): number {
    const found = this.numberOf(term);
    if (found < 0) return count;
    const rows = this.rowsOf(found);
    const weights = this.weightsOf(found);
    let end = count;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const group = groups[row]!;
      if (group < 0 || live[row] !== 1) continue;
      const before = sums[group]!;
      if (before === 0) touched[end++] = group;
      sums[group] = before + weights[at]! / HALVES;
    }
    return end;
  }
}
