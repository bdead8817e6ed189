/** Data in memory that can be reloaded from the store. */
export interface Cached {
  /** Memory held now, roughly. */
  readonly bytes: number;
  /** Releases the memory; false if that is impossible now, or while `used` is a part of it. */
  evict(used?: Cached): boolean;
}

/** Bounds the memory of loaded indexes: evicts the least recently used, never the last one used. */
export class IndexCache {
  readonly #maxBytes: number;
  /** The least recently used first, with the estimated bytes of each. */
  readonly #items = new Map<Cached, number>();
  #bytes = 0;
  /** The most recently used index. */
  #used: Cached | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Memory reckoned for all. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Marks an item as loaded and in use; may evict others. */
  touch(item: Cached): void {
    const { bytes } = item;
    if (this.#used === item && this.#items.get(item) === bytes) return;
    this.forget(item);
    this.#used = item;
    this.#items.set(item, bytes);
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#evict(item);
  }

  /** It is no longer in memory. */
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
