import type { BudgetLimits } from "../budget.ts";

interface Waiting<Key> {
  readonly key: Key;
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * A weighted semaphore with a limit per key and in total. In contrast to a Budget, what does not fit waits: in
 * order of arrival, but a key at its limit does not delay the others.
 */
export class KeyedSemaphore<Key extends string | number> {
  readonly #limits: BudgetLimits;
  readonly #used = new Map<Key, number>();
  readonly #waiting = new Set<Waiting<Key>>();
  #total = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until the amount is free, and returns the function that gives it back. More than the limit of a key
   * counts as that limit, so that everything is admitted at some time. Rejects with the reason of `signal`.
   * Callers that wait while they hold an amount can wait for each other forever.
   */
  async take(key: Key, amount: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const counted = Math.min(amount, this.#limits.perKey);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
        // what waited behind this one may fit
        this.#admit();
      };
      const admit = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiting: Waiting<Key> = { key, amount: counted, admit };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiting);
      this.#admit();
    });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(key, -counted);
      this.#admit();
    };
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      const { key, amount, admit } = waiting;
      if ((this.#used.get(key) ?? 0) + amount > this.#limits.perKey) continue;
      if (this.#total + amount > this.#limits.total) return;
      this.#waiting.delete(waiting);
      this.#add(key, amount);
      admit();
    }
  }

  #add(key: Key, amount: number): void {
    const used = (this.#used.get(key) ?? 0) + amount;
    if (used === 0) this.#used.delete(key);
    else this.#used.set(key, used);
    this.#total += amount;
  }
}
