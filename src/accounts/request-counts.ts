import type { Clock } from "../base/clock.ts";
import type { Caller } from "../domain/caller.ts";
import { ServiceError } from "../domain/errors.ts";
import type { AccountId } from "../domain/ids.ts";
import type { AccountQuotas } from "./account-quotas.ts";

const MINUTE_MS = 60_000;
/** Maximum number of accounts counted in a minute; above it, the count of the first one starts again. */
const MAX_ACCOUNTS = 10_000;

/**
 * Requests by account in the current minute. Counts are in memory: the server that holds a workspace receives
 * all its requests, and after a restart the minute starts again.
 */
export class RequestCounts {
  readonly #quotas: Pick<AccountQuotas, "ofAccount">;
  readonly #clock: Clock;
  readonly #counts = new Map<AccountId, number>();
  #minute = 0;

  constructor(quotas: Pick<AccountQuotas, "ofAccount">, clock: Clock) {
    this.#quotas = quotas;
    this.#clock = clock;
  }

  /** Counts a request. Throws RESOURCE_EXHAUSTED {resource, unit, used, more, limit, retry_after}. */
  take({ account }: Pick<Caller, "account">): void {
    const used = this.used(account);
    const limit = this.#quotas.ofAccount(account).requestsPerMinute ?? 0;
    if (limit > 0 && used >= limit) throw this.#exhausted(used, limit);
    if (used === 0 && this.#counts.size >= MAX_ACCOUNTS) this.#forgetOne();
    this.#counts.set(account, used + 1);
  }

  /** Requests of an account in the current minute. */
  used(account: AccountId): number {
    const minute = Math.floor(this.#clock() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    return this.#counts.get(account) ?? 0;
  }

  /** Unix time in ms at which the counts start again. */
  get resetsAt(): number {
    return (Math.floor(this.#clock() / MINUTE_MS) + 1) * MINUTE_MS;
  }

  #forgetOne(): void {
    for (const account of this.#counts.keys()) {
      this.#counts.delete(account);
      return;
    }
  }

  #exhausted(used: number, limit: number): ServiceError {
    const retryAfter = Math.max(1, Math.ceil((this.resetsAt - this.#clock()) / 1000));
    const reason = `the account has made ${used} requests in this minute; the limit is ${limit} (a quota of the account)`;
    return new ServiceError("RESOURCE_EXHAUSTED", `requests: ${reason}; try again in ${retryAfter} s`, {
      resource: "requests",
      reason,
      unit: "requests",
      used,
      more: 1,
      limit,
      retry_after: retryAfter,
    });
  }
}
