import type { Parsed } from "../parsed.ts";

/**
 * Maximum characters in memory. An import parses a file, and shortly afterwards the job for its layers needs
 * the result again.
 */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Recently parsed files, by account and everything that affects parsing; the oldest are dropped first. */
export class RecentParses {
  readonly #kept = new Map<string, Parsed>();
  #length = 0;

  /** Returns a cached result and removes it, so that a third read parses again. */
  take(key: string): Parsed | undefined {
    const parsed = this.#kept.get(key);
    if (parsed) this.#drop(key, parsed);
    return parsed;
  }

  keep(key: string, parsed: Parsed): void {
    this.take(key);
    this.#kept.set(key, parsed);
    this.#length += parsed.text.length;
    for (const [oldest, value] of this.#kept) {
      if (this.#length <= MAX_LENGTH) return;
      this.#drop(oldest, value);
    }
  }

  #drop(key: string, parsed: Parsed): void {
    this.#kept.delete(key);
    this.#length -= parsed.text.length;
  }
}
