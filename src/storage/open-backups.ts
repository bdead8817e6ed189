import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { ignoreMissing } from "../base/faults.ts";
import { failedPrecondition } from "../domain/errors.ts";
import type { BackupRepository } from "./backup/repository.ts";
import { StoredBackups } from "./backup/tar-or-bucket-backups.ts";
import { DiskBackups } from "./disk/disk-backups.ts";
import { writeNew } from "./disk/files.ts";
import { TarFiles } from "./disk/tar-files.ts";
import { partOf } from "./part-of-file.ts";
import type { S3Options } from "./s3/s3-client.ts";

/** Private mode, because backups contain the texts and key hashes of all accounts. */
const FOLDER_MODE = 0o700;

/** Opens the backup folder for the only process that writes to it; creates it if missing. */
export const openBackups = (folder: string, clock: Clock): Promise<BackupRepository> =>
  DiskBackups.open(folder, clock);

/** Opens a tar file of backups for the only process that writes to it; creates it if missing. */
export async function openBackupFile(path: string): Promise<BackupRepository> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return new StoredBackups(await TarFiles.open(path));
}

/** Opens a backup folder, or a tar file of backups, for reading; undefined if it is neither. */
export async function readBackups(path: string, clock: Clock): Promise<BackupRepository | undefined> {
  const found = await stat(path).catch(ignoreMissing);
  if (!found?.isFile()) return DiskBackups.reading(path, clock);
  const files = await TarFiles.reading(path);
  return files && new StoredBackups(files);
}

export interface BackupObjects extends S3Options {
  /** Prefix of all keys; ends with a slash unless it is empty. */
  readonly prefix: string;
  /** Folder of this process for contents that are being uploaded; undefined: only reading. */
  readonly spoolFolder: string | undefined;
  readonly clock: Clock;
}

/** Opens the backups of an object store. Throws FAILED_PRECONDITION if the bucket cannot be used. */
export async function openBackupObjects(options: BackupObjects): Promise<BackupRepository> {
  const { prefix, spoolFolder, clock } = options;
  const { S3Client } = await import("./s3/s3-client.ts");
  const { S3BackupFiles } = await import("./s3/s3-backup-files.ts");
  const client = new S3Client(options);
  try {
    const fault = await client.fault();
    if (fault !== undefined) throw failedPrecondition("backups", fault);
    if (spoolFolder !== undefined) await emptied(spoolFolder);
  } catch (error) {
    client.close();
    throw error;
  }
  return new StoredBackups(new S3BackupFiles({ client, prefix, clock, spool: spoolIn(spoolFolder) }));
}

async function emptied(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
}

const spoolIn =
  (folder: string | undefined) => async (content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    if (folder === undefined) throw new Error("the backups are open for reading");
    const path = join(folder, randomUUID());
    const { hash, bytes } = await writeNew(path, content);
    return { hash, bytes, open: partOf(path), remove: () => rm(path, { force: true }) };
  };
