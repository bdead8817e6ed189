interface Bucket {
  left: number;
  /** Time of `left`, in seconds. */
  at: number;
}

export interface BucketOptions {
  /** Capacity of a bucket: the permitted burst. */
  readonly capacity: number;
  readonly perSecond: number;
  /** Maximum number of buckets; above it, the least recently used is dropped and starts full again. */
  readonly maxKeys: number;
  /** Monotonic time in ms. */
  readonly now?: (() => number) | undefined;
}

/** A token bucket per key, refilled at a constant rate. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Takes a token; returns 0 on success, otherwise the seconds until one is available. */
  take(key: string): number {
    const { capacity, perSecond } = this.#options;
    const at = this.#now() / 1000;
    const bucket = this.#touch(key, at);
    bucket.left = Math.min(capacity, bucket.left + (at - bucket.at) * perSecond);
    bucket.at = at;
    if (bucket.left < 1) return (1 - bucket.left) / perSecond;
    bucket.left--;
    return 0;
  }

  #touch(key: string, at: number): Bucket {
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: this.#options.capacity, at };
    if (known !== undefined) this.#buckets.delete(key);
    else if (this.#buckets.size >= this.#options.maxKeys) this.#forgetOne();
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #forgetOne(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
