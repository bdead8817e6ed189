import { itemAt } from "../base/expect.ts";

interface Reserved {
  first: number;
  end: number;
  left: number;
}

/** Limit of separate ranges; above it the two oldest are merged, which only covers more than necessary. */
const MAX_RANGES = 1024;

/**
 * Numbers that were reserved and whose records have not been seen yet: they may still arrive, in any order.
 */
export class ReservedRanges {
  readonly #ranges: Reserved[] = [];

  open(first: number, count: number): void {
    this.#ranges.push({ first, end: first + count, left: count });
    if (this.#ranges.length > MAX_RANGES) this.#join();
  }

  /** The record of a number has arrived. */
  fill(number: number): void {
    const at = this.#ranges.findIndex(({ first, end }) => number >= first && number < end);
    if (at >= 0 && --itemAt(this.#ranges, at).left === 0) this.#ranges.splice(at, 1);
  }

  /** Releases the range: no more of its numbers will be used. */
  close(first: number, count: number): void {
    const at = this.#ranges.findIndex((range) => range.first === first && range.end === first + count);
    if (at >= 0) this.#ranges.splice(at, 1);
  }

  /** Open numbers below a number. */
  below(end: number): [first: number, count: number][] {
    return this.#ranges
      .filter(({ first }) => first < end)
      .map((range) => [range.first, Math.min(range.end, end) - range.first]);
  }

  /** Merging ranges: the numbers between them are never released. */
  #join(): void {
    const [a, b] = this.#ranges;
    if (!a || !b) return;
    this.#ranges.splice(0, 2, {
      first: Math.min(a.first, b.first),
      end: Math.max(a.end, b.end),
      left: Number.POSITIVE_INFINITY,
    });
  }
}
