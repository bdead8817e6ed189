import type { Parsed } from "./parsed.ts";

/** Limit of characters: an import reads a file, and shortly after it the job that makes its layers. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Recently read files, by account and everything that affects the reading; the oldest are dropped first. */
export class RecentParses {
  readonly #kept = new Map<string, Parsed>();
  #length = 0;

  /** Returns a cached result once and forgets it: a third read parses again. */
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
