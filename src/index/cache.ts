/** Data in memory that can be reloaded from the store. */
export interface Cached {
  /** Approximate memory in bytes. */
  readonly bytes: number;
  /** Releases the memory; false if that is impossible now, or if `used` is part of this item. */
  evict(used?: Cached): boolean;
}

/** Bounds the memory of loaded indexes: evicts the least recently used ones, but never the last one used. */
export class IndexCache {
  readonly #maxBytes: number;
  /** Estimated bytes of each item, least recently used first. */
  readonly #items = new Map<Cached, number>();
  #bytes = 0;
  /** The most recently used index. */
  #used: Cached | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Estimated memory of all items in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Marks an item as loaded and in use. May evict others. */
  touch(item: Cached): void {
    const { bytes } = item;
    if (this.#used === item && this.#items.get(item) === bytes) return;
    this.forget(item);
    this.#used = item;
    this.#items.set(item, bytes);
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#evict(item);
  }

  /** Removes an item that is no longer in memory. */
  forget(item: Cached): void {
    this.#bytes -= this.#items.get(item) ?? 0;
    this.#items.delete(item);
    if (this.#used === item) this.#used = undefined;
  }

  #evict(used: Cached): void {
    for (const item of [...this.#items.keys()]) {
      if (this.#bytes <= this.#maxBytes) return;
      if (item !== used && item.evict(used)) this.forget(item);
    }
  }
}
