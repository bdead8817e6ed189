import {
  type BackupLocation,
  isWithinObjects,
  LOCATION_RULE,
  parseBackupLocation,
} from "../../base/backup-location.ts";
import { invalidArgument, permissionDenied } from "../../domain/errors.ts";

/**
 * Parses a location named by a caller. Throws INVALID_ARGUMENT, or PERMISSION_DENIED outside the backup
 * folder and the configured bucket and prefix, so that no caller makes the server write elsewhere.
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
