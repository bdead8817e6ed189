import { ServiceError } from "../domain/errors.ts";

/** Buckets remembered; beyond, full ones are forgotten first, then the oldest. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  left: number;
  /** Seconds; when `left` was true. */
  at: number;
}

/**
 * Requests a second for each holder of a key: a bucket of `perSecond` requests, filled at that rate, so that a burst of one second's worth passes.
 * `now` is in milliseconds and never goes back.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts one request of `holder`. Throws RESOURCE_EXHAUSTED {limit, retry_after} where it has none left. */
  take(holder: string): void {
    const at = this.#now() / 1000;
    const bucket = this.#buckets.get(holder) ?? this.#open(holder, at);
    bucket.left = Math.min(this.#perSecond, bucket.left + (at - bucket.at) * this.#perSecond);
    bucket.at = at;
    if (bucket.left < 1) throw exhausted(this.#perSecond, (1 - bucket.left) / this.#perSecond);
    bucket.left--;
  }

  #open(holder: string, at: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) this.#forget(at);
    const bucket = { left: this.#perSecond, at };
    this.#buckets.set(holder, bucket);
    return bucket;
  }

  /** A bucket that nobody took from for a second is full: forgetting it changes nothing. */
  #forget(at: number): void {
    for (const [holder, bucket] of this.#buckets) if (at - bucket.at >= 1) this.#buckets.delete(holder);
    for (const holder of this.#buckets.keys()) {
      if (this.#buckets.size < MAX_BUCKETS) return;
      this.#buckets.delete(holder);
    }
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
