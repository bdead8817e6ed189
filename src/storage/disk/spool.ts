import { createReadStream } from "node:fs";
import { mkdir, opendir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { ignoreMissing } from "../../base/faults.ts";
import { ServiceError } from "../../domain/errors.ts";
import { syncFolder, translateFileError, writeNew } from "./files.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Uploads that are not content yet: one file each, with an id chosen by the caller. Owner and expiry are
 * stored in records elsewhere; a file without a record was left by a killed process and may be removed.
 */
export class Spool {
  readonly #folder: string;
  /** Ids of incomplete uploads, whose files are treated as missing. */
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
   * Stores content under a new id; resolves once it is durable. Throws INVALID_ARGUMENT (status 413) naming
   * the setting `limit` if it exceeds `maxBytes`. Stores nothing on failure.
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

  /** The content as a stream; undefined if the upload does not exist. */
  async read(id: string): Promise<Readable | undefined> {
    const path = await this.path(id);
    return path === undefined ? undefined : createReadStream(path);
  }

  /**
   * The path of an upload for readers that need a file (archives); undefined if it does not exist. Must not
   * be shown to callers.
   */
  async path(id: string): Promise<string | undefined> {
    if (this.#writing.has(id) || !NAME.test(id)) return undefined;
    const path = this.#path(id);
    return (await stat(path).catch(ignoreMissing)) && path;
  }

  /** Removes an upload; a missing one is not an error. */
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
    if (!NAME.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of an upload`);
    return join(this.#folder, id);
  }
}

const tooLarge = (maxBytes: number, limit: string) =>
  new ServiceError(
    "INVALID_ARGUMENT",
    `file: must not be larger than ${limit} (${maxBytes} bytes)`,
    { field: "file", reason: `must not be larger than ${limit}`, limit: maxBytes },
    { http: 413 },
  );
