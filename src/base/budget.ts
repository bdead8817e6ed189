/** Why an amount was refused. */
export interface Refusal {
  /** Limit that was exceeded: the one per key or the shared one. */
  readonly of: "key" | "all";
  readonly used: number;
  readonly more: number;
  readonly limit: number;
}

/** An amount that counts as used until it is released. */
export interface Lease {
  readonly amount: number;
  /**
   * Changes the amount. Throws like `take` if the larger amount is refused; the lease then stays unchanged.
   */
  resize(amount: number): void;
  /** Returns the amount. Repeated calls have no effect. */
  release(): void;
}

export interface BudgetLimits {
  readonly perKey: number;
  readonly total: number;
}

/**
 * Tracks amounts in use (for example bytes of memory or disk) per key and in total. The limit per key keeps
 * one key from using up the total. While other keys use something, a key may take at most half of what they
 * leave, so that a few keys cannot use up the total together. Memory stays bounded: a key is forgotten when
 * its last lease is released.
 */
export class Budget<Key extends string | number = string> {
  readonly #limits: BudgetLimits;
  readonly #refuse: (refusal: Refusal) => Error;
  readonly #used = new Map<Key, number>();
  #total = 0;

  /** `refuse` creates the error that is thrown when an amount is refused. */
  constructor(limits: BudgetLimits, refuse: (refusal: Refusal) => Error) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  /** Throws the error from `refuse` if the amount would exceed the limit per key or the total. */
  take(key: Key, amount: number): Lease {
    this.#add(key, amount);
    const add = (more: number) => this.#add(key, more);
    let held = amount;
    let isReleased = false;
    return {
      get amount() {
        return held;
      },
      resize(wanted) {
        if (isReleased) throw new Error("a released lease cannot be resized");
        add(wanted - held);
        held = wanted;
      },
      release() {
        if (isReleased) return;
        isReleased = true;
        add(-held);
        held = 0;
      },
    };
  }

  get perKey(): number {
    return this.#limits.perKey;
  }

  /** Amount used by one key, or by all. */
  used(key?: Key): number {
    return key === undefined ? this.#total : (this.#used.get(key) ?? 0);
  }

  /** Number of keys with an amount in use. */
  get keys(): number {
    return this.#used.size;
  }

  #add(key: Key, more: number): void {
    if (!Number.isFinite(more)) throw new Error(`a budget amount must be at least 0, not ${more}`);
    const used = this.used(key);
    const { perKey } = this.#limits;
    if (more > 0 && used + more > perKey) throw this.#refuse({ of: "key", used, more, limit: perKey });
    const limit = this.#limitOfAll(used);
    if (more > 0 && this.#total + more > limit)
      throw this.#refuse({ of: "all", used: this.#total, more, limit });
    this.#total += more;
    if (used + more === 0) this.#used.delete(key);
    else this.#used.set(key, used + more);
  }

  /** Maximum total when a key that uses this amount takes more: half of what the others leave stays free. */
  #limitOfAll(used: number): number {
    const { total } = this.#limits;
    const others = this.#total - used;
    return others === 0 ? total : others + Math.floor((total - others) / 2);
  }
}
