import { resolve } from "node:path";
import { isWithinObjects, LOCATION_RULE, parseBackupLocation } from "../base/backup-location.ts";
import type { SettingName, Settings } from "./settings.ts";
import { type BucketConfig, bucketOf, needless } from "./shared-store.ts";

export interface BackupsConfig {
  readonly folder: string;
  /** Bucket and prefix to which callers may write backups; undefined: none. */
  readonly objects: BucketConfig | undefined;
  /** Default location of backups; undefined means the backup folder. */
  readonly to: string | undefined;
  /** Hours between scheduled backups; undefined if none. */
  readonly everyHours: number | undefined;
  /** Number of scheduled backups to keep. */
  readonly keep: number;
  readonly bytesPerSecond: number;
}

const OF_OBJECTS: readonly SettingName[] = [
  "CTXDB_BACKUP_OBJECTS_ENDPOINT",
  "CTXDB_BACKUP_OBJECTS_REGION",
  "CTXDB_BACKUP_OBJECTS_ACCESS_KEY",
  "CTXDB_BACKUP_OBJECTS_SECRET_KEY",
];
const KEYS = ["CTXDB_BACKUP_OBJECTS_ACCESS_KEY", "CTXDB_BACKUP_OBJECTS_SECRET_KEY"] as const;

export function backupFaults(found: Settings): string[] {
  const { CTXDB_BACKUP_OBJECTS: objects, CTXDB_BACKUP_TO: to } = found;
  const faults = needless(found, "CTXDB_BACKUP_OBJECTS", OF_OBJECTS);
  if (objects !== undefined)
    for (const name of KEYS)
      if (found[name] === undefined) faults.push(`${name} is required with CTXDB_BACKUP_OBJECTS`);
  const location = to === undefined ? undefined : parseBackupLocation(to);
  if (to !== undefined && location === undefined) faults.push(`CTXDB_BACKUP_TO ${LOCATION_RULE}`);
  if (location?.kind === "objects" && (objects === undefined || !isWithinObjects(to ?? "", objects)))
    faults.push("CTXDB_BACKUP_TO must be the bucket and prefix of CTXDB_BACKUP_OBJECTS, or below them");
  return faults;
}

/** `base`: folder to which relative paths refer. */
export const backupsOf = (found: Settings, base: string): BackupsConfig => ({
  folder: resolve(base, found.CTXDB_BACKUP_DIR ?? `${resolve(base, found.CTXDB_DATA_DIR)}-backups`),
  objects: bucketOf({
    url: found.CTXDB_BACKUP_OBJECTS,
    endpoint: found.CTXDB_BACKUP_OBJECTS_ENDPOINT,
    region: found.CTXDB_BACKUP_OBJECTS_REGION,
    accessKey: found.CTXDB_BACKUP_OBJECTS_ACCESS_KEY,
    secretKey: found.CTXDB_BACKUP_OBJECTS_SECRET_KEY,
  }),
  to: found.CTXDB_BACKUP_TO,
  everyHours: found.CTXDB_BACKUP_HOURS,
  keep: found.CTXDB_BACKUP_KEEP,
  bytesPerSecond: found.CTXDB_BACKUP_BYTES_PER_SECOND,
});
