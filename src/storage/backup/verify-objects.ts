import { isSystemError } from "../../base/faults.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { BackupManifest } from "./manifest.ts";
import type { BackupRepository, ObjectKind } from "./repository.ts";

interface BackupObject {
  readonly kind: ObjectKind;
  readonly hash: string;
}

/** Reads every object of a backup once; returns their number, and the objects that are missing or damaged. */
export async function damagedObjects(
  repository: BackupRepository,
  backup: BackupManifest,
  signal: AbortSignal,
  onProgress: (done: number) => void = () => undefined,
): Promise<{ readonly objects: number; readonly damaged: readonly BackupObject[] }> {
  const damaged: BackupObject[] = [];
  let objects = 0;
  for await (const object of objectsOf(repository, backup)) {
    signal.throwIfAborted();
    if (!(await isSound(repository, object))) damaged.push(object);
    onProgress(++objects);
  }
  return { objects, damaged };
}

async function* objectsOf(
  repository: BackupRepository,
  backup: BackupManifest,
): AsyncGenerator<BackupObject> {
  for (const hash of new Set(backup.segments)) yield { kind: "records", hash };
  const seen = new Set<string>();
  for await (const { hash } of repository.contents(backup)) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    yield { kind: "contents", hash };
  }
}

async function isSound(repository: BackupRepository, { kind, hash }: BackupObject): Promise<boolean> {
  if (!(await repository.has(kind, hash))) return false;
  try {
    for await (const _ of repository.stream(kind, hash));
    return true;
  } catch (error) {
    // an error of the disk or of the object store does not mean that the object is damaged
    if (isSystemError(error) || error instanceof ServiceError) throw error;
    return false;
  }
}
