import { EventLoopYielder } from "../../base/event-loop.ts";
import { sha256InTurns } from "../../base/sha256.ts";
import { BACKUP_NAME, type BackupManifest, DamagedBackup } from "./manifest.ts";
import type { BackupList, BackupRepository, ContentName, ObjectKind } from "./repository.ts";

/** Endings of the files of a backup. */
export const MANIFEST = ".json";
export const CONTENTS = ".contents";

/**
 * Maximum bytes of a manifest or list, and of an object with records, because the files may be untrusted. A
 * list of four million contents fits.
 */
export const MAX_TEXT_BYTES = 400 * 1024 * 1024;
export const MAX_RECORDS_BYTES = 300 * 1024 * 1024;

/** Name of the backup whose manifest a file is; undefined for other files. */
export function backupOfManifest(file: string): string | undefined {
  const name = file.endsWith(MANIFEST) ? file.slice(0, -MANIFEST.length) : "";
  return BACKUP_NAME.test(name) ? name : undefined;
}

/** The backups of these names, newest first, and those whose manifests cannot be read. */
export async function listBackupsOf(
  { manifest }: Pick<BackupRepository, "manifest">,
  names: Iterable<string>,
): Promise<BackupList> {
  const backups: BackupManifest[] = [];
  const damaged: { name: string; reason: string }[] = [];
  for (const name of names) {
    try {
      const found = await manifest(name);
      if (found) backups.push(found);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push({ name, reason: error.message });
    }
  }
  backups.sort((a, b) => b.createdAt - a.createdAt);
  return { backups, damaged };
}

/** Number of lines written without a yield. */
const LINES_PER_PIECE = 1000;

/** The file `NAME.contents` in pieces, with yields: it has a line for every large content of all accounts. */
export async function* contentList(contents: readonly ContentName[]): AsyncGenerator<Buffer> {
  const yielder = new EventLoopYielder();
  for (let at = 0; at < contents.length; at += LINES_PER_PIECE) {
    const lines = contents.slice(at, at + LINES_PER_PIECE).map(({ bucket, hash }) => `${bucket} ${hash}\n`);
    yield Buffer.from(lines.join(""));
    await yielder.yieldIfDue();
  }
}

/** In an object store, the turn of its writer is part of a content's name (decision 37). */
const CONTENT_LINE = /^([a-z0-9][a-z0-9_-]{0,63}) ([0-9a-f]{64}(?:-[0-9a-z]{1,13})?)$/;
const LINE_FEED = 10;

/**
 * Parses `NAME.contents` with yields: it has a line for every large content of all accounts. Throws
 * DamagedBackup if it is missing, does not match its hash, or names anything but contents.
 */
export async function* contentsIn(
  { name, contentsHash }: BackupManifest,
  list: Uint8Array | undefined,
): AsyncGenerator<ContentName> {
  if (list === undefined || (await sha256InTurns(list)) !== contentsHash)
    throw new DamagedBackup(`the list of its contents, ${name}${CONTENTS}, is missing or damaged`);
  const yielder = new EventLoopYielder();
  const lines = Buffer.from(list.buffer, list.byteOffset, list.byteLength);
  for (let at = 0; at < lines.byteLength; ) {
    const end = lines.indexOf(LINE_FEED, at);
    const [, bucket, hash] = CONTENT_LINE.exec(lines.toString("latin1", at, end < 0 ? at : end)) ?? [];
    if (bucket === undefined || hash === undefined)
      throw new DamagedBackup(`the list of its contents, ${name}${CONTENTS}, names something else`);
    yield { bucket, hash };
    at = end + 1;
    await yielder.yieldIfDue();
  }
}

/** Hashes of the objects that backups refer to; undefined if one of them is damaged. */
export async function usedObjects(
  repository: Pick<BackupRepository, "list" | "contents">,
): Promise<Readonly<Record<ObjectKind, ReadonlySet<string>>> | undefined> {
  const { backups, damaged } = await repository.list();
  if (damaged.length > 0) return undefined;
  const used = { records: new Set<string>(), contents: new Set<string>() };
  try {
    for (const backup of backups) {
      for (const hash of backup.segments) used.records.add(hash);
      for await (const { hash } of repository.contents(backup)) used.contents.add(hash);
    }
    return used;
  } catch (error) {
    if (error instanceof DamagedBackup) return undefined;
    throw error;
  }
}
