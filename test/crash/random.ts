const SYLLABLES = [
  "ba",
  "ko",
  "du",
  "mi",
  "ra",
  "ve",
  "lo",
  "nu",
  "ta",
  "pi",
  "go",
  "fu",
  "wa",
  "zo",
  "ki",
  "mo",
] as const;

/** Random choices that can be repeated with the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer with least <= x <= most. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!;
  }

  /** Returns at most `count` of them, in random order. */
  sample<T>(from: readonly T[], count: number): T[] {
    return from
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ item }) => item);
  }

  /** Returns the seed for another source. */
  seed(): number {
    return this.integer(0, 2 ** 32 - 1);
  }

  /** Returns an artificial word that occurs nowhere else. */
  word(): string {
    return `${Array.from({ length: 6 }, () => this.pick(SYLLABLES)).join("")}x`;
  }
}
