import { before } from "../../base/deadline.ts";
import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { checkOperator } from "../../domain/permission.ts";
import { DamagedBackup } from "../../storage/backup/manifest.ts";
import type { BackupRepository } from "../../storage/backup/repository.ts";
import { damagedObjects } from "../../storage/backup/verify-objects.ts";
import { type ServiceCall, waitSignalOf } from "../service-call.ts";
import type { BackupDeps } from "./create-backup.ts";
import { locateBackup } from "./locate-backup.ts";

/** Maximum number of damaged objects named in a response. */
const MAX_NAMED = 100;

/** POST admin/backups/{name}/verify: reads and verifies the whole backup. */
export async function verifyBackup(
  { backups }: BackupDeps,
  call: ServiceCall,
  input: { readonly name: string; readonly location?: string | undefined },
): Promise<{ sound: boolean; objects: number; damaged: string[] }> {
  checkOperator(call.caller);
  const { name } = input;
  const location = await locateBackup(backups, name, input.location);
  const verifying = backups.writing(location, async (repository) => {
    const { objects, damaged } = await damagedObjectsOf(repository, name, call.signal);
    for (const { kind, hash } of damaged) await repository.discard(kind, hash);
    return {
      sound: damaged.length === 0,
      objects,
      damaged: damaged.slice(0, MAX_NAMED).map(({ hash }) => hash),
    };
  });
  return before(waitSignalOf(call), verifying);
}

async function damagedObjectsOf(repository: BackupRepository, name: string, signal: AbortSignal) {
  try {
    const backup = await repository.manifest(name);
    if (!backup) throw notFound("backup", name);
    return await damagedObjects(repository, backup, signal);
  } catch (error) {
    if (error instanceof DamagedBackup)
      throw failedPrecondition(`backup ${name}`, `${error.message}; delete this backup`);
    throw error;
  }
}
