import { notFound } from "../../domain/errors.ts";
import { BACKUP_NAME } from "../../storage/backup/manifest.ts";
import type { Backups } from "./backups.ts";

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
