import type { Caller } from "../../domain/caller.ts";
import { ServiceError } from "../../domain/errors.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Maximum number of holders tracked. */
const MAX_HOLDERS = 10_000;

/**
 * Limits requests per second and holder with a token bucket of `perSecond` requests, which allows a burst of
 * one second's worth. `now`: monotonic time in ms.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #buckets: TokenBuckets;

  constructor(perSecond: number, now?: () => number) {
    this.#perSecond = perSecond;
    this.#buckets = new TokenBuckets({ capacity: perSecond, perSecond, maxKeys: MAX_HOLDERS, now });
  }

  /** Counts a request of `holder`. Throws RESOURCE_EXHAUSTED {limit, retry_after} above the limit. */
  take(holder: string): void {
    const seconds = this.#buckets.take(holder);
    if (seconds > 0) throw exhausted(this.#perSecond, seconds);
  }
}

function exhausted(perSecond: number, seconds: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const reason = `more than ${perSecond} requests a second with this key, the limit CTXDB_RATE_LIMIT`;
  return new ServiceError("RESOURCE_EXHAUSTED", `rate limit: ${reason}; try again in ${retryAfter} s`, {
    resource: "rate limit",
    reason,
    limit: perSecond,
    retry_after: retryAfter,
  });
}

/** Key for the rate limit: one per user; ROOT has one for all users that it acts for. */
export const holderOf = ({ role, account, user, accountIncarnation, userIncarnation }: Caller): string =>
  role === "root" ? "" : `${account}+${accountIncarnation}/${user}+${userIncarnation}`;
