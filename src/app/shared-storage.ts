import { rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";
import { StartError } from "../base/start-error.ts";
import type { ObjectsConfig, StoreConfig } from "../config/shared-store.ts";
import { ServiceError } from "../domain/errors.ts";
import { workspaceId } from "../domain/ids.ts";
import type { Blobs } from "../storage/blobs.ts";
import { openCopyFolder, openPrivateFolder } from "../storage/disk/data-folder.ts";
import { DiskBlobs } from "../storage/disk/disk-blobs.ts";
import { DiskScratch } from "../storage/disk/disk-scratch.ts";
import { Spool } from "../storage/disk/spool.ts";
import { LevelFile } from "../storage/level/level-file.ts";
import { ProcessLock } from "../storage/level/process-lock.ts";
import type { Storage, StorageOptions } from "../storage/open.ts";
import { openShared, type SharedStores } from "../storage/postgres/open.ts";
import { TEXTS } from "../storage/record-codec.ts";
import { BlobCache } from "../storage/s3/blob-cache.ts";
import { S3Blobs } from "../storage/s3/s3-blobs.ts";
import { S3Client } from "../storage/s3/s3-client.ts";
import { settledSecret } from "../storage/server-secret.ts";
import type { Stores } from "../storage/stores.ts";

/** Name of the server fact with the location of large contents. */
export const PLACE_OF_CONTENTS = "m/contents";
/** Name of the secret with which servers sign forwarded requests, and its length in bytes. */
export const FORWARDING = "forwarding";
const FORWARDING_BYTES = 32;

/**
 * Opens a store of several servers: records in PostgreSQL, with a copy in the data directory to read from.
 * Rejects with a StartError if the store or the directory cannot be used, or they do not belong together.
 */
export async function openSharedStorage(
  store: StoreConfig,
  { dataDir, log, clock, trace, onBroken }: StorageOptions,
): Promise<Storage> {
  const folderFault = (error: unknown) =>
    new StartError(
      `the data directory ${dataDir} cannot be used (${codeOf(error)}): set CTXDB_DATA_DIR to a folder that the server can read and write`,
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
    copy = await openCopy(join(dataDir, "copy"), log);
    const { url, memberUrl, leaseSeconds, objects, retentionMs } = store;
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
    const { stores, members, handOvers, close } = shared;
    const place = objects ? objects.url : `the data directory with the id ${folder}`;
    await checkContents(stores, place);
    const opened = objects && (await openObjects(objects, stores, { dataDir, clock, log, retentionMs }));
    const blobs = opened?.blobs ?? (await DiskBlobs.open(join(dataDir, "buckets"), clock, retentionMs));
    const closeAll = async () => {
      opened?.close();
      await close().finally(() => lock.release());
    };
    const secret = await settledSecret(stores.facts, FORWARDING, FORWARDING_BYTES);
    const cluster = { members, handOvers, secret };
    const dropCached = opened && { dropCached: opened.dropCached };
    return { stores, cluster, kv: stores.kv, blobs, index, ...dropCached, spool, scratch, close: closeAll };
  } catch (error) {
    await (shared ? shared.close() : copy?.close());
    await lock.release();
    throw error instanceof StartError ? error : folderFault(error);
  }
}

/** Verifies that all servers store large contents in the same place. */
async function checkContents({ facts }: Stores, here: string): Promise<void> {
  const place = await facts.settle(PLACE_OF_CONTENTS, TEXTS, here);
  if (place === here) return;
  throw new StartError(
    `the large contents of the store are in ${place}, not in ${here}: ` +
      "set CTXDB_OBJECTS as on the first server of this store; if it is not set there, set the same CTXDB_DATA_DIR",
  );
}

/** Opens the bucket for large contents, with a cache in the data directory. */
async function openObjects(
  objects: ObjectsConfig,
  stores: Stores,
  {
    dataDir,
    log,
    ...options
  }: Pick<StorageOptions, "dataDir" | "clock" | "log"> & { readonly retentionMs: number },
): Promise<{
  readonly blobs: Blobs;
  readonly dropCached: (bucket: string) => Promise<void>;
  readonly close: () => void;
}> {
  const client = new S3Client({ ...objects, log });
  const close = () => client.close();
  try {
    const fault = await client.fault();
    if (fault !== undefined) throw new StartError(`CTXDB_OBJECTS cannot be used: ${fault}`);
    const files = await DiskBlobs.open(join(dataDir, "cache"), options.clock);
    const cache = await BlobCache.open(files, objects.cacheBytes, log);
    const turnOf = (bucket: string) => stores.holding(workspaceId(Number.parseInt(bucket, 36)));
    const blobs = new S3Blobs({ client, cache, prefix: objects.prefix, turnOf, ...options });
    return { blobs, dropCached: (bucket) => cache.drop(bucket), close };
  } catch (error) {
    close();
    if (error instanceof ServiceError)
      throw new StartError(`CTXDB_OBJECTS cannot be used: ${objects.endpoint} does not answer`, error);
    throw error;
  }
}

/** Deletes an unreadable copy; it is loaded again. */
async function openCopy(folder: string, log: Log): Promise<LevelFile> {
  try {
    return await LevelFile.open(folder, log);
  } catch (error) {
    log.warn({ err: error, folder }, "the copy of the store cannot be read and is loaded again");
    await rm(folder, { recursive: true, force: true });
    return LevelFile.open(folder, log);
  }
}
