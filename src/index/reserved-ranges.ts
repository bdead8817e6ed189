import { itemAt } from "../base/expect.ts";

interface Reserved {
  first: number;
  end: number;
  left: number;
}

/**
 * Maximum number of separate ranges. Above it, the two oldest are merged; the result only covers more numbers
 * than necessary.
 */
const MAX_RANGES = 1024;

/** Reserved numbers whose records have not been seen yet. The records may arrive in any order. */
export class ReservedRanges {
  readonly #ranges: Reserved[] = [];

  open(first: number, count: number): void {
    this.#ranges.push({ first, end: first + count, left: count });
    if (this.#ranges.length > MAX_RANGES) this.#join();
  }

  /** Removes a number whose record has arrived. */
  fill(number: number): void {
    const at = this.#ranges.findIndex(({ first, end }) => number >= first && number < end);
    if (at >= 0 && --itemAt(this.#ranges, at).left === 0) this.#ranges.splice(at, 1);
  }

  /** Releases a range of which no more numbers will be used. */
  close(first: number, count: number): void {
    const at = this.#ranges.findIndex((range) => range.first === first && range.end === first + count);
    if (at >= 0) this.#ranges.splice(at, 1);
  }

  /** Reserved numbers below `end`, as ranges. */
  below(end: number): [first: number, count: number][] {
    return this.#ranges
      .filter(({ first }) => first < end)
      .map((range) => [range.first, Math.min(range.end, end) - range.first]);
  }

  /** Merges the two oldest ranges. The numbers between them are never released. */
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
