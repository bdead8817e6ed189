/** Divides long work on the main thread, so that others have their turn: after every `budget` of work the event loop goes round once. */
export class YieldBudget {
  readonly #budget: number;
  readonly #signal: AbortSignal | undefined;
  #left: number;

  /** `budget` in whatever unit `spend` is told; an aborted `signal` ends the work at its next turn. */
  constructor(budget: number, signal?: AbortSignal) {
    this.#budget = budget;
    this.#signal = signal;
    this.#left = budget;
  }

  /** What was done since the last call; wait for the answer, if there is one, before going on. */
  spend(work: number): Promise<void> | undefined {
    this.#left -= work;
    return this.#left > 0 ? undefined : this.#turn();
  }

  async #turn(): Promise<void> {
    this.#left = this.#budget;
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
  }
}
