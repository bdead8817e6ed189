import { parseBackupLocation } from "../base/backup-location.ts";
import type { Clock } from "../base/clock.ts";
import { isSystemError, messageOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";
import { StartError } from "../base/start-error.ts";
import type { BucketConfig } from "../config/shared-store.ts";
import { ServiceError } from "../domain/errors.ts";
import { IDENTIFIER_RULE, isAccountId } from "../domain/ids.ts";
import type { BackupManifest } from "../storage/backup/manifest.ts";
import type { BackupRepository } from "../storage/backup/repository.ts";
import {
  type Restored,
  type RestoreSelection,
  recordsOf,
  WHOLE_BACKUP,
} from "../storage/backup/restore-backup.ts";
import { openBackupObjects, readBackups } from "../storage/open-backups.ts";
import { restoreDataDir } from "../storage/restore-data-dir.ts";
import { AccountSelection } from "./account-selection.ts";

interface RestoreFolderOptions {
  /** Backup folder, tar file of backups, or bucket and prefix of an object store. */
  readonly from: string;
  /** Access to the object store; undefined if there is none. */
  readonly objects?: Omit<BucketConfig, "url" | "bucket" | "prefix"> | undefined;
  /** Name of the backup; the newest by default. */
  readonly name: string | undefined;
  /** Must be empty or missing. */
  readonly dataDir: string;
  /** Restores only this account, renamed to `as` if given. */
  readonly account: string | undefined;
  readonly as: string | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly onProgress: (done: number, total: number) => void;
}

/** Restores a data directory from a backup. Rejects with a StartError that names the problem. */
export async function restoreFolder(
  options: RestoreFolderOptions,
): Promise<Restored & { readonly backup: BackupManifest }> {
  const repository = await repositoryAt(options);
  try {
    return await restoreFrom(repository, options);
  } finally {
    await repository.close();
  }
}

async function repositoryAt({ from, objects, log, clock }: RestoreFolderOptions): Promise<BackupRepository> {
  const location = from.startsWith("s3://") ? parseBackupLocation(from) : undefined;
  if (location?.kind === "objects") {
    if (!objects)
      throw new StartError(
        "set CTXDB_BACKUP_OBJECTS, CTXDB_BACKUP_OBJECTS_ACCESS_KEY and CTXDB_BACKUP_OBJECTS_SECRET_KEY to restore from an object store",
      );
    return openBackupObjects({ ...objects, ...location, log, clock, spoolFolder: undefined });
  }
  const repository = await readBackups(from, clock);
  if (!repository)
    throw new StartError(
      `${from} is neither a backup folder nor a file of backups: give the CTXDB_BACKUP_DIR of the server, or a tar file in it`,
    );
  return repository;
}

async function restoreFrom(
  repository: BackupRepository,
  options: RestoreFolderOptions,
): Promise<Restored & { readonly backup: BackupManifest }> {
  const { account, as } = options;
  const backup = await chosen(repository, options);
  const select = account === undefined ? WHOLE_BACKUP : await selectionOf(repository, backup, account, as);
  const restored = await restoreDataDir(repository, backup, { ...options, select }).catch((error) => {
    throw isOfMachine(error)
      ? error
      : new StartError(
          `nothing was restored, because backup ${backup.name} is damaged: ${messageOf(error)}; choose another backup with --backup`,
          error,
        );
  });
  return { ...restored, backup };
}

/** Whether the error is a refusal or a disk error, so that the backup itself may be intact. */
const isOfMachine = (error: unknown): boolean =>
  error instanceof StartError || error instanceof ServiceError || isSystemError(error);

async function chosen(
  repository: BackupRepository,
  { from, name }: Pick<RestoreFolderOptions, "from" | "name">,
): Promise<BackupManifest> {
  const { backups, damaged } = await repository.list();
  const backup = name === undefined ? backups[0] : backups.find((one) => one.name === name);
  if (backup) return backup;
  const fault = damaged.find((one) => one.name === name);
  if (fault) throw new StartError(`backup ${fault.name} cannot be read: ${fault.reason}`);
  const names = backups.map((one) => one.name).slice(0, 5);
  const there = names.length === 0 ? "there is no backup" : `there are ${names.join(", ")}`;
  throw new StartError(`no backup ${name ?? ""} in ${from}: ${there}`);
}

async function selectionOf(
  repository: BackupRepository,
  backup: BackupManifest,
  account: string,
  as: string | undefined,
): Promise<RestoreSelection> {
  if (as !== undefined && !isAccountId(as))
    throw new StartError(`--as ${JSON.stringify(as)}: the id of an account ${IDENTIFIER_RULE}`);
  const records = recordsOf(repository, backup);
  const selection = isAccountId(account) ? await AccountSelection.find(records, account, as) : undefined;
  if (!selection) throw new StartError(`backup ${backup.name} has no account ${account}`);
  return selection;
}
