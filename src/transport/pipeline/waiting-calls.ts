import { unavailable } from "../../domain/errors.ts";
import type { AccountId } from "../../domain/ids.ts";
import { FairScheduler } from "../fair-scheduler.ts";

/** Maximum number of waiting calls, per account and in total; their requests are held in memory. */
const MAX_OF_ACCOUNT = 2000;
const MAX_WAITING = 8000;

/** Decides when operations start, and limits the number of waiting calls. */
export class Admission {
  readonly #turns = new FairScheduler<AccountId | undefined>({ ms: 6, started: 16 });

  /** Number of waiting calls. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Undefined if the call may start now; otherwise resolves when it may. Callers without an account share a
   * queue. Throws UNAVAILABLE if too many calls wait.
   */
  turn(account: AccountId | undefined): Promise<void> | undefined {
    if (this.#turns.isOpen()) return undefined;
    if (this.#turns.waitingOf(account) >= MAX_OF_ACCOUNT)
      throw unavailable(`${MAX_OF_ACCOUNT} calls of the account are waiting; try again later`);
    if (this.waiting >= MAX_WAITING) throw unavailable(`${MAX_WAITING} calls are waiting; try again later`);
    return new Promise((begin) => this.#turns.later(account, begin));
  }
}
