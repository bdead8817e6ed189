/**
 * The best `depth` of the keys offered, each key once with its best score: a heap whose root is the worst kept. Keys are whole numbers.
 */
export class BestKeys {
  /** Offers that are not above it change nothing; callers in long loops look here first. */
  floor: number;
  readonly #depth: number;
  readonly #keys: number[] = [];
  readonly #scores: number[] = [];
  readonly #places = new Map<number, number>();

  /** Only scores above `floor` are kept. */
  constructor(depth: number, floor = Number.NEGATIVE_INFINITY) {
    this.#depth = depth;
    this.floor = floor;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** True if the key is new among the best. */
  offer(key: number, score: number): boolean {
    if (!(score > this.floor) || this.#depth === 0) return false;
    const place = this.#places.get(key);
    if (place !== undefined) {
      if (score > this.#scores[place]!) this.#down(key, score, place);
    } else if (this.#keys.length < this.#depth) {
      this.#up(key, score, this.#keys.length);
    } else {
      this.#places.delete(this.#keys[0]!);
      this.#down(key, score, 0);
    }
    if (this.#keys.length === this.#depth) this.floor = this.#scores[0]!;
    return place === undefined;
  }

  /** Best first; among equals the smaller key. */
  ordered(): number[] {
    return this.#keys
      .map((key, place) => ({ key, score: this.#scores[place]! }))
      .sort((a, b) => b.score - a.score || a.key - b.key)
      .map(({ key }) => key);
  }

  #up(key: number, score: number, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#scores[parent]! <= score) break;
      this.#put(place, this.#keys[parent]!, this.#scores[parent]!);
      place = parent;
    }
    this.#put(place, key, score);
  }

  #down(key: number, score: number, from: number): void {
    const size = this.#keys.length;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#scores[child + 1]! < this.#scores[child]!) child++;
      if (this.#scores[child]! >= score) break;
      this.#put(place, this.#keys[child]!, this.#scores[child]!);
      place = child;
    }
    this.#put(place, key, score);
  }

  #put(place: number, key: number, score: number): void {
    this.#keys[place] = key;
    this.#scores[place] = score;
    this.#places.set(key, place);
  }
}
