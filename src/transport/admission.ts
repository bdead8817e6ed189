import { unavailable } from "../domain/errors.ts";

/**
 * A round of the event loop in ms, after which no further operation is begun in it: what is under way, probes
 * and new requests go first.
 */
const ROUND_MS = 6;
/** Operations begun in one round at most; one is begun in any case. */
const MAX_BEGUN = 16;
/** Calls of one account, and of all, that may wait for their turn; their requests are held in memory. */
const MAX_OF_ACCOUNT = 2000;
const MAX_WAITING = 8000;

/**
 * When operations begin: at once while the main thread has time, else in turn, accounts one after the other,
 * so that a flood of calls delays neither what has begun nor, by more than its share, the calls of other
 * accounts.
 */
export class Admission {
  readonly #lines = new Map<string, (() => void)[]>();
  #waiting = 0;
  /** performance.now() in ms. */
  #began: number | undefined;
  #scheduled = false;

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Undefined: now. Throws UNAVAILABLE where too many wait already. */
  turn(account: string): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#hasTime()) {
      this.#schedule();
      return undefined;
    }
    const line = this.#lines.get(account);
    if (line && line.length >= MAX_OF_ACCOUNT)
      throw unavailable(`${MAX_OF_ACCOUNT} calls of the account are waiting`);
    if (this.#waiting >= MAX_WAITING) throw unavailable(`${MAX_WAITING} calls are waiting`);
    return new Promise((begin) => {
      if (line) line.push(begin);
      else this.#lines.set(account, [begin]);
      this.#waiting++;
      this.#schedule();
    });
  }

  #hasTime(): boolean {
    this.#began ??= performance.now();
    return performance.now() - this.#began < ROUND_MS;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#nextRound());
  }

  #nextRound(): void {
    this.#scheduled = false;
    this.#began = undefined;
    if (this.#waiting === 0) return;
    // work before the callbacks below counts in this round
    this.#began = performance.now();
    // one callback for each: an operation's first stretch goes on in microtasks, which run when the callback
    // that began it has ended
    setImmediate(() => this.#beginNext());
    for (let i = Math.min(this.#waiting, MAX_BEGUN) - 1; i > 0; i--)
      setImmediate(() => this.#hasTime() && this.#beginNext());
    this.#schedule();
  }

  #beginNext(): void {
    for (const [account, line] of this.#lines) {
      this.#lines.delete(account);
      const begin = line.shift();
      if (line.length > 0) this.#lines.set(account, line);
      this.#waiting--;
      begin?.();
      return;
    }
  }
}
