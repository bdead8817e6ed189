import {
  type BackupLocation,
  isWithinObjects,
  LOCATION_RULE,
  parseBackupLocation,
} from "../../base/backup-location.ts";
import { invalidArgument, notFound, permissionDenied } from "../../domain/errors.ts";
import { BACKUP_NAME } from "../../storage/backup/manifest.ts";
import type { Backups } from "./backups.ts";

/**
 * The location that a caller names, within the backup folder or the bucket and prefix of the setting, so that
 * no caller makes the server write anywhere else. Throws INVALID_ARGUMENT or PERMISSION_DENIED.
 */
export function checkedLocation(named: string, allowed: string | undefined): BackupLocation {
  const location = parseBackupLocation(named);
  if (!location) throw invalidArgument("location", LOCATION_RULE);
  if (location.kind === "file" || (allowed !== undefined && isWithinObjects(named, allowed))) return location;
  throw permissionDenied(
    `location ${named}`,
    "backups may be written to the bucket and prefix of CTXDB_BACKUP_OBJECTS alone",
  );
}

/** The location of an existing backup. Throws NOT_FOUND. */
export async function locateBackup(
  backups: Backups,
  name: string,
  named: string | undefined,
): Promise<string | undefined> {
  const location = backups.locationOf(named);
  const isThere =
    BACKUP_NAME.test(name) && (await backups.reading(location, (repository) => repository.isTaken(name)));
  if (!isThere) throw notFound("backup", name);
  return location;
}
