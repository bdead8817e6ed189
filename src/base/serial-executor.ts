/**
 * Work that nobody waits for, one piece at a time in the order of its coming: what is pending is bounded by
 * those who ask (each at most once).
 */
export class SerialExecutor {
  readonly #stop = new AbortController();
  readonly #failed: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  /** `failed` hears of what a task threw. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /**
   * Tasks give way to others by themselves (see Turns) and end soon after the signal. The answer comes when
   * the task has ended, however it did.
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

  /** Ends the task under way and those that wait. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#last;
  }
}
