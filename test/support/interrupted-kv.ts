import { RamKv } from "../../src/storage/ram/ram-kv.ts";

/**
 * Event loop turns granted to the interrupting work. If that work waits for the change it interrupts, the
 * change continues after these turns.
 */
const TURNS = 40;

/** A store that runs other work just before one of its changes. */
export class InterruptedKv extends RamKv {
  #left: number | undefined;
  #interrupt: () => Promise<unknown> = async () => undefined;
  #interrupting: Promise<unknown> | undefined;

  /** Makes `interrupt` run before the change with the given number, counted from 0 from now on. */
  interruptAt(change: number, interrupt: () => Promise<unknown>): void {
    this.#left = change;
    this.#interrupt = interrupt;
    this.#interrupting = undefined;
  }

  /** Whether that many changes took place; also waits for the interrupting work to end. */
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
