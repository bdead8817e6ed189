/**
 * The key-value store: the source of truth (decision 2). Keys are strings ordered by their UTF-8 bytes (the
 * order of code points); values are bytes. Reads are synchronous and see all applied transactions. Returned
 * values never change and must not be modified.
 */
export interface KvReader {
  /** The value of a key; undefined if missing. */
  get(key: string): Uint8Array | undefined;
  /**
   * Inside `decide`: the keys with this prefix written or deleted by earlier transactions of the same group,
   * which are not applied yet; otherwise empty. Combined with the tables in memory (the applied state), this
   * gives the state at the commit point without reading a range.
   */
  touched(prefix: string): string[];
}

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly limit: number;
  readonly reverse?: boolean;
  /**
   * Maximum bytes of values per page, for values of very different sizes; a page has at least one pair. Such
   * a page may have fewer than `limit` pairs without being the last.
   */
  readonly maxBytes?: number;
}

export type KvOp =
  | { readonly key: string; readonly value: Uint8Array }
  | { readonly key: string; readonly value: undefined };

/** Result of `decide`: operations to write, and a callback for when they are durable. */
export interface Change<T> {
  readonly ops: readonly KvOp[];
  /**
   * Called once the operations are durable, in commit order with all other transactions and before the caller
   * gets the result, to update tables in memory (storage.md section 1). Must not throw or wait: after an
   * `apply` that threw, a disk store refuses all reads and writes, because the tables may differ from the
   * disk.
   */
  readonly apply: () => T;
  /**
   * Called in place of `apply` if the operations are not written, to take back what the decision has changed in
   * memory. Called in reverse order of decision and before the next decision. Must not throw or wait.
   */
  readonly refused?: () => void;
}

/** Paged reads; each from its own snapshot (Kv), or all from the same one (KvSnapshot). */
export interface KvPages extends KvReader {
  /**
   * At most `limit` pairs with gte <= key < lt from one snapshot, in key order (`reverse`: descending). Read
   * a large range in pages: the next `gte` is `after(last key)`.
   */
  range(range: KeyRange): Promise<[key: string, value: Uint8Array][]>;
  /** Like `range`, for UTF-8 values such as records; half the cost of bytes. */
  texts(range: KeyRange): Promise<[key: string, value: string][]>;
  /** Like `range`, for keys only. */
  keys(range: KeyRange): Promise<string[]>;
}

/** A snapshot for several reads. It takes disk space until it is closed. */
export interface KvSnapshot extends KvPages {
  close(): void;
}

export interface Kv extends KvPages {
  /** The current state: everything applied, without a write in progress. */
  snapshot(): KvSnapshot;
  /**
   * Runs a transaction. `decide` runs alone at the commit point; its reader sees all earlier transactions,
   * including those of the same group, so that counters, checks and sequences need no locks. If it throws,
   * nothing is written and the promise rejects with that error, without affecting others of the group. It
   * must not wait or do I/O except through the reader. The promise resolves after the group is on disk (one
   * fsync for many transactions) and `apply` has run. `sync: false` skips the fsync for writes that may be
   * lost in a power failure (claims, counters); they still survive a kill of the process. Rejects with an
   * Error if the change exceeds `maxBytes` (default MAX_CHANGE_BYTES; divide large work into several
   * transactions), or if it has keys of two workspaces, or of a workspace and the server (key-owner.ts).
   */
  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T>;
  /**
   * Ensures that no file of the store contains values in these ranges that were overwritten or deleted before
   * this call. Waits for open snapshots that still show them, however long that takes. Rewrites all files
   * with these keys. A deleted key that was the first or last of a file may remain in the store until it is
   * reopened, but without its value.
   */
  scrub(ranges: readonly Pick<KeyRange, "gte" | "lt">[]): Promise<void>;
  /** Waits for running transactions, then closes. Later transactions are rejected with UNAVAILABLE. */
  close(): Promise<void>;
}

export interface TransactOptions {
  readonly sync?: boolean;
  readonly maxBytes?: number;
}

/** Maximum bytes of a transaction: very large batches block the event loop (storage.md section 1). */
export const MAX_CHANGE_BYTES = 4 * 1024 * 1024;

/** The smallest key after `key`. */
export const after = (key: string): string => `${key}\u0000`;

/**
 * All pairs of a range in non-empty pages of `limit` pairs or `maxBytes`, each from its own snapshot. The
 * caller may change or delete returned pairs between two pages.
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

/** Like `pairPages`, for keys only. */
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
