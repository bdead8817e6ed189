import { rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";
import { StartError } from "../base/start-error.ts";
import { openCopyFolder, openPrivateFolder } from "../storage/disk/data-folder.ts";
import { DiskBlobs } from "../storage/disk/disk-blobs.ts";
import { DiskScratch } from "../storage/disk/disk-scratch.ts";
import { Spool } from "../storage/disk/spool.ts";
import { LevelFile } from "../storage/level/level-file.ts";
import { ProcessLock } from "../storage/level/process-lock.ts";
import type { Storage, StorageOptions } from "../storage/open.ts";
import { openShared, type SharedStores } from "../storage/postgres/open.ts";
import { TEXTS } from "../storage/records.ts";
import type { Stores } from "../storage/stores.ts";

/** Where large contents are. */
const PLACE_OF_CONTENTS = "m/contents";

export interface StoreSettings {
  /** `postgres://…` */
  readonly url: string;
  readonly leaseSeconds: number;
  /** How other servers reach this one. */
  readonly memberUrl: string;
}

/**
 * Opens a store of several servers: records in PostgreSQL, with a copy in the data directory to read from.
 * Rejects with a StartError if the store or the directory cannot be used, or they do not belong together.
 */
export async function openSharedStorage(
  store: StoreSettings,
  { dataDir, log, clock, trace, onBroken }: StorageOptions,
): Promise<Storage> {
  const folderFault = (error: unknown) =>
    new StartError(
      `the data directory ${dataDir} cannot be used (${codeOf(error)}); see CTXDB_DATA_DIR`,
      error,
    );
  await openPrivateFolder(dataDir, log).catch((error) => {
    throw folderFault(error);
  });
  const lock = await ProcessLock.take(dataDir);
  let copy: LevelFile | undefined;
  let shared: SharedStores | undefined;
  try {
    const folder = await openCopyFolder(dataDir);
    const index = await DiskBlobs.open(join(dataDir, "index"), clock);
    const spool = await Spool.open(join(dataDir, "uploads"));
    const scratch = await DiskScratch.open(join(dataDir, "scratch"));
    const blobs = await DiskBlobs.open(join(dataDir, "buckets"), clock);
    copy = await openCopy(join(dataDir, "copy"), log);
    const { url, memberUrl, leaseSeconds } = store;
    shared = await openShared({
      url,
      memberUrl,
      leaseMs: leaseSeconds * 1000,
      copy,
      clock,
      log,
      ...(trace && { trace }),
      ...(onBroken && { onBroken }),
    });
    const { stores, close } = shared;
    await checkContents(stores, `folder ${folder}`, dataDir);
    return {
      stores,
      kv: stores.kv,
      blobs,
      index,
      spool,
      scratch,
      close: () => close().finally(() => lock.release()),
    };
  } catch (error) {
    await (shared ? shared.close() : copy?.close());
    await lock.release();
    throw error instanceof StartError ? error : folderFault(error);
  }
}

/** Contents that are in one place alone are missing everywhere else. */
async function checkContents({ facts }: Stores, here: string, dataDir: string): Promise<void> {
  const place = await facts.settle(PLACE_OF_CONTENTS, TEXTS, here);
  if (place === here) return;
  throw new StartError(
    `the large contents of the store are in the data directory of another server, not in ${dataDir}: ` +
      "start the server with that CTXDB_DATA_DIR",
  );
}

/** A copy that cannot be read is thrown away: it is loaded again. */
async function openCopy(folder: string, log: Log): Promise<LevelFile> {
  try {
    return await LevelFile.open(folder, log);
  } catch (error) {
    log.warn({ err: error, folder }, "the copy of the store cannot be read and is loaded again");
    await rm(folder, { recursive: true, force: true });
    return LevelFile.open(folder, log);
  }
}
