/**
 * Background tasks, one at a time in the order of arrival. Callers bound the number of pending tasks (each
 * has at most one).
 */
export class SerialExecutor {
  readonly #stop = new AbortController();
  readonly #failed: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  /** `failed` is called with the errors of tasks. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /**
   * Tasks yield to others by themselves (see event-loop.ts) and end soon after the signal. Resolves when the
   * task has ended, in whatever way.
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

  /** Resolves when nothing is pending. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.#last; ) {
      seen = this.#last;
      await seen;
    }
  }

  /** Ends the running task and the waiting ones. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#last;
  }
}
