import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import { failedPrecondition } from "../domain/errors.ts";
import type { BackupRepository } from "../storage/backup/repository.ts";
import type { BackupSource } from "../storage/backup/write-backup.ts";
import { currentFormat, MIGRATIONS } from "../storage/migrations.ts";
import { openBackups, openStorage, type Storage, type StorageOptions } from "../storage/open.ts";
import { UPLOADS } from "../workspace/keys.ts";
import { referencedBlobs } from "../workspace/tree/contents.ts";

/** The storage that the settings ask for. The client of PostgreSQL is loaded if it is needed. */
export async function openStores(
  { store }: Pick<Config, "store">,
  options: StorageOptions,
): Promise<Storage> {
  if (store === undefined) return openStorage(options);
  const { openSharedStorage } = await import("./shared-storage.ts");
  return openSharedStorage(store, options);
}

/** The backup folder. A copy of a store is no source of backups: it lacks what other servers have. */
export async function openBackupsOf(
  { store, backups }: Pick<Config, "store" | "backups">,
  clock: Clock,
): Promise<BackupRepository> {
  if (store)
    throw failedPrecondition("backups", "the records are in PostgreSQL: back it up with its own tools");
  return openBackups(backups.folder, clock);
}

/** The data that a backup holds. Uploads are not part of it: their bytes end with the server. */
export const backupSource = ({ kv, blobs }: Pick<BackupSource, "kv" | "blobs">): BackupSource => ({
  kv,
  blobs,
  referenced: referencedBlobs,
  isTransient: (key) => key.startsWith(UPLOADS),
  dataFormat: currentFormat(MIGRATIONS),
});
