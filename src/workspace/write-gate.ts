/**
 * Holds other writers back while one large change is prepared over a stable tree. Readers never wait.
 */
export class WriteGate {
  #held: Promise<void> | undefined;

  /** To be waited for before a change is decided; undefined while the gate is open. */
  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /**
   * Runs `change` behind the closed gate, one after the other. It must not wait for a change of anybody else.
   */
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
