/**
 * Serializes tasks with the same key; tasks with different keys run concurrently. Idle keys use no memory.
 */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #shared = new Map<string, Set<Promise<unknown>>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const alone = async () => {
      const shared = this.#shared.get(key);
      if (shared) await Promise.allSettled(shared);
      return task();
    };
    const mine = before.then(alone, alone);
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }

  /** Runs a task concurrently with other shared tasks of the key, but never while a task of `run` runs. */
  async share<T>(key: string, task: () => Promise<T>): Promise<T> {
    for (let alone = this.#tails.get(key); alone; alone = this.#tails.get(key))
      await alone.catch(() => undefined);
    const mine = task();
    const shared = this.#shared.get(key) ?? new Set();
    this.#shared.set(key, shared.add(mine));
    try {
      return await mine;
    } finally {
      shared.delete(mine);
      if (shared.size === 0 && this.#shared.get(key) === shared) this.#shared.delete(key);
    }
  }
}
