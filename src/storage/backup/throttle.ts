import { setTimeout as delay } from "node:timers/promises";

/** Maximum single wait in ms, so that a stop is noticed. */
const MAX_WAIT_MS = 1000;

/** Limits the transfer rate of a background task. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #signal: AbortSignal;
  /** Monotonic time in ms at which all bytes so far would be transferred at the full rate. */
  #dueAt = 0;

  constructor(bytesPerSecond: number, signal: AbortSignal) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#signal = signal;
  }

  /** Waits until this many bytes may be transferred; rejects with the signal's reason. */
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
