import { itemAt } from "../../base/expect.ts";
import { grow } from "../../base/grow.ts";
import { halvesOf, type Terms } from "../terms.ts";
import { PostingLists } from "./posting-lists.ts";

const SIZE_CLASSES = 32;

/**
 * Mutable posting lists in typed arrays. All lists share one pool; each has a run whose length is a power of
 * two, doubled when full. Freed runs are reused. Takes six bytes per posting, and nine per term plus its
 * dictionary entry.
 */
export class Postings extends PostingLists implements Terms {
  readonly #ids = new Map<string, number>();
  /** Per term: start of its run in the pool, number of postings, and size of the run as a power of two. */
  #start = new Uint32Array(0);
  #count = new Uint32Array(0);
  #class = new Uint8Array(0);
  /** The pool of all runs. */
  #rows = new Uint32Array(0);
  #weights = new Uint16Array(0);
  #used = 0;
  /** Free runs by size class. */
  readonly #free: number[][] = Array.from({ length: SIZE_CLASSES }, () => []);

  /** Approximate memory in bytes, with an estimate for the dictionary. */
  get bytes(): number {
    return (
      this.#rows.byteLength +
      this.#weights.byteLength +
      this.#start.byteLength * 2 +
      this.#class.byteLength +
      this.#ids.size * 64
    );
  }

  get size(): number {
    return this.#ids.size;
  }

  names(): Iterable<string> {
    return this.#ids.keys();
  }

  rowsOf(term: number): Uint32Array {
    const start = this.#startOf(term);
    return this.#rows.subarray(start, start + this.#countOf(term));
  }

  weightsOf(term: number): Uint16Array {
    const start = this.#startOf(term);
    return this.#weights.subarray(start, start + this.#countOf(term));
  }

  add(row: number, terms: ReadonlyMap<string, number>): void {
    for (const [term, weight] of terms) {
      const id = this.#idOf(term);
      const at = this.#roomFor(id);
      this.#rows[at] = row;
      this.#weights[at] = halvesOf(weight);
    }
  }

  protected numberOf(term: string): number {
    return this.#ids.get(term) ?? -1;
  }

  /** Returns a copy with new row numbers; drops rows for which `renumber` is -1. */
  renumbered(renumber: Int32Array): Postings {
    const kept = new Postings();
    for (const [term, id] of this.#ids) {
      const rows = this.rowsOf(id);
      const weights = this.weightsOf(id);
      for (let at = 0; at < rows.length; at++) {
        const row = renumber[rows[at]!]!;
        if (row < 0) continue;
        const place = kept.#roomFor(kept.#idOf(term));
        kept.#rows[place] = row;
        kept.#weights[place] = weights[at]!;
      }
    }
    return kept;
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(term, id);
    this.#start = grow(this.#start, id + 1);
    this.#count = grow(this.#count, id + 1);
    this.#class = grow(this.#class, id + 1);
    this.#start[id] = this.#run(0);
    return id;
  }

  /** Returns the position for one more posting of a term. */
  #roomFor(id: number): number {
    const count = this.#countOf(id);
    const size = this.#class[id]!;
    if (count === 1 << size) {
      const from = this.#startOf(id);
      const to = this.#run(size + 1);
      this.#rows.copyWithin(to, from, from + count);
      this.#weights.copyWithin(to, from, from + count);
      itemAt(this.#free, size).push(from);
      this.#start[id] = to;
      this.#class[id] = size + 1;
    }
    this.#count[id] = count + 1;
    return this.#startOf(id) + count;
  }

  #startOf(id: number): number {
    return this.#start[id]!;
  }

  #countOf(id: number): number {
    return this.#count[id]!;
  }

  #run(size: number): number {
    const reused = itemAt(this.#free, size).pop();
    if (reused !== undefined) return reused;
    const start = this.#used;
    this.#used += 1 << size;
    this.#rows = grow(this.#rows, this.#used);
    this.#weights = grow(this.#weights, this.#used);
    return start;
  }
}
