import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { codeOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";
import { StartError } from "../base/start-error.ts";
import { type Trace, untraced } from "../base/trace.ts";
import type { Blobs } from "./blobs.ts";
import { formatOf, openFormat, openPrivateFolder, writeFormat } from "./disk/data-folder.ts";
import { DiskBlobs } from "./disk/disk-blobs.ts";
import { DiskScratch } from "./disk/disk-scratch.ts";
import { Spool } from "./disk/spool.ts";
import { KvDirectory } from "./embedded/kv-directory.ts";
import { KvFacts } from "./embedded/kv-facts.ts";
import { SoleOwner } from "./embedded/sole-owner.ts";
import type { Kv } from "./kv.ts";
import { LevelKv } from "./level/level-kv.ts";
import { ProcessLock } from "./level/process-lock.ts";
import type { Migration } from "./migration.ts";
import { currentFormat, MIGRATIONS, pendingMigrations } from "./migrations.ts";
import type { HandOverQueue } from "./placement.ts";
import type { Scratch } from "./scratch.ts";
import { type Members, type Placing, Stores } from "./stores.ts";
import { TracedKv } from "./traced-kv.ts";

export interface Cluster {
  readonly members: Members;
  readonly handOvers: Placing & HandOverQueue;
  /** Key with which the servers of a store sign forwarded requests. */
  readonly secret: Uint8Array;
}

export interface Storage {
  readonly stores: Stores;
  /** The servers of the store; undefined if no other server uses it. */
  readonly cluster?: Cluster;
  /** The key-value store behind `stores`. */
  readonly kv: Kv;
  readonly blobs: Blobs;
  /** Files that can be rebuilt from the key-value store: index segments and checkpoints. */
  readonly index: DiskBlobs;
  /** Drops the cached contents of a bucket; undefined without a cache. */
  readonly dropCached?: (bucket: string) => Promise<void>;
  readonly spool: Spool;
  readonly scratch: Scratch;
  /** Waits for running writes and releases the lock. */
  readonly close: () => Promise<void>;
}

export interface StorageOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly trace?: Trace;
  /**
   * Called once if memory and disk may differ. All reads and writes are then refused, and the process must
   * end.
   */
  readonly onBroken?: (error: Error) => void;
  /** If false, rejects with a StartError for an older format without changing anything. */
  readonly mayMigrate?: boolean;
  /** For tests; the default is the migrations of this version. */
  readonly migrations?: readonly Migration[];
}

/** Pending migrations of a data directory; empty unless its format is older. */
export async function migrationsOf(
  dataDir: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  const format = Number((await formatOf(dataDir))?.split(" ")[1]);
  return (pendingMigrations(format, migrations) ?? []).map(({ what }) => what);
}

function notMigrated(dataDir: string, pending: readonly Migration[]): StartError {
  const steps = pending.map(({ what }) => what).join("; ");
  return new StartError(
    `the data directory ${dataDir} was written by an earlier version: start the server once, which ${steps}`,
  );
}

/** Id of the living process that holds a data directory. */
export const holderOf = (dataDir: string): Promise<number | undefined> => ProcessLock.holder(dataDir);

/**
 * Opens and locks the data directory until `close`. Migrates an older format step by step. Rejects with a
 * StartError if another server uses the directory, its format is unknown, or it is damaged or not writable.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { dataDir, log, clock, trace = untraced, onBroken, migrations = MIGRATIONS } = options;
  await openPrivateFolder(dataDir, log).catch((error) => {
    throw new StartError(
      `the data directory ${dataDir} cannot be created (${codeOf(error)}): check its path, or set CTXDB_DATA_DIR to another folder`,
      error,
    );
  });
  const lock = await ProcessLock.take(dataDir);
  let kv: Kv | undefined;
  try {
    const format = await openFormat(dataDir, currentFormat(migrations));
    const pending = pendingMigrations(format, migrations) ?? [];
    if (pending.length > 0 && options.mayMigrate === false) throw notMigrated(dataDir, pending);
    kv = await LevelKv.open(join(dataDir, "kv"), log, onBroken);
    const blobs = await DiskBlobs.open(join(dataDir, "buckets"), clock);
    for (const [at, migration] of pending.entries()) {
      log.info({ dataDir, to: format + at + 1 }, `migrating the data directory: ${migration.what}`);
      await migration.run({ kv, blobs });
      await writeFormat(dataDir, format + at + 1);
    }
    const index = await DiskBlobs.open(join(dataDir, "index"), clock);
    const spool = await Spool.open(join(dataDir, "uploads"));
    const scratch = await DiskScratch.open(join(dataDir, "scratch"));
    const opened = kv;
    const close = () => closeAll(opened, lock);
    const traced = trace === untraced ? kv : new TracedKv(kv, trace);
    return { stores: soleStores(traced), kv: traced, blobs, index, spool, scratch, close };
  } catch (error) {
    await closeAll(kv, lock);
    if (error instanceof StartError) throw error;
    throw new StartError(
      `the data directory ${dataDir} cannot be used (${codeOf(error)}): check its permissions, or set CTXDB_DATA_DIR to another folder`,
      error,
    );
  }
}

/** Stores of a server that shares them with no other. */
export const soleStores = (kv: Kv): Stores =>
  new Stores({
    kv,
    facts: new KvFacts(kv),
    directory: new KvDirectory(kv),
    ownership: new SoleOwner(),
  });

async function closeAll(kv: Kv | undefined, lock: ProcessLock): Promise<void> {
  try {
    await kv?.close();
  } finally {
    await lock.release();
  }
}
