import { createReadStream } from "node:fs";
import { mkdir, opendir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { ignoreMissing } from "../../base/faults.ts";
import { ServiceError } from "../../domain/errors.ts";
import { syncFolder, translateFileError, writeNew } from "./files.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Uploads before they become content: one file each, under an id chosen by the caller. Records elsewhere hold
 * owner and expiry; a file without one is left over from a killed process and may be removed.
 */
export class Spool {
  readonly #folder: string;
  /** Ids of incomplete uploads: their files do not count yet. */
  readonly #writing = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<Spool> {
    await mkdir(folder, { recursive: true });
    await syncFolder(dirname(folder));
    return new Spool(folder);
  }

  /**
   * Stores the content under a new id and resolves once it is durable. More than `maxBytes` is refused with
   * INVALID_ARGUMENT (status 413), naming the setting `limit`. Nothing is stored if the content fails or is
   * refused.
   */
  async write(
    id: string,
    content: AsyncIterable<Uint8Array>,
    maxBytes: number,
    limit: string,
  ): Promise<{ size: number; sha256: string }> {
    const path = this.#path(id);
    this.#writing.add(id);
    try {
      const { bytes, hash } = await writeNew(path, content, (sofar) => {
        if (sofar > maxBytes) throw tooLarge(maxBytes, limit);
      });
      await syncFolder(this.#folder);
      return { size: bytes, sha256: hash };
    } catch (error) {
      throw translateFileError(error);
    } finally {
      this.#writing.delete(id);
    }
  }

  /** The bytes as a stream; undefined if there is no such upload. */
  async read(id: string): Promise<Readable | undefined> {
    const path = await this.path(id);
    return path === undefined ? undefined : createReadStream(path);
  }

  /**
   * The path of the bytes, for readers that need a file (archives); undefined if there is no such upload.
   * Never shown to callers.
   */
  async path(id: string): Promise<string | undefined> {
    if (this.#writing.has(id) || !NAME.test(id)) return undefined;
    const path = this.#path(id);
    return (await stat(path).catch(ignoreMissing)) && path;
  }

  /** Removing a missing upload is no error. */
  async remove(id: string): Promise<void> {
    await unlink(this.#path(id)).catch(ignoreMissing);
  }

  /** Ids of all complete uploads. */
  async *list(): AsyncIterable<string> {
    for await (const entry of await opendir(this.#folder)) {
      if (entry.isFile() && NAME.test(entry.name) && !this.#writing.has(entry.name)) yield entry.name;
    }
  }

  #path(id: string): string {
    if (!NAME.test(id)) throw new Error(`${JSON.stringify(id)} is no id of an upload`);
    return join(this.#folder, id);
  }
}

const tooLarge = (maxBytes: number, limit: string) =>
  new ServiceError(
    "INVALID_ARGUMENT",
    `file: larger than ${limit} (${maxBytes} bytes)`,
    { field: "file", reason: `larger than ${limit}`, limit: maxBytes },
    { http: 413 },
  );
