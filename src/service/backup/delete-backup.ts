import { checkOperator } from "../../domain/permission.ts";
import type { ServiceCall } from "../service-call.ts";
import type { BackupDeps } from "./create-backup.ts";
import { locateBackup } from "./locate-backup.ts";

/** DELETE admin/backups/{name}: deletes the backup, and objects that no other backup needs. */
export async function deleteBackup(
  { backups }: BackupDeps,
  call: ServiceCall,
  input: { readonly name: string; readonly location?: string | undefined },
): Promise<{ freedBytes: number }> {
  checkOperator(call.caller);
  const { name } = input;
  const location = await locateBackup(backups, name, input.location);
  const freedBytes = await backups.writing(location, async (repository) => {
    await repository.remove(name);
    return repository.prune();
  });
  return { freedBytes };
}
