import { checkOperator } from "../../domain/permission.ts";
import type { ServiceCall } from "../call.ts";
import { type BackupView, viewOfAttempt, viewOfBackup, viewOfDamaged } from "./backup-view.ts";
import type { BackupDeps } from "./create-backup.ts";

/** GET admin/backups: the running or failed backup, then all others, newest first. */
export async function listBackups({ backups }: BackupDeps, call: ServiceCall): Promise<BackupView[]> {
  checkOperator(call.caller);
  const { attempt } = backups;
  const found = await (await backups.repository()).list();
  return [
    ...(attempt ? [viewOfAttempt(attempt)] : []),
    ...found.backups.map(viewOfBackup),
    ...found.damaged.map(({ name, reason }) => viewOfDamaged(name, reason)),
  ];
}
