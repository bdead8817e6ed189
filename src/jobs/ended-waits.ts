/** Time in ms within one turn of the event loop after which further waits end in later turns. */
const MS = 6;
/** Maximum number of waits that end in one turn; the code after each wait also runs in that turn. */
const AT_ONCE = 256;

/**
 * Ends waits in turns of the event loop: thousands of callers may wait for the last job of an account, and
 * each of them then sends a response.
 */
class EndedWaits {
  readonly #ends: (() => void)[] = [];
  #next = 0;
  #isScheduled = false;
  #ended = 0;
  #began: number | undefined;

  /** Calls `end` now, or in a later turn, in the order of the calls. */
  add(end: () => void): void {
    this.#schedule();
    if (this.#next < this.#ends.length || !this.#hasTime()) {
      this.#ends.push(end);
      return;
    }
    this.#ended++;
    end();
  }

  #hasTime(): boolean {
    this.#began ??= performance.now();
    return this.#ended < AT_ONCE && performance.now() - this.#began < MS;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#ended = 0;
    this.#began = undefined;
    for (; this.#next < this.#ends.length && this.#hasTime(); this.#ended++) this.#ends[this.#next++]?.();
    if (this.#next < this.#ends.length) this.#schedule();
    else {
      this.#ends.length = 0;
      this.#next = 0;
    }
  }
}

export const endedWaits = new EndedWaits();
