import { join } from "node:path";
import type { BackupLocation } from "../base/backup-location.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { failedPrecondition } from "../domain/errors.ts";
import type { BackupRepository } from "../storage/backup/repository.ts";
import type { BackupSource } from "../storage/backup/write-backup.ts";
import { currentFormat, MIGRATIONS } from "../storage/migrations.ts";
import { openStorage, type Storage, type StorageOptions } from "../storage/open.ts";
import { openBackupFile, openBackupObjects, openBackups, readBackups } from "../storage/open-backups.ts";
import { UPLOADS } from "../workspace/keys.ts";
import { referencedBlobs } from "../workspace/tree/contents.ts";

/** Folder for contents on their way to an object store, in the backup folder. */
const SPOOL = ".spool";

/** Opens the storage selected by the settings. The PostgreSQL client is loaded only if needed. */
export async function openStores(
  { store }: Pick<Config, "store">,
  options: StorageOptions,
): Promise<Storage> {
  if (store === undefined) return openStorage(options);
  const { openSharedStorage } = await import("./shared-storage.ts");
  return openSharedStorage(store, options);
}

interface BackupDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens the backups at a location, by default the backup folder. Throws FAILED_PRECONDITION on a server of a
 * shared store, whose copy lacks the data of other servers. `mayWrite`: only for the single task that writes
 * to the location.
 */
export async function openBackupsOf(
  { store, backups }: Pick<Config, "store" | "backups">,
  { clock, log }: BackupDeps,
  location: BackupLocation | undefined,
  mayWrite: boolean,
): Promise<BackupRepository | undefined> {
  if (store)
    throw failedPrecondition("backups", "the records are in PostgreSQL: back it up with its own tools");
  if (location === undefined) return openBackups(backups.folder, clock);
  if (location.kind === "file") {
    const path = join(backups.folder, location.name);
    return mayWrite ? openBackupFile(path) : readBackups(path, clock);
  }
  const { objects } = backups;
  if (!objects) throw failedPrecondition("backups", "set CTXDB_BACKUP_OBJECTS to back up to an object store");
  const spoolFolder = mayWrite ? join(backups.folder, SPOOL) : undefined;
  return openBackupObjects({ ...objects, ...location, log, clock, spoolFolder });
}

/** Whether a record is useless in another folder: contents of uploads are lost when the server ends. */
export const isTransient = (key: string): boolean => key.startsWith(UPLOADS);

/** The data to back up. */
export const backupSource = ({ kv, blobs }: Pick<BackupSource, "kv" | "blobs">): BackupSource => ({
  kv,
  blobs,
  referenced: referencedBlobs,
  isTransient,
  dataFormat: currentFormat(MIGRATIONS),
});
