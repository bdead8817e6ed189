interface Bucket {
  left: number;
  /** Seconds; when `left` was true. */
  at: number;
}

export interface BucketOptions {
  /** Tokens of a full bucket: the burst that passes at once. */
  readonly capacity: number;
  readonly perSecond: number;
  /**
   * Buckets remembered; beyond, the one that was used least recently is forgotten, and is full when it is
   * used again.
   */
  readonly maxKeys: number;
  /** Milliseconds, never going back. */
  readonly now?: (() => number) | undefined;
}

/** A bucket of tokens for each key, filled at a steady rate. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Takes a token: 0 where there was one, else the seconds until there will be one. */
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
