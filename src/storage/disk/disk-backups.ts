import { lstat, mkdir, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { ignoreMissing } from "../../base/faults.ts";
import {
  backupOfManifest,
  CONTENTS,
  contentList,
  contentsIn,
  listBackupsOf,
  MANIFEST,
  MAX_RECORDS_BYTES,
  MAX_TEXT_BYTES,
  usedObjects,
} from "../backup/listing.ts";
import { BACKUP_NAME, type BackupManifest, DamagedBackup, parseManifest } from "../backup/manifest.ts";
import type { BackupList, BackupRepository, ContentName, ObjectKind } from "../backup/repository.ts";
import { DiskBlobs } from "./disk-blobs.ts";
import { syncFolder, translateFileError, writeNew } from "./files.ts";

/** Private mode, because a backup contains the texts and key hashes of all accounts. */
const MODE = 0o700;
const OBJECTS = "objects";
/** Buckets of the objects. */
const RECORDS = "records";
const BLOBS = "contents";

/** Backups as files: `NAME.json`, `NAME.contents`, and objects in a folder of DiskBlobs. */
export class DiskBackups implements BackupRepository {
  readonly #folder: string;
  readonly #objects: DiskBlobs;

  private constructor(folder: string, objects: DiskBlobs) {
    this.#folder = folder;
    this.#objects = objects;
  }

  /** Opens the folder for the server, the only writer; creates it if missing. */
  static async open(folder: string, clock: Clock): Promise<DiskBackups> {
    await mkdir(folder, { recursive: true, mode: MODE });
    return new DiskBackups(folder, await DiskBlobs.open(join(folder, OBJECTS), clock));
  }

  /** Opens the folder read-only for other processes. Undefined if it is not a backup folder. */
  static async reading(folder: string, clock: Clock): Promise<DiskBackups | undefined> {
    const objects = join(folder, OBJECTS);
    const found = await stat(objects).catch(ignoreMissing);
    return found && new DiskBackups(folder, DiskBlobs.reading(objects, clock));
  }

  async close(): Promise<void> {}

  async list(): Promise<BackupList> {
    const files = await readdir(this.#folder);
    const names = files.flatMap((file) => backupOfManifest(file) ?? []);
    return listBackupsOf({ manifest: (name) => this.manifest(name) }, names);
  }

  async isTaken(name: string): Promise<boolean> {
    return (await stat(this.#path(name, MANIFEST)).catch(ignoreMissing)) !== undefined;
  }

  async manifest(name: string): Promise<BackupManifest | undefined> {
    if (!BACKUP_NAME.test(name)) return undefined;
    const text = await textIn(this.#path(name, MANIFEST));
    return text && parseManifest(name, text.toString());
  }

  async *contents(backup: BackupManifest): AsyncGenerator<ContentName> {
    yield* contentsIn(backup, await textIn(this.#path(backup.name, CONTENTS)));
  }

  has(kind: ObjectKind, hash: string): Promise<boolean> {
    return this.#objects.has(kind, hash);
  }

  put(kind: ObjectKind, content: Uint8Array | AsyncIterable<Uint8Array>) {
    return this.#objects.put(kind, content);
  }

  async get(kind: ObjectKind, hash: string): Promise<Uint8Array> {
    await checkFile(this.#objects.pathOf(kind, hash), MAX_RECORDS_BYTES);
    return this.#objects.get(kind, hash);
  }

  async *stream(kind: ObjectKind, hash: string): AsyncGenerator<Uint8Array> {
    await checkFile(this.#objects.pathOf(kind, hash), Number.POSITIVE_INFINITY);
    yield* this.#objects.stream(kind, hash);
  }

  discard(kind: ObjectKind, hash: string): Promise<void> {
    return this.#objects.remove(kind, hash);
  }

  async finish(
    manifest: Omit<BackupManifest, "contentsHash">,
    contents: readonly ContentName[],
  ): Promise<BackupManifest> {
    const list = await this.#write(manifest.name, CONTENTS, contentList(contents));
    const whole: BackupManifest = { ...manifest, contentsHash: list.hash };
    const text = Buffer.from(`${JSON.stringify(whole, undefined, 1)}\n`);
    await this.#write(manifest.name, MANIFEST, [text]);
    return whole;
  }

  async remove(name: string): Promise<void> {
    for (const ending of [MANIFEST, CONTENTS]) await unlink(this.#path(name, ending)).catch(ignoreMissing);
    await syncFolder(this.#folder);
  }

  async prune(): Promise<number> {
    const used = await usedObjects(this);
    if (!used) return 0;
    let freed = 0;
    for (const kind of [RECORDS, BLOBS] as const)
      for await (const { hash, bytes } of this.#objects.list(kind)) {
        if (used[kind].has(hash)) continue;
        await this.#objects.remove(kind, hash);
        freed += bytes;
      }
    return freed;
  }

  #path(name: string, ending: string): string {
    return join(this.#folder, `${name}${ending}`);
  }

  async #write(
    name: string,
    ending: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<{ readonly hash: string }> {
    const aside = this.#objects.aside();
    try {
      const written = await writeNew(aside, content);
      await rename(aside, this.#path(name, ending));
      await syncFolder(this.#folder);
      return written;
    } catch (error) {
      throw translateFileError(error);
    }
  }
}

/**
 * Throws DamagedBackup unless the path is missing or a regular file within the limit: reading a link or
 * device might never end.
 */
async function checkFile(path: string, maxBytes: number): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) return;
  if (!found.isFile()) throw new DamagedBackup(`${basename(path)} is not a file`);
  if (found.size > maxBytes)
    throw new DamagedBackup(`${basename(path)} has ${found.size} bytes, and at most ${maxBytes} are read`);
}

async function textIn(path: string): Promise<Buffer | undefined> {
  await checkFile(path, MAX_TEXT_BYTES);
  return readFile(path).catch(ignoreMissing);
}
