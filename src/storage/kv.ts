/**
 * The key-value store: the truth of everything (decision 2).
 *
 * Keys are strings, ordered by their UTF-8 bytes (which is the order of code points); values are bytes. Reads
 * are synchronous and see everything that was applied; a value handed out is never changed afterwards and
 * must not be changed by the reader.
 */
export interface KvReader {
  /** The value of a key, or undefined. */
  get(key: string): Uint8Array | undefined;
  /**
   * Inside `decide`: the keys with this prefix that earlier transactions of the same, not yet applied group
   * have written or deleted; empty elsewhere. Together with what was applied (the tables in memory) it tells
   * the state at the commit point without reading a range.
   */
  touched(prefix: string): string[];
}

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly limit: number;
  readonly reverse?: boolean;
  /**
   * Bytes of values after which a page ends, not below one pair: for values of very different sizes, whose
   * number says nothing about the memory of a page. Such a page may be shorter than `limit` without being the
   * last.
   */
  readonly maxBytes?: number;
}

export type KvOp =
  | { readonly key: string; readonly value: Uint8Array }
  | { readonly key: string; readonly value: undefined };

/** Outcome of a transaction: operations to write, and what to do once they are durable. */
export interface Change<T> {
  readonly ops: readonly KvOp[];
  /**
   * Called once the operations are durable, in commit order with the `apply` of all other transactions,
   * before the caller is answered: the place where tables in memory are folded (storage.md section 1). It
   * must not throw and must not wait: a store on a disk refuses everything after an `apply` that threw, since
   * the tables may differ from the disk.
   */
  readonly apply: () => T;
}

/** Reads, as of one moment each (Kv) or all as of the same moment (KvSnapshot). */
export interface KvPages extends KvReader {
  /**
   * At most `limit` pairs with gte <= key < lt, in key order (`reverse`: from the end), as of one moment. Go
   * through a large range by pages: the next `gte` is `after(last key)`.
   */
  range(range: KeyRange): Promise<[key: string, value: Uint8Array][]>;
  /** As `range`, of values that are UTF-8, such as records: at half the cost of bytes. */
  texts(range: KeyRange): Promise<[key: string, value: string][]>;
  /** As `range`, keys alone. */
  keys(range: KeyRange): Promise<string[]>;
}

/**
 * The state of one moment, for reads that take several steps; it holds space on the disk until it is closed.
 */
export interface KvSnapshot extends KvPages {
  close(): void;
}

export interface Kv extends KvPages {
  /** The state as it is now: what was applied, nothing of what is being written. */
  snapshot(): KvSnapshot;
  /**
   * `decide` runs alone at the commit point. Its reader sees all transactions before it, those of the same
   * group included, so that counters, checks and sequences need no locks. It may throw: then nothing is
   * written and the promise rejects with that error, others of the group are not affected. It does no I/O but
   * through the reader and does not wait. The promise resolves after the group is on disk (one fsync for many
   * transactions) and `apply` has run. `sync: false` skips the fsync for writes whose loss by power failure
   * is harmless (claims, counters); they still survive a kill of the process. A change above `maxBytes`
   * (MAX_CHANGE_BYTES where not given) is refused with an Error: large work goes in several transactions.
   */
  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T>;
  /**
   * Makes sure that no file of the store holds what was overwritten or deleted before this call between these
   * keys. Waits for the snapshots that still show it, however long they are held. Costs a rewriting of the
   * files that hold the keys. A key that was the first or the last of a file may be named by the store until it
   * is opened anew; its value is gone.
   */
  scrub(ranges: readonly Pick<KeyRange, "gte" | "lt">[]): Promise<void>;
  /**
   * Waits for transactions under way, then closes. A transaction asked for later rejects with UNAVAILABLE.
   */
  close(): Promise<void>;
}

export interface TransactOptions {
  readonly sync?: boolean;
  readonly maxBytes?: number;
}

/** No batch above 4 MiB: a batch of 40 MB blocks the event loop for 182 ms (storage.md section 1). */
export const MAX_CHANGE_BYTES = 4 * 1024 * 1024;

/** The smallest key after `key`. */
export const after = (key: string): string => `${key}\u0000`;

/**
 * All pairs of a range in pages of `limit` pairs or `maxBytes`, each as of one moment, none of them empty.
 * The caller may change or remove what it was given between two pages.
 */
export const pairPages = (kv: KvPages, range: KeyRange): AsyncGenerator<[key: string, value: Uint8Array][]> =>
  pages(
    range,
    (page) => kv.range(page),
    ([key]) => key,
  );

/** As `pairPages`, of values that are UTF-8. */
export const textPages = (kv: KvPages, range: KeyRange): AsyncGenerator<[key: string, value: string][]> =>
  pages(
    range,
    (page) => kv.texts(page),
    ([key]) => key,
  );

/** As `pairPages`, keys alone. */
export const keyPages = (kv: KvPages, range: KeyRange): AsyncGenerator<string[]> =>
  pages(
    range,
    (page) => kv.keys(page),
    (key) => key,
  );

async function* pages<T>(
  range: KeyRange,
  read: (range: KeyRange) => Promise<T[]>,
  keyOf: (item: T) => string,
): AsyncGenerator<T[]> {
  for (let gte = range.gte; ; ) {
    const page = await read({ ...range, gte });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < range.limit && range.maxBytes === undefined) return;
    gte = after(keyOf(last));
  }
}

/** The range of all keys that begin with `prefix`, which must end in an ASCII character below 0x7f. */
export function prefixRange(prefix: string, limit = Number.MAX_SAFE_INTEGER): KeyRange {
  const last = prefix.charCodeAt(prefix.length - 1);
  return { gte: prefix, lt: prefix.slice(0, -1) + String.fromCharCode(last + 1), limit };
}
