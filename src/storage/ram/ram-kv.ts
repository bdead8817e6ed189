import { valueFor } from "../../base/expect.ts";
import { unavailable } from "../../domain/errors.ts";
import { checkOneOwner } from "../key-owner.ts";
import {
  type Change,
  type KeyRange,
  type Kv,
  type KvOp,
  type KvReader,
  type KvSnapshot,
  MAX_CHANGE_BYTES,
  type TransactOptions,
} from "../kv.ts";
import { text } from "../record-codec.ts";

/** Minimal in-memory implementation of Kv: every transaction is its own group. */
export class RamKv implements Kv {
  readonly #values = new Map<string, Uint8Array>();
  #sorted: string[] | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  get(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  touched(): string[] {
    return [];
  }

  async range(range: KeyRange): Promise<[key: string, value: Uint8Array][]> {
    return this.#page(range).map((key) => [key, valueFor(this.#values, key)]);
  }

  async texts(range: KeyRange): Promise<[key: string, value: string][]> {
    return this.#page(range).map((key) => [key, text(valueFor(this.#values, key))]);
  }

  async keys(range: KeyRange): Promise<string[]> {
    return this.#select(range);
  }

  snapshot(): KvSnapshot {
    const then = new RamKv();
    for (const [key, value] of this.#values) then.#values.set(key, value);
    return {
      get: (key) => then.get(key),
      touched: () => [],
      range: (range) => then.range(range),
      texts: (range) => then.texts(range),
      keys: (range) => then.keys(range),
      close: () => undefined,
    };
  }

  transact<T>(
    decide: (read: KvReader) => Change<T>,
    { maxBytes = MAX_CHANGE_BYTES }: TransactOptions = {},
  ): Promise<T> {
    if (this.#closed)
      return Promise.reject(
        unavailable("the store is closed, because the server is shutting down; try again later"),
      );
    const turn = this.#last.then(() => {
      const { ops, apply, refused } = decide(this);
      try {
        checkOneOwner(ops);
        checkSize(ops, maxBytes);
      } catch (error) {
        refused?.();
        throw error;
      }
      for (const { key, value } of ops) {
        if (value === undefined) this.#values.delete(key);
        else this.#values.set(key, new Uint8Array(value));
      }
      this.#sorted = undefined;
      return apply();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async scrub(): Promise<void> {
    await this.#last;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }

  #page(range: KeyRange): string[] {
    const { maxBytes = Number.POSITIVE_INFINITY } = range;
    const keys = this.#select(range);
    let bytes = 0;
    const last = keys.findIndex((key) => {
      bytes += valueFor(this.#values, key).byteLength;
      return bytes >= maxBytes;
    });
    return last < 0 ? keys : keys.slice(0, last + 1);
  }

  #select({ gte, lt, limit, reverse }: KeyRange): string[] {
    this.#sorted ??= [...this.#values.keys()].sort(byBytes);
    const found = this.#sorted.filter((key) => byBytes(key, gte) >= 0 && byBytes(key, lt) < 0);
    return (reverse ? found.reverse() : found).slice(0, Math.max(0, limit));
  }
}

function checkSize(ops: readonly KvOp[], maxBytes: number): void {
  const bytes = ops.reduce(
    (sum, { key, value }) => sum + Buffer.byteLength(key) + (value?.byteLength ?? 0),
    0,
  );
  if (bytes > maxBytes) throw new Error(`a change of ${bytes} bytes is above the limit of ${maxBytes}`);
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
