import { checkOperator } from "../../domain/permission.ts";
import type { ServiceCall } from "../call.ts";
import type { BackupDeps } from "./create-backup.ts";
import { placeOfBackup } from "./place-of-backup.ts";

/** DELETE admin/backups/{name}: deletes the backup, and objects that no other backup needs. */
export async function deleteBackup(
  { backups }: BackupDeps,
  call: ServiceCall,
  { name, location }: { readonly name: string; readonly location?: string | undefined },
): Promise<{ freedBytes: number }> {
  checkOperator(call.caller);
  const place = await placeOfBackup(backups, name, location);
  const freedBytes = await backups.writing(place, async (repository) => {
    await repository.remove(name);
    return repository.prune();
  });
  return { freedBytes };
}
