/**
 * Runs background tasks one at a time, in order of arrival. Callers bound the number of pending tasks (at
 * most one each).
 */
export class SerialExecutor {
  readonly #stop = new AbortController();
  readonly #failed: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  /** `failed` is called with the error of a failed task. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /**
   * Tasks must yield to the event loop (event-loop.ts) and end soon after the signal aborts. Resolves when
   * the task has ended, even if it failed.
   */
  run(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    this.#last = this.#last
      .then(() => (signal.aborted ? undefined : task(signal)))
      .catch((error) => {
        if (!signal.aborted) this.#failed(error);
      });
    return this.#last;
  }

  /** Resolves when no task is pending. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.#last; ) {
      seen = this.#last;
      await seen;
    }
  }

  /** Aborts the running task and drops the waiting ones. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#last;
  }
}
