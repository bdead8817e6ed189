import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import { failedPrecondition } from "../domain/errors.ts";
import type { BackupRepository } from "../storage/backup/repository.ts";
import type { BackupSource } from "../storage/backup/write-backup.ts";
import { currentFormat, MIGRATIONS } from "../storage/migrations.ts";
import { openBackups, openStorage, type Storage, type StorageOptions } from "../storage/open.ts";
import { UPLOADS } from "../workspace/keys.ts";
import { referencedBlobs } from "../workspace/tree/contents.ts";

/** Opens the storage selected by the settings. The PostgreSQL client is loaded only if needed. */
export async function openStores(
  { store }: Pick<Config, "store">,
  options: StorageOptions,
): Promise<Storage> {
  if (store === undefined) return openStorage(options);
  const { openSharedStorage } = await import("./shared-storage.ts");
  return openSharedStorage(store, options);
}

/**
 * The backup folder. A server of a shared store has none, because its copy lacks the data of other servers.
 */
export async function openBackupsOf(
  { store, backups }: Pick<Config, "store" | "backups">,
  clock: Clock,
): Promise<BackupRepository> {
  if (store)
    throw failedPrecondition("backups", "the records are in PostgreSQL: back it up with its own tools");
  return openBackups(backups.folder, clock);
}

/** The data to back up. Uploads are excluded, because their contents are lost when the server ends. */
export const backupSource = ({ kv, blobs }: Pick<BackupSource, "kv" | "blobs">): BackupSource => ({
  kv,
  blobs,
  referenced: referencedBlobs,
  isTransient: (key) => key.startsWith(UPLOADS),
  dataFormat: currentFormat(MIGRATIONS),
});
