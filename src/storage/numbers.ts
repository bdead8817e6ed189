import { Draft } from "./draft.ts";
import type { Kv } from "./kv.ts";
import { encodeRecord, NUMBERS } from "./record-codec.ts";

const BLOCK = 4096;

/**
 * Consecutive numbers that are never reused (nodes, generations, chunks, journal). A durable limit, always
 * above the numbers in use, is raised by the transaction that first uses a number beyond it. A restart
 * continues at the limit, and most numbers need no write.
 */
export class Numbers {
  readonly #kv: Kv;
  readonly #key: string;
  #next: number;
  #limit: number;

  constructor(kv: Kv, key: string, first: number) {
    this.#kv = kv;
    this.#key = key;
    this.#limit = NUMBERS.read(kv, key) ?? first;
    this.#next = this.#limit;
  }

  get next(): number {
    return this.#next;
  }

  /** Takes `count` consecutive numbers in a transaction that is being decided; returns the first. */
  take(draft: Draft, count = 1): number {
    const first = this.#next;
    this.#next += count;
    const end = this.#next;
    // a draft prepared ahead must raise the limit at its commit, because earlier transactions may raise it
    // first
    if (end > this.#limit) draft.atCommit((last) => this.#raise(last, end));
    return first;
  }

  /** Reserves `count` consecutive numbers for later transactions; returns the first. */
  async reserve(count = 1): Promise<number> {
    const first = this.#next;
    this.#next += count;
    if (this.#next > this.#limit) {
      const end = this.#next;
      await this.#kv.transact((read) => {
        const draft = new Draft(read);
        this.#raise(draft, end);
        return draft.toChange(() => undefined);
      });
    }
    return first;
  }

  /**
   * Lowers the limit to the numbers in use, so that the next process continues without a gap. Later numbers
   * are unaffected.
   */
  settle(draft: Draft): void {
    if (this.#next === this.#limit) return;
    // any later number raises the limit again, in a later transaction
    this.#limit = this.#next;
    draft.put(this.#key, encodeRecord(this.#next));
    draft.onDurable(() => this.#reread());
  }

  #raise(draft: Draft, above: number): void {
    const durable = NUMBERS.read(draft, this.#key) ?? 0;
    const limit = Math.max(durable, (Math.floor(above / BLOCK) + 1) * BLOCK);
    draft.put(this.#key, encodeRecord(limit));
    draft.onDurable(() => this.#reread());
  }

  #reread(): void {
    this.#limit = NUMBERS.read(this.#kv, this.#key) ?? this.#limit;
  }
}
