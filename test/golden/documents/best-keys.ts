/**
 * Keeps the keys with the highest scores among many, in memory that does not grow.
 */
export class BestKeys {
  readonly #size: number;
  constructor(size: number) {
    this.#size = size;
  }

  /** Offers a key; it stays if its score is among the best. */
  offer(key: number, score: number): void {
    this.#up(key, score);
  }

  /** The keys, best first. */
  keys(): number[] {
    return [];
  }

  #up(key: number, score: number): void {}
}
