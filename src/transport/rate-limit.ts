import { ServiceError } from "../domain/errors.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Holders remembered. */
const MAX_HOLDERS = 10_000;

/**
 * Requests per second for each holder of a key: a token bucket of `perSecond` requests, refilled at that
 * rate, so that a burst of one second's worth passes. `now` is monotonic, in milliseconds.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #buckets: TokenBuckets;

  constructor(perSecond: number, now?: () => number) {
    this.#perSecond = perSecond;
    this.#buckets = new TokenBuckets({ capacity: perSecond, perSecond, maxKeys: MAX_HOLDERS, now });
  }

  /** Counts one request of `holder`. Throws RESOURCE_EXHAUSTED {limit, retry_after} if none is left. */
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
