import { before } from "../../base/deadline.ts";
import { alreadyExists, invalidArgument } from "../../domain/errors.ts";
import { checkOperator } from "../../domain/permission.ts";
import { BACKUP_NAME } from "../../storage/backup/manifest.ts";
import { type ServiceCall, waitSignalOf } from "../service-call.ts";
import { type BackupView, viewOfAttempt, viewOfBackup } from "./backup-view.ts";
import { type Backups, nameOf } from "./backups.ts";

export interface BackupDeps {
  readonly backups: Backups;
  readonly clock: () => number;
}

/** POST admin/backups: creates a consistent snapshot while the server keeps serving. */
export async function createBackup(
  { backups, clock }: BackupDeps,
  call: ServiceCall,
  input: {
    readonly name?: string | undefined;
    readonly wait?: boolean | undefined;
    readonly location?: string | undefined;
  },
): Promise<BackupView> {
  checkOperator(call.caller);
  const name = input.name ?? nameOf(clock());
  if (!BACKUP_NAME.test(name))
    throw invalidArgument(
      "name",
      "must be 1 to 64 characters of a-z 0-9 _ - and start with a letter or digit",
    );
  // report a name in use at once, even to a caller who does not wait for the backup
  const location = backups.locationOf(input.location);
  const isTaken = await backups.reading(location, (repository) => repository.isTaken(name));
  if (isTaken) throw alreadyExists("backup", name);
  const { done } = backups.begin(name, { location });
  if (input.wait ?? true) return viewOfBackup(await before(waitSignalOf(call), done));
  done.catch(() => undefined);
  return viewOfAttempt({
    name,
    location,
    scheduled: false,
    startedAt: clock(),
    addedBytes: 0,
    error: undefined,
  });
}
