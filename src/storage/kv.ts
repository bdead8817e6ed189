/**
 * The key-value store: the source of truth (decision 2). Keys are strings, ordered by their UTF-8 bytes (the
 * order of code points); values are bytes. Reads are synchronous and see everything that was applied.
 * Returned values never change, and readers must not change them.
 */
export interface KvReader {
  /** The value of a key, or undefined. */
  get(key: string): Uint8Array | undefined;
  /**
   * Inside `decide`: the keys with this prefix that earlier transactions of the same, not yet applied group
   * have written or deleted; otherwise empty. Together with the applied state (the tables in memory) it gives
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
   * Limit of a page in bytes of values, at least one pair: for values of very different sizes, whose number
   * says nothing about memory. Such a page may be shorter than `limit` without being the last.
   */
  readonly maxBytes?: number;
}

export type KvOp =
  | { readonly key: string; readonly value: Uint8Array }
  | { readonly key: string; readonly value: undefined };

/** Outcome of a transaction: operations to write, and callbacks once they are durable. */
export interface Change<T> {
  readonly ops: readonly KvOp[];
  /**
   * Called once the operations are durable, in commit order with the `apply` of all other transactions,
   * before the caller gets the result: here tables in memory are updated (storage.md section 1). It must not
   * throw or wait: after an `apply` that threw, a disk store refuses everything, since the tables may differ
   * from the disk.
   */
  readonly apply: () => T;
}

/** Reads, each from one snapshot (Kv) or all from the same one (KvSnapshot). */
export interface KvPages extends KvReader {
  /**
   * At most `limit` pairs with gte <= key < lt, in key order (`reverse`: from the end), from one snapshot.
   * Read a large range in pages: the next `gte` is `after(last key)`.
   */
  range(range: KeyRange): Promise<[key: string, value: Uint8Array][]>;
  /** Like `range`, for UTF-8 values such as records: at half the cost of bytes. */
  texts(range: KeyRange): Promise<[key: string, value: string][]>;
  /** Like `range`, keys only. */
  keys(range: KeyRange): Promise<string[]>;
}

/** A snapshot for reads in several steps; it uses disk space until it is closed. */
export interface KvSnapshot extends KvPages {
  close(): void;
}

export interface Kv extends KvPages {
  /** The current state: everything applied, nothing of a write in progress. */
  snapshot(): KvSnapshot;
  /**
   * `decide` runs alone at the commit point. Its reader sees all earlier transactions, including those of the
   * same group, so that counters, checks and sequences need no locks. It may throw: then nothing is written
   * and the promise rejects with that error, without affecting others of the group. It must not wait, and
   * does no I/O except through the reader. The promise resolves after the group is on disk (one fsync for
   * many transactions) and `apply` has run. `sync: false` skips the fsync for writes whose loss in a power
   * failure is harmless (claims, counters); they still survive a kill of the process. A change above
   * `maxBytes` (MAX_CHANGE_BYTES by default) is refused with an Error: divide large work into several
   * transactions. So is one that writes keys of two workspaces, or of a workspace and the server (key-owner.ts).
   */
  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T>;
  /**
   * Ensures that no file of the store holds values overwritten or deleted before this call between these
   * keys. Waits for open snapshots that still show them, however long. Costs rewriting the files with these
   * keys. The store may still name a key that was the first or last of a file until it is reopened; its value
   * is gone.
   */
  scrub(ranges: readonly Pick<KeyRange, "gte" | "lt">[]): Promise<void>;
  /** Waits for running transactions, then closes. Later transactions reject with UNAVAILABLE. */
  close(): Promise<void>;
}

export interface TransactOptions {
  readonly sync?: boolean;
  readonly maxBytes?: number;
}

/** Limit of a batch: one of 40 MB blocks the event loop (storage.md section 1). */
export const MAX_CHANGE_BYTES = 4 * 1024 * 1024;

/** The smallest key after `key`. */
export const after = (key: string): string => `${key}\u0000`;

/**
 * All pairs of a range in non-empty pages of `limit` pairs or `maxBytes`, each from one snapshot. The caller
 * may change or delete the returned pairs between two pages.
 */
export const pairPages = (kv: KvPages, range: KeyRange): AsyncGenerator<[key: string, value: Uint8Array][]> =>
  pages(
    range,
    (page) => kv.range(page),
    ([key]) => key,
  );

/** Like `pairPages`, for UTF-8 values. */
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
