import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../base/faults.ts";
import { StartError } from "../base/start-error.ts";
import type { BackupManifest } from "./backup/manifest.ts";
import type { BackupRepository } from "./backup/repository.ts";
import { type Restored, type RestoreOptions, restoreBackup } from "./backup/restore-backup.ts";
import { openPrivateFolder, writeFormat } from "./disk/data-folder.ts";
import { DiskBlobs } from "./disk/disk-blobs.ts";
import type { Kv } from "./kv.ts";
import { LevelKv } from "./level/level-kv.ts";
import { currentFormat, FIRST_FORMAT, MIGRATIONS, pendingMigrations } from "./migrations.ts";
import type { StorageOptions } from "./open.ts";

/**
 * Restores a data directory, which must be empty or missing, from a backup. It is complete once its format
 * file exists, which is written last; on failure, incomplete files are removed. Rejects with a StartError if
 * the directory contains files or the backup has an unsupported format.
 */
export async function restoreDataDir(
  repository: BackupRepository,
  backup: BackupManifest,
  { dataDir, log, clock, ...options }: RestoreOptions & Pick<StorageOptions, "dataDir" | "log" | "clock">,
): Promise<Restored> {
  if (pendingMigrations(backup.dataFormat, MIGRATIONS) === undefined)
    throw new StartError(
      `backup ${backup.name} has data format ${backup.dataFormat}; this version can restore formats ${FIRST_FORMAT} to ${currentFormat(MIGRATIONS)}`,
    );
  const there = await readdir(dataDir).catch(ignoreMissing);
  if (there !== undefined && there.length > 0)
    throw new StartError(`${dataDir} is not empty: choose a new folder, or move this one away`);
  await openPrivateFolder(dataDir, log);
  const folders = { kv: join(dataDir, "kv"), blobs: join(dataDir, "buckets") };
  let kv: Kv | undefined;
  try {
    kv = await LevelKv.open(folders.kv, log);
    const blobs = await DiskBlobs.open(folders.blobs, clock);
    const restored = await restoreBackup(repository, backup, { kv, blobs }, options);
    await kv.close();
    await writeFormat(dataDir, backup.dataFormat);
    return restored;
  } catch (error) {
    await kv?.close();
    for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
