import type { Clock } from "../../../base/clock.ts";

/** Maximum number of entries; above it, the oldest are dropped. */
const MAX_FAULTS = 1000;
/** How long a failure is kept, in ms. On a busy machine, even a harmless file may exceed the time limit. */
const LIFE_MS = 10 * 60_000;

interface Fault {
  readonly reason: string;
  readonly until: number;
}

/** Recent parse failures, by everything that affects parsing. */
export class RecentFaults {
  readonly #faults = new Map<string, Fault>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  reasonOf(key: string): string | undefined {
    const fault = this.#faults.get(key);
    if (fault !== undefined && fault.until > this.#clock()) return fault.reason;
    this.#faults.delete(key);
    return undefined;
  }

  keep(key: string, reason: string): void {
    this.#faults.delete(key);
    this.#faults.set(key, { reason, until: this.#clock() + LIFE_MS });
    if (this.#faults.size > MAX_FAULTS)
      for (const oldest of this.#faults.keys()) return void this.#faults.delete(oldest);
  }
}
