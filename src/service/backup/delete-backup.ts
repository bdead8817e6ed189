import { notFound } from "../../domain/errors.ts";
import { checkOperator } from "../../domain/permission.ts";
import { BACKUP_NAME } from "../../storage/backup/manifest.ts";
import type { ServiceCall } from "../call.ts";
import type { BackupDeps } from "./create-backup.ts";

/** DELETE admin/backups/{name}: deletes the backup, and objects that no other backup needs. */
export async function deleteBackup(
  { backups }: BackupDeps,
  call: ServiceCall,
  { name }: { readonly name: string },
): Promise<{ freedBytes: number }> {
  checkOperator(call.caller);
  const repository = await backups.repository();
  if (!BACKUP_NAME.test(name) || !(await repository.isTaken(name))) throw notFound("backup", name);
  const freedBytes = await backups.exclusive(async () => {
    await repository.remove(name);
    return repository.prune();
  });
  return { freedBytes };
}
