/** Delays other writers while a large change is prepared on a stable tree. Readers never wait. */
export class WriteGate {
  #held: Promise<void> | undefined;

  /** Must be awaited before a change is decided; undefined while the gate is open. */
  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /** Runs changes one at a time while the gate is closed. `change` must not wait for another change. */
  async hold<T>(change: () => Promise<T>): Promise<T> {
    while (this.#held) await this.#held;
    let open = (): void => undefined;
    this.#held = new Promise((resolve) => {
      open = resolve;
    });
    try {
      return await change();
    } finally {
      this.#held = undefined;
      open();
    }
  }
}
