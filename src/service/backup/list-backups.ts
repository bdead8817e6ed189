import { checkOperator } from "../../domain/permission.ts";
import type { BackupList } from "../../storage/backup/repository.ts";
import type { ServiceCall } from "../service-call.ts";
import { type BackupView, viewOfAttempt, viewOfBackup, viewOfDamaged } from "./backup-view.ts";
import type { BackupDeps } from "./create-backup.ts";

const NONE: BackupList = { backups: [], damaged: [] };

/** GET admin/backups: the running or failed backup, then all others, newest first. */
export async function listBackups(
  { backups }: BackupDeps,
  call: ServiceCall,
  input: { readonly location?: string | undefined },
): Promise<BackupView[]> {
  checkOperator(call.caller);
  const { attempt } = backups;
  const location = backups.locationOf(input.location);
  const found = (await backups.reading(location, (repository) => repository.list())) ?? NONE;
  const own = attempt?.location === location ? attempt : undefined;
  // a backup that is written still runs while it removes what others have left
  const others = found.backups.filter(({ name }) => name !== own?.name);
  return [
    ...(own ? [viewOfAttempt(own)] : []),
    ...others.map(viewOfBackup),
    ...found.damaged.map(({ name, reason }) => viewOfDamaged(name, reason)),
  ];
}
