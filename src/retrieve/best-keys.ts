/**
 * The best `depth` of the keys offered, each key once with its best score: a heap whose root is the worst kept. Keys are whole numbers.
 */
export class BestKeys {
  /** Offers that are not above it change nothing; callers in long loops look here first. */
  floor: number;
  readonly #depth: number;
  /** By slot: a key keeps its slot until another one takes it. */
  readonly #keys: number[] = [];
  readonly #scores: number[] = [];
  readonly #places: number[] = [];
  /** Keys that lost their slot stay in it: `#keys` tells, and deleting would cost as much as all the rest. */
  readonly #slots = new Map<number, number>();
  /** Slots, as a binary heap. */
  readonly #heap: number[] = [];

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
    const slot = this.#slotOf(key);
    if (slot >= 0) {
      if (score > this.#scores[slot]!) {
        this.#scores[slot] = score;
        this.#down(slot, this.#places[slot]!);
      }
    } else if (this.#keys.length < this.#depth) {
      this.#take(key, score, this.#keys.length);
      this.#up(this.#keys.length - 1);
    } else {
      const worst = this.#heap[0]!;
      this.#take(key, score, worst);
      this.#down(worst, 0);
    }
    if (this.#keys.length === this.#depth) this.floor = this.#scores[this.#heap[0]!]!;
    return slot < 0;
  }

  /** In no order. */
  keys(): readonly number[] {
    return this.#keys;
  }

  #slotOf(key: number): number {
    const slot = this.#slots.get(key);
    return slot !== undefined && this.#keys[slot] === key ? slot : -1;
  }

  #take(key: number, score: number, slot: number): void {
    this.#keys[slot] = key;
    this.#scores[slot] = score;
    this.#slots.set(key, slot);
  }

  #up(slot: number): void {
    const score = this.#scores[slot]!;
    let place = slot;
    while (place > 0) {
      const above = this.#heap[(place - 1) >> 1]!;
      if (this.#scores[above]! <= score) break;
      this.#put(place, above);
      place = (place - 1) >> 1;
    }
    this.#put(place, slot);
  }

  #down(slot: number, from: number): void {
    const size = this.#heap.length;
    const score = this.#scores[slot]!;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#scores[this.#heap[child + 1]!]! < this.#scores[this.#heap[child]!]!) child++;
      if (this.#scores[this.#heap[child]!]! >= score) break;
      this.#put(place, this.#heap[child]!);
      place = child;
    }
    this.#put(place, slot);
  }

  #put(place: number, slot: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place;
  }
}
