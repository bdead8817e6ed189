import { itemAt, valueFor } from "../../base/expect.ts";
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

/** The keys and values at one moment; `keys` in byte order. */
interface Records {
  readonly keys: string[];
  readonly values: Map<string, Uint8Array>;
}

/** In-memory implementation of Kv: every transaction is its own group. */
export class RamKv implements Kv {
  #records: Records;
  /** Whether a snapshot has the same records, so that they are copied before the next change. */
  #isShared = false;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(records: Records = { keys: [], values: new Map() }) {
    this.#records = records;
  }

  get(key: string): Uint8Array | undefined {
    return this.#records.values.get(key);
  }

  touched(): string[] {
    return [];
  }

  async range(range: KeyRange): Promise<[key: string, value: Uint8Array][]> {
    return this.#page(range).map((key) => [key, valueFor(this.#records.values, key)]);
  }

  async texts(range: KeyRange): Promise<[key: string, value: string][]> {
    return this.#page(range).map((key) => [key, text(valueFor(this.#records.values, key))]);
  }

  async keys(range: KeyRange): Promise<string[]> {
    return this.#select(range);
  }

  snapshot(): KvSnapshot {
    this.#isShared = true;
    const then = new RamKv(this.#records);
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
      this.#write(ops);
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
      bytes += valueFor(this.#records.values, key).byteLength;
      return bytes >= maxBytes;
    });
    return last < 0 ? keys : keys.slice(0, last + 1);
  }

  #select({ gte, lt, limit, reverse }: KeyRange): string[] {
    const { keys } = this.#records;
    const [from, to] = [placeOf(keys, gte), placeOf(keys, lt)];
    const count = Math.max(0, Math.min(limit, to - from));
    return reverse ? keys.slice(to - count, to).reverse() : keys.slice(from, from + count);
  }

  #write(ops: readonly KvOp[]): void {
    if (ops.length === 0) return;
    if (this.#isShared) {
      const { keys, values } = this.#records;
      this.#records = { keys: [...keys], values: new Map(values) };
      this.#isShared = false;
    }
    const { keys, values } = this.#records;
    for (const { key, value } of ops) {
      const isKnown = values.has(key);
      if (value !== undefined) {
        if (!isKnown) keys.splice(placeOf(keys, key), 0, key);
        values.set(key, new Uint8Array(value));
      } else if (isKnown) {
        keys.splice(placeOf(keys, key), 1);
        values.delete(key);
      }
    }
  }
}

function checkSize(ops: readonly KvOp[], maxBytes: number): void {
  const bytes = ops.reduce(
    (sum, { key, value }) => sum + Buffer.byteLength(key) + (value?.byteLength ?? 0),
    0,
  );
  if (bytes > maxBytes) throw new Error(`a change of ${bytes} bytes is above the limit of ${maxBytes}`);
}

/** Number of keys below this one. */
function placeOf(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(itemAt(keys, middle), key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a key comes first in the order of its UTF-8 bytes. */
function isBelow(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return orderOf(x) < orderOf(y);
  }
  return a.length < b.length;
}

/** Surrogates stand for the highest code points. */
const orderOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
