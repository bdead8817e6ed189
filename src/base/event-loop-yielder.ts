/** Longest stretch in ms that a long computation keeps the event loop for itself. */
const STRETCH_MS = 8;

/** Gives others their turn by the clock in the midst of long work: call `rest` between steps of a millisecond or less. */
export class EventLoopYielder {
  #began = performance.now();

  /** Goes through steps of a millisecond or less, resting between them; what they return. */
  async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.yieldIfDue();
    }
  }

  /** Resolves at once while the stretch is short, else after everybody else had a turn. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#began < STRETCH_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
