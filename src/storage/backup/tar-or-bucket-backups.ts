import { createHash } from "node:crypto";
import { EventLoopYielder } from "../../base/event-loop.ts";
import type { BackupFiles } from "./backup-files.ts";
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
} from "./listing.ts";
import { BACKUP_NAME, type BackupManifest, DamagedBackup, parseManifest } from "./manifest.ts";
import type { BackupList, BackupRepository, ContentName, ObjectKind } from "./repository.ts";

const OBJECTS = "objects/";
const SHELF_DIGITS = 2;
const HASH_DIGITS = 64;

const objectName = (kind: ObjectKind, hash: string): string =>
  `${OBJECTS}${kind}/${hash.slice(0, SHELF_DIGITS)}/${hash}`;

/** Backups in a tar file or in an object store. */
export class StoredBackups implements BackupRepository {
  readonly #files: BackupFiles;
  /** Number of files removed whose space is not reclaimed yet. */
  #removed = 0;

  constructor(files: BackupFiles) {
    this.#files = files;
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async list(): Promise<BackupList> {
    const names: string[] = [];
    for await (const { name } of this.#files.list("")) {
      const backup = backupOfManifest(name);
      if (backup !== undefined) names.push(backup);
    }
    return listBackupsOf({ manifest: (name) => this.manifest(name) }, names);
  }

  isTaken(name: string): Promise<boolean> {
    return this.#files.has(`${name}${MANIFEST}`);
  }

  async manifest(name: string): Promise<BackupManifest | undefined> {
    if (!BACKUP_NAME.test(name)) return undefined;
    const text = await this.#whole(`${name}${MANIFEST}`, MAX_TEXT_BYTES);
    return text && parseManifest(name, text.toString());
  }

  async *contents(backup: BackupManifest): AsyncGenerator<ContentName> {
    yield* contentsIn(backup, await this.#whole(`${backup.name}${CONTENTS}`, MAX_TEXT_BYTES));
  }

  has(kind: ObjectKind, hash: string): Promise<boolean> {
    return this.#files.has(objectName(kind, hash));
  }

  put(kind: ObjectKind, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const parts = content instanceof Uint8Array ? [content] : content;
    return this.#files.put((hash) => objectName(kind, hash), parts);
  }

  async get(kind: ObjectKind, hash: string): Promise<Uint8Array> {
    return collect(this.stream(kind, hash), hash, MAX_RECORDS_BYTES);
  }

  async *stream(kind: ObjectKind, hash: string): AsyncGenerator<Uint8Array> {
    const parts = await this.#files.open(objectName(kind, hash));
    if (parts === undefined) throw new Error(`object ${hash} is missing`);
    const found = createHash("sha256");
    for await (const part of parts) {
      found.update(part);
      yield part;
    }
    if (found.digest("hex") !== hash) throw new Error(`object ${hash} is damaged`);
  }

  discard(kind: ObjectKind, hash: string): Promise<void> {
    return this.#removeFile(objectName(kind, hash));
  }

  async finish(
    manifest: Omit<BackupManifest, "contentsHash">,
    contents: readonly ContentName[],
  ): Promise<BackupManifest> {
    let contentsHash = "";
    const listName = (hash: string) => {
      contentsHash = hash;
      return `${manifest.name}${CONTENTS}`;
    };
    await this.#files.put(listName, contentList(contents));
    const whole: BackupManifest = { ...manifest, contentsHash };
    const text = Buffer.from(`${JSON.stringify(whole, undefined, 1)}\n`);
    await this.#files.commit(`${manifest.name}${MANIFEST}`, text);
    return whole;
  }

  async remove(name: string): Promise<void> {
    for (const ending of [MANIFEST, CONTENTS]) await this.#removeFile(`${name}${ending}`);
  }

  async prune(): Promise<number> {
    const used = await usedObjects(this);
    if (!used) return 0;
    const unused: string[] = [];
    let freed = 0;
    for (const kind of ["records", "contents"] as const)
      for await (const { name, bytes } of this.#files.list(`${OBJECTS}${kind}/`)) {
        if (used[kind].has(name.slice(-HASH_DIGITS))) continue;
        unused.push(name);
        freed += bytes;
      }
    for (const name of unused) await this.#removeFile(name);
    await this.#files.reclaim(this.#removed);
    this.#removed = 0;
    return freed;
  }

  async #removeFile(name: string): Promise<void> {
    await this.#files.remove(name);
    this.#removed++;
  }

  async #whole(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const parts = await this.#files.open(name);
    return parts && collect(parts, name, maxBytes);
  }
}

async function collect(content: AsyncIterable<Uint8Array>, name: string, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of content) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new DamagedBackup(`${name} has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  const yielder = new EventLoopYielder();
  const whole = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
    await yielder.yieldIfDue();
  }
  return whole;
}
