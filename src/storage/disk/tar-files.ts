import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Header } from "tar";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { codeOf } from "../../base/faults.ts";
import { failedPrecondition } from "../../domain/errors.ts";
import type { BackupFile, BackupFiles } from "../backup/backup-files.ts";
import { backupOfManifest } from "../backup/listing.ts";
import { syncFolder, translateFileError } from "./files.ts";

const BLOCK = 512;
/** Two empty blocks end an archive. */
const TRAILER = Buffer.alloc(2 * BLOCK);
const READ_BYTES = 256 * 1024;
/** Maximum number of files: as many as a list of contents may have. */
const MAX_FILES = 4_000_000;
/** Private mode, because a backup contains the texts and key hashes of all accounts. */
const MODE = 0o600;
/** Folder that contains removed files when a tar program unpacks the archive. */
const REMOVED = "removed/";

interface Place {
  /** Position of the content; its header is one block before. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * The files of backups in one tar file, which unpacks to a backup folder. Files are only appended; those
 * after the last manifest belong to an interrupted backup, and the next one overwrites them.
 */
export class TarFiles implements BackupFiles {
  readonly #path: string;
  #handle: FileHandle;
  #places: Map<string, Place>;
  /** Where the next file begins. */
  #end: number;
  /**
   * Whether nothing follows `#end`. Otherwise the rest of an interrupted backup must be cut off first: it
   * consists of contents of accounts, in which a scan could find tar headers and manifests.
   */
  #isClear = false;

  private constructor(path: string, handle: FileHandle, found: Scanned) {
    this.#path = path;
    this.#handle = handle;
    this.#places = found.places;
    this.#end = found.end;
  }

  /**
   * Opens the file for its only writer; creates it if missing. Throws FAILED_PRECONDITION if it has other
   * data.
   */
  static async open(path: string): Promise<TarFiles> {
    await rm(asideOf(path), { force: true });
    const handle = await open(path, "r+").catch((error) => {
      if (codeOf(error) !== "ENOENT") throw error;
      return open(path, "wx+", MODE);
    });
    return TarFiles.#over(path, handle);
  }

  /** Opens the file for reading; undefined if it is missing. */
  static async reading(path: string): Promise<TarFiles | undefined> {
    const handle = await open(path, "r").catch((error) => {
      if (codeOf(error) !== "ENOENT") throw error;
      return undefined;
    });
    return handle && TarFiles.#over(path, handle);
  }

  static async #over(path: string, handle: FileHandle): Promise<TarFiles> {
    try {
      return new TarFiles(path, handle, await scan(handle, path));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async *list(prefix: string): AsyncGenerator<BackupFile> {
    const yielder = new EventLoopYielder();
    for (const [name, { bytes }] of this.#places) {
      if (name.startsWith(prefix)) yield { name, bytes };
      await yielder.yieldIfDue();
    }
  }

  async has(name: string): Promise<boolean> {
    return this.#places.has(name);
  }

  async open(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const place = this.#places.get(name);
    return place && parts(this.#handle, place);
  }

  async put(
    name: (hash: string) => string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    try {
      await this.#append(name, content);
    } catch (error) {
      throw translateFileError(error);
    }
  }

  async commit(name: string, content: Uint8Array): Promise<void> {
    try {
      await this.#handle.datasync();
      await this.#append(() => name, [content]);
      await writeAt(this.#handle, TRAILER, this.#end);
      await this.#handle.truncate(this.#end + TRAILER.byteLength);
      await this.#handle.sync();
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw translateFileError(error);
    }
  }

  async remove(name: string): Promise<void> {
    const place = this.#places.get(name);
    if (!place) return;
    await writeAt(this.#handle, headerOf(`${REMOVED}${name}`, place.bytes), place.at - BLOCK);
    // a manifest has to go before what it refers to; other files may go in any order
    if (backupOfManifest(name) !== undefined) await this.#handle.datasync();
    this.#places.delete(name);
  }

  /** Copies the remaining files into a new tar file, which replaces this one. */
  async reclaim(removed: number): Promise<void> {
    if (removed === 0) return;
    const aside = await TarFiles.open(asideOf(this.#path));
    try {
      const manifests: string[] = [];
      for (const name of this.#places.keys()) {
        if (backupOfManifest(name) === undefined) await aside.#copy(this, name);
        else manifests.push(name);
      }
      for (const name of manifests) await aside.#copy(this, name);
      await writeAt(aside.#handle, TRAILER, aside.#end);
      await aside.#handle.sync();
      await rename(aside.#path, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      await aside.close();
      await rm(asideOf(this.#path), { force: true });
      throw translateFileError(error);
    }
    await this.#handle.close();
    this.#handle = aside.#handle;
    this.#places = aside.#places;
    this.#end = aside.#end;
    this.#isClear = aside.#isClear;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #copy(from: TarFiles, name: string): Promise<void> {
    const content = await from.open(name);
    if (content) await this.#append(() => name, content);
  }

  /** The header is written last, because it contains the size, and the hash in the name. */
  async #append(
    name: (hash: string) => string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    if (!this.#isClear) await this.#handle.truncate(this.#end);
    this.#isClear = false;
    const at = this.#end + BLOCK;
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const part of content) {
      hash.update(part);
      await writeAt(this.#handle, part, at + bytes);
      bytes += part.byteLength;
    }
    const padding = paddedBytes(bytes) - bytes;
    if (padding > 0) await writeAt(this.#handle, TRAILER.subarray(0, padding), at + bytes);
    const named = name(hash.digest("hex"));
    await writeAt(this.#handle, headerOf(named, bytes), this.#end);
    this.#places.set(named, { at, bytes });
    this.#end = at + bytes + padding;
    this.#isClear = true;
  }
}

const asideOf = (path: string): string => `${path}.aside`;

const paddedBytes = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

function headerOf(path: string, size: number): Buffer {
  const header = new Header({ path, size, mode: MODE, type: "File", mtime: new Date(0) });
  const block = Buffer.alloc(BLOCK);
  header.encode(block);
  return block;
}

interface Scanned {
  readonly places: Map<string, Place>;
  /** End of the last manifest. */
  readonly end: number;
}

/** The files up to the last manifest. Throws FAILED_PRECONDITION if the file is not a backup archive. */
async function scan(handle: FileHandle, path: string): Promise<Scanned> {
  const { size } = await handle.stat();
  const places = new Map<string, Place>();
  let uncommitted: [string, Place][] = [];
  let end = 0;
  const block = Buffer.alloc(BLOCK);
  for (let at = 0; at + BLOCK <= size; ) {
    await handle.read(block, 0, BLOCK, at);
    const header = fileOf(block);
    if (!header) {
      if (at === 0 && !isEmpty(block)) throw notBackups(path);
      break;
    }
    const { name, bytes } = header;
    const place = { at: at + BLOCK, bytes };
    at = place.at + paddedBytes(bytes);
    if (at > size) break;
    if (name.startsWith(REMOVED)) continue;
    uncommitted.push([name, place]);
    if (uncommitted.length + places.size > MAX_FILES) throw notBackups(path);
    if (backupOfManifest(name) === undefined) continue;
    for (const [known, found] of uncommitted) places.set(known, found);
    uncommitted = [];
    end = at;
  }
  return { places, end };
}

const NAME = /^(?:removed\/)?(?:objects\/[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{64}|[a-z0-9_-]+\.(?:json|contents))$/;

/** The file that a header describes; undefined if the block is not the header of a backup's file. */
function fileOf(block: Buffer): BackupFile | undefined {
  const { cksumValid, path = "", type, size = 0 } = headerIn(block) ?? {};
  const isFile = cksumValid && type === "File" && Number.isSafeInteger(size) && size >= 0;
  return isFile && NAME.test(path) ? { name: path, bytes: size } : undefined;
}

/** Undefined if the library throws: the block may contain anything. */
function headerIn(block: Buffer): Header | undefined {
  try {
    return new Header(block);
  } catch {
    return undefined;
  }
}

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0);

const notBackups = (path: string) =>
  failedPrecondition(
    "backup file",
    `${basename(path)} contains data other than backups: choose another file`,
  );

async function* parts(handle: FileHandle, { at, bytes }: Place): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < bytes; ) {
    const part = Buffer.alloc(Math.min(READ_BYTES, bytes - done));
    const { bytesRead } = await handle.read(part, 0, part.byteLength, at + done);
    if (bytesRead === 0) throw new Error("the backup file ends within a part");
    yield part.subarray(0, bytesRead);
    done += bytesRead;
  }
}

async function writeAt(handle: FileHandle, content: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < content.byteLength; )
    done += (await handle.write(content, done, content.byteLength - done, at + done)).bytesWritten;
}
