/** Minimum table size, and positions per key. */
const MIN_PLACES = 64;
const PLACES_PER_KEY = 4;

/**
 * The `depth` best keys, each once with its best score: a heap with the worst of them at the root. Keys are
 * integers.
 */
export class TopK {
  /** Offers that do not exceed it have no effect; long loops should check it first. */
  floor: number;
  readonly #depth: number;
  /** By slot: a key keeps its slot until another one replaces it. */
  readonly #keys: number[] = [];
  readonly #scores: number[] = [];
  readonly #places: number[] = [];
  /** Open hash table of the keys' slots + 1 (0: free). */
  #table = new Int32Array(MIN_PLACES);
  /** Slots as a binary heap. */
  readonly #heap: number[] = [];

  /** Only scores above `floor` are accepted. */
  constructor(depth: number, floor = Number.NEGATIVE_INFINITY) {
    this.#depth = depth;
    this.floor = floor;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Adds the key if its score is among the best; returns whether it was added. */
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

  /** Unordered. */
  keys(): readonly number[] {
    return this.#keys;
  }

  #slotOf(key: number): number {
    const mask = this.#table.length - 1;
    for (let at = homeOf(key, mask); this.#table[at] !== 0; at = (at + 1) & mask) {
      const slot = this.#table[at]! - 1;
      if (this.#keys[slot] === key) return slot;
    }
    return -1;
  }

  /** `slot`: the next free slot, or that of a replaced key. */
  #take(key: number, score: number, slot: number): void {
    if (slot < this.#keys.length) this.#forget(this.#keys[slot]!);
    this.#keys[slot] = key;
    this.#scores[slot] = score;
    if (this.#keys.length * PLACES_PER_KEY > this.#table.length) {
      this.#table = new Int32Array(this.#table.length * 2);
      for (let known = 0; known < this.#keys.length; known++) this.#note(known);
    } else this.#note(slot);
  }

  #note(slot: number): void {
    const mask = this.#table.length - 1;
    let at = homeOf(this.#keys[slot]!, mask);
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = slot + 1;
  }

  /** Deletes a key. Later entries of its chain move up, so that lookups still find them. */
  #forget(key: number): void {
    const mask = this.#table.length - 1;
    let free = homeOf(key, mask);
    while (this.#keys[this.#table[free]! - 1] !== key) free = (free + 1) & mask;
    for (let at = (free + 1) & mask; this.#table[at] !== 0; at = (at + 1) & mask) {
      const entry = this.#table[at]!;
      const home = homeOf(this.#keys[entry - 1]!, mask);
      if (((at - home) & mask) < ((at - free) & mask)) continue;
      this.#table[free] = entry;
      free = at;
    }
    this.#table[free] = 0;
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
      let below = this.#heap[child]!;
      let least = this.#scores[below]!;
      if (child + 1 < size) {
        const other = this.#heap[child + 1]!;
        const otherScore = this.#scores[other]!;
        if (otherScore < least) {
          below = other;
          least = otherScore;
          child++;
        }
      }
      if (least >= score) break;
      this.#put(place, below);
      place = child;
    }
    this.#put(place, slot);
  }

  #put(place: number, slot: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place;
  }
}

/** Home slot of a key; spreads consecutive keys. */
const homeOf = (key: number, mask: number): number => (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
