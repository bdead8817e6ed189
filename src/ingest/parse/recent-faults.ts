/** Maximum number of entries; above it, the oldest are dropped. */
const MAX_FAULTS = 1000;

/** Recent parse failures, by everything that affects parsing. */
export class RecentFaults {
  readonly #reasons = new Map<string, string>();

  reasonOf(key: string): string | undefined {
    return this.#reasons.get(key);
  }

  keep(key: string, reason: string): void {
    this.#reasons.delete(key);
    this.#reasons.set(key, reason);
    if (this.#reasons.size > MAX_FAULTS)
      for (const oldest of this.#reasons.keys()) return void this.#reasons.delete(oldest);
  }
}
