/** Values by name; the least recently used ones are evicted. */
export class LruCache<V> {
  readonly #most: number;
  /** In order of use, the most recent last. */
  readonly #kept = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): V | undefined {
    const value = this.#kept.get(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }

  delete(name: string): void {
    this.#kept.delete(name);
  }

  set(name: string, value: V): void {
    this.#kept.delete(name);
    this.#kept.set(name, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
  }
}
