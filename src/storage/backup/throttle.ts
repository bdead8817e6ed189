import { setTimeout as delay } from "node:timers/promises";

/** Longest single wait in ms, so that a stop is noticed. */
const MAX_WAIT_MS = 1000;

/** Spreads reads and writes of a background task over time. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #signal: AbortSignal;
  /** Time in ms (monotonic) at which everything taken so far is done at the full rate. */
  #dueAt = 0;

  constructor(bytesPerSecond: number, signal: AbortSignal) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#signal = signal;
  }

  /** Resolves when so many bytes may be moved; rejects with the signal's reason. */
  async take(bytes: number): Promise<void> {
    this.#signal.throwIfAborted();
    this.#dueAt = Math.max(this.#dueAt, performance.now()) + bytes / this.#bytesPerMs;
    for (;;) {
      const ahead = this.#dueAt - performance.now() - bytes / this.#bytesPerMs;
      if (ahead <= 1) return;
      await delay(Math.min(ahead, MAX_WAIT_MS), undefined, { signal: this.#signal });
    }
  }
}
