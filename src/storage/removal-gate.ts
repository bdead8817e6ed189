/** Runs removals, or delays them while a holder needs the data. */
export class RemovalGate {
  readonly #running = new Set<Promise<unknown>>();
  #holders = 0;
  #closed: Promise<void> | undefined;
  #open: () => void = () => undefined;

  /** Runs a removal once there is no holder. */
  async pass<T>(removal: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    const running = removal();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Closes the gate until the returned function is called. Resolves once no removal is running. */
  async hold(): Promise<() => void> {
    this.#holders++;
    this.#closed ??= new Promise((resolve) => {
      this.#open = resolve;
    });
    await Promise.allSettled(this.#running);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--this.#holders > 0) return;
      this.#closed = undefined;
      this.#open();
    };
  }
}
