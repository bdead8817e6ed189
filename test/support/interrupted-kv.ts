import { RamKv } from "../../src/storage/ram/ram-kv.ts";

/**
 * Turns of the event loop that what comes in between is given; a change that waits for the one it interrupts
 * goes on behind it.
 */
const TURNS = 40;

/** A store before one of whose changes something else happens. */
export class InterruptedKv extends RamKv {
  #left: number | undefined;
  #interrupt: () => Promise<unknown> = async () => undefined;
  #interrupting: Promise<unknown> | undefined;

  /** `interrupt` is to happen before the change of this number, from 0, counted from now on. */
  interruptAt(change: number, interrupt: () => Promise<unknown>): void {
    this.#left = change;
    this.#interrupt = interrupt;
    this.#interrupting = undefined;
  }

  /** Whether there were as many changes; what happened in between is over then. */
  async wasInterrupted(): Promise<boolean> {
    this.#left = undefined;
    await this.#interrupting;
    return this.#interrupting !== undefined;
  }

  override transact<T>(...change: Parameters<typeof RamKv.prototype.transact<T>>): Promise<T> {
    if (this.#left === undefined || this.#left-- > 0) return super.transact(...change);
    this.#left = undefined;
    return this.#between().then(() => super.transact(...change));
  }

  async #between(): Promise<void> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    this.#interrupting = this.#interrupt();
    this.#interrupting.then(end, end);
    for (let turn = 0; turn < TURNS && !isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
