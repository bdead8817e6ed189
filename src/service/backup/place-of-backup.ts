import { notFound } from "../../domain/errors.ts";
import { BACKUP_NAME } from "../../storage/backup/manifest.ts";
import type { Backups } from "./backups.ts";

/** The place of an existing backup. Throws NOT_FOUND. */
export async function placeOfBackup(
  backups: Backups,
  name: string,
  location: string | undefined,
): Promise<string | undefined> {
  const place = backups.placeOf(location);
  const isThere =
    BACKUP_NAME.test(name) && (await backups.reading(place, (repository) => repository.isTaken(name)));
  if (!isThere) throw notFound("backup", name);
  return place;
}
