/** Keeps the keys with the highest scores among many, in constant memory. */
export class BestKeys {
  readonly #size: number;
  constructor(size: number) {
    this.#size = size;
  }

  /** Offers a key, which is kept if its score is among the best. */
  offer(key: number, score: number): void {
    this.#up(key, score);
  }

  /** Returns the keys, best first. */
  keys(): number[] {
    return [];
  }

  #up(key: number, score: number): void {}
}
