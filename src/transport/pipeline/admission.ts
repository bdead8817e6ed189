import { unavailable } from "../../domain/errors.ts";
import type { AccountId } from "../../domain/ids.ts";

/**
 * Time in ms within one turn of the event loop after which no further operation starts, so that running
 * operations, probes and new requests go first.
 */
const ROUND_MS = 6;
/** Maximum number of operations started per turn of the event loop; at least one is started. */
const MAX_BEGUN = 16;
/** Maximum number of waiting calls, per account and in total; their requests are held in memory. */
const MAX_OF_ACCOUNT = 2000;
const MAX_WAITING = 8000;

/**
 * Decides when operations start: at once while the main thread has time, otherwise round robin between
 * accounts. A flood of calls thus delays neither running calls nor, beyond its share, those of other
 * accounts.
 */
export class Admission {
  readonly #lines = new Map<AccountId | undefined, (() => void)[]>();
  #waiting = 0;
  /** Value of performance.now() in ms at the start of the turn. */
  #began: number | undefined;
  #scheduled = false;

  /** Number of waiting calls. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Undefined if the call may start now; otherwise resolves when it may. Callers without an account share a
   * queue. Throws UNAVAILABLE if too many calls wait.
   */
  turn(account: AccountId | undefined): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#hasTime()) {
      this.#schedule();
      return undefined;
    }
    const line = this.#lines.get(account);
    if (line && line.length >= MAX_OF_ACCOUNT)
      throw unavailable(`${MAX_OF_ACCOUNT} calls of the account are waiting; try again later`);
    if (this.#waiting >= MAX_WAITING) throw unavailable(`${MAX_WAITING} calls are waiting; try again later`);
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
    // work done before the callbacks below counts toward this turn
    this.#began = performance.now();
    // one callback per operation: its first part continues in microtasks, which run when that callback ends
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
