import { open, readdir, stat, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel, type Iterator } from "classic-level";
import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Log } from "../../base/log.ts";
import type { KeyRange, KvOp, KvSnapshot } from "../kv.ts";
import { checkFiles } from "./check-files.ts";
import { startErrorOf, storageErrorOf } from "./level-errors.ts";
import { RecordCache } from "./record-cache.ts";

type Db = ClassicLevel<string, Uint8Array>;
type Snapshot = ReturnType<Db["snapshot"]>;
type Pairs<V> = Pick<Iterator<Db, string, V>, "all" | "nextv" | "close">;

const CACHE_BYTES = 24 * 1024 * 1024;
/** Size of the record cache, which is much faster than LevelDB's own. */
const RECORD_CACHE_BYTES = 16 * 1024 * 1024;
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024;
/**
 * Maximum bytes that an iterator reads at once. The driver keeps an iterator's last page until the object is
 * garbage-collected, which may be late, because V8 does not know its size.
 */
const READ_BYTES = 64 * 1024;
/** Maximum operations passed to LevelDB without a yield. */
const OPS_AT_ONCE = 256;
const OPS_PER_LOOK = 64;
/** Number of pairs read per step from a bounded range, unless READ_BYTES is reached first. */
const PAIRS_AT_ONCE = 64;
const LONGEST_LIMIT = 2 ** 31 - 1;
/** Free disk space in bytes required before a failed database is reopened. */
const PROBE_BYTES = 4 * 1024 * 1024;
/** Interval in ms between attempts to reopen the database. */
const REOPEN_MS = 1000;

/**
 * A LevelDB folder with a single writer. A failed write leaves the log in an unknown state: it may contain
 * part of a record, which hides later ones, or all of it, which would reappear at the next start. The
 * database is therefore reopened before the next write, with the state before the failed write.
 */
export class LevelFile {
  readonly #folder: string;
  readonly #log: Log;
  #db: Db;
  /** The state before the current write, which is the only one that readers may see. */
  #before: SharedSnapshot | undefined;
  /** Cached records for readers, except reads of a snapshot. */
  readonly #records = new RecordCache(RECORD_CACHE_BYTES);
  /** Open snapshots of earlier states. */
  readonly #snapshots = new Set<SharedSnapshot>();
  /** Changes of the write in progress. */
  #writing: readonly KvOp[] = [];
  #undo: KvOp[] | undefined;
  #reopening: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  /** Why the state before a failed write is unknown; all reads and writes are then refused. */
  #lost: unknown;

  private constructor(folder: string, log: Log, db: Db) {
    this.#folder = folder;
    this.#log = log;
    this.#db = db;
  }

  static async open(folder: string, log: Log): Promise<LevelFile> {
    await checkFiles(folder, log);
    try {
      return new LevelFile(folder, log, await openDb(folder, true));
    } catch (error) {
      throw startErrorOf(error);
    }
  }

  /** The error after which the readers' state is unknown; only a new process can open the file again. */
  get lost(): unknown {
    return this.#lost;
  }

  get(key: string): Uint8Array | undefined {
    return this.#records.read(key, this.#read);
  }

  range(range: KeyRange): Promise<[string, Uint8Array][]> {
    return this.#range(range, this.#before);
  }

  texts(range: KeyRange): Promise<[string, string][]> {
    return this.#texts(range, this.#before);
  }

  keys(range: KeyRange): Promise<string[]> {
    return this.#keys(range, this.#before);
  }

  /** A snapshot of the readers' current state. */
  snapshot(): KvSnapshot {
    const kept = this.#before?.share() ?? this.#newSnapshot();
    return {
      get: (key) => this.#get(key, kept),
      touched: () => [],
      range: (range) => this.#range(range, kept),
      texts: (range) => this.#texts(range, kept),
      keys: (range) => this.#keys(range, kept),
      close: () => kept.release(),
    };
  }

  #newSnapshot(): SharedSnapshot {
    const made = new SharedSnapshot(this.#db.snapshot());
    this.#snapshots.add(made);
    void made.released.then(() => this.#snapshots.delete(made));
    return made;
  }

  /** Waits until the currently open snapshots are closed. */
  async olderSnapshots(): Promise<void> {
    await Promise.all([...this.#snapshots].map(({ released }) => released));
  }

  /** Writes the log into tables, and rewrites the tables of a range. */
  async compact(gte: string, lt: string): Promise<void> {
    try {
      await this.#db.compactRange(gte, lt);
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  readonly #read = (key: string) => this.#get(key, this.#before);

  #get(key: string, of: SharedSnapshot | undefined): Uint8Array | undefined {
    try {
      return of ? this.#db.getSync(key, { snapshot: of.snapshot }) : this.#db.getSync(key);
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  #range(range: KeyRange, of: SharedSnapshot | undefined): Promise<[string, Uint8Array][]> {
    return read(range, () => page(this.#db.iterator(bounds(range, of)), range, of));
  }

  /** The driver returns strings directly, without an object per value. */
  #texts(range: KeyRange, of: SharedSnapshot | undefined): Promise<[string, string][]> {
    return read(range, () =>
      page(this.#db.iterator<string, string>({ ...bounds(range, of), valueEncoding: "utf8" }), range, of),
    );
  }

  #keys(range: KeyRange, of: SharedSnapshot | undefined): Promise<string[]> {
    return read(range, () => this.#db.keys(bounds(range, of)).all());
  }

  /** Writes atomically. Readers see the previous state until `reveal`, and after a failed write. */
  async write(ops: readonly KvOp[], sync: boolean): Promise<void> {
    try {
      if (this.#undo) await this.#reopen();
      this.#before = this.#newSnapshot();
      this.#writing = ops;
      if (ops.length <= OPS_AT_ONCE) await this.#db.batch(ops.map(batchOp), { sync });
      else await this.#writeInTurns(ops, sync);
    } catch (error) {
      if (this.#before) this.#undo = await this.#stateBefore(ops);
      this.reveal();
      this.#log.error({ err: error }, "the key-value store could not be written");
      throw storageErrorOf(error);
    }
  }

  /**
   * Passes a batch to LevelDB with yields: LevelDB copies it on the main thread, but writes it on another.
   */
  async #writeInTurns(ops: readonly KvOp[], sync: boolean): Promise<void> {
    const batch = this.#db.batch();
    try {
      const yielder = new EventLoopYielder();
      for (const [i, { key, value }] of ops.entries()) {
        if (value === undefined) batch.del(key);
        else batch.put(key, value);
        if (i % OPS_PER_LOOK === 0) await yielder.yieldIfDue();
      }
      await batch.write({ sync });
    } finally {
      await batch.close();
    }
  }

  #forget(ops: readonly KvOp[]): void {
    for (const { key } of ops) this.#records.forget(key);
  }

  /** Makes the last write visible to readers. */
  reveal(): void {
    this.#forget(this.#writing);
    this.#writing = [];
    this.#before?.release();
    this.#before = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#reopening?.catch(() => undefined);
    await this.#db.close();
  }

  /**
   * Reopens the database with the state before the failed write. Retries by itself on failure, because reads
   * fail, too, and no write would trigger another attempt.
   */
  #reopen(): Promise<void> {
    this.#reopening ??= this.#openAgain()
      .catch((error: unknown) => {
        if (!this.#closed && this.#db.status !== "open") this.#reopenLater();
        throw error;
      })
      .finally(() => {
        this.#reopening = undefined;
      });
    return this.#reopening;
  }

  #reopenLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#reopen().catch(() => undefined), REOPEN_MS).unref();
  }

  async #openAgain(): Promise<void> {
    await checkRoom(this.#folder);
    await probe(`${this.#folder}.probe`);
    await this.#db.close();
    const db = await openDb(this.#folder, false);
    try {
      await db.batch((this.#undo ?? []).map(batchOp), { sync: true });
    } catch (error) {
      await db.close();
      throw error;
    }
    this.#db = db;
    // concurrent reads may have seen the failed write
    this.#forget(this.#undo ?? []);
    this.#undo = undefined;
    this.#log.info("the key-value store can be written again");
  }

  async #stateBefore(ops: readonly KvOp[]): Promise<KvOp[]> {
    try {
      const state: KvOp[] = [];
      const yielder = new EventLoopYielder();
      for (const { key } of ops) {
        state.push({ key, value: this.get(key) });
        await yielder.yieldIfDue();
      }
      return state;
    } catch (error) {
      this.#lost = error;
      return [];
    }
  }
}

/** A snapshot shared by readers; the last one closes it. */
class SharedSnapshot {
  readonly snapshot: Snapshot;
  readonly released: Promise<void>;
  #users = 1;
  #release: () => void = () => undefined;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  share(): this {
    this.#users++;
    return this;
  }

  release(): void {
    if (--this.#users > 0) return;
    const end = () => this.#release();
    this.snapshot.close().then(end, end);
  }
}

async function read<T>({ limit }: KeyRange, all: () => Promise<T[]>): Promise<T[]> {
  if (limit <= 0) return [];
  try {
    return await all();
  } catch (error) {
    throw storageErrorOf(error);
  }
}

/** Reads an iterator until the values reach `maxBytes`, then closes it. */
async function page<V extends string | Uint8Array>(
  iterator: Pairs<V>,
  { maxBytes }: KeyRange,
  of: SharedSnapshot | undefined,
): Promise<[string, V][]> {
  if (maxBytes === undefined) return iterator.all();
  const kept = of?.share();
  const pairs: [string, V][] = [];
  try {
    for (let bytes = 0; bytes < maxBytes; ) {
      const read = await iterator.nextv(PAIRS_AT_ONCE);
      if (read.length === 0) break;
      for (const pair of read) {
        pairs.push(pair);
        bytes += pair[1].length;
        if (bytes >= maxBytes) break;
      }
    }
    return pairs;
  } finally {
    await iterator.close();
    kept?.release();
  }
}

function bounds({ gte, lt, limit, reverse }: KeyRange, of: SharedSnapshot | undefined) {
  const most = limit > LONGEST_LIMIT ? -1 : limit;
  return {
    gte,
    lt,
    limit: most,
    reverse: reverse ?? false,
    highWaterMarkBytes: READ_BYTES,
    ...(of && { snapshot: of.snapshot }),
  };
}

const batchOp = ({ key, value }: KvOp) =>
  value === undefined ? ({ type: "del", key } as const) : ({ type: "put", key, value } as const);

async function openDb(folder: string, createIfMissing: boolean): Promise<Db> {
  const db: Db = new ClassicLevel(folder, {
    keyEncoding: "utf8",
    valueEncoding: "view",
    cacheSize: CACHE_BYTES,
    writeBufferSize: WRITE_BUFFER_BYTES,
    createIfMissing,
  });
  await db.open();
  return db;
}

/**
 * Checks free disk space: opening the database rewrites its log as tables. Without that space, it cannot even
 * be opened for reading.
 */
async function checkRoom(folder: string): Promise<void> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, name))).size));
  const needed = sizes.reduce((sum, size) => sum + size, PROBE_BYTES);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw Object.assign(
      new Error(`ENOSPC: ${needed} bytes of free disk space are needed to reopen the database`),
      {
        code: "ENOSPC",
      },
    );
}

async function probe(path: string): Promise<void> {
  const handle = await open(path, "w");
  try {
    await handle.writeFile(Buffer.alloc(PROBE_BYTES, 1));
    await handle.sync();
  } finally {
    await handle.close();
    await unlink(path);
  }
}
