import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { KeyedLock } from "../../base/concurrency/keyed-lock.ts";
import { ignoreMissing } from "../../base/faults.ts";
import { sha256InTurns } from "../../base/sha256.ts";
import type { Blobs } from "../blobs.ts";
import { LostBlob } from "../blobs.ts";
import { RemovalGate } from "../removal-gate.ts";
import { makeFolder, syncFolder, translateFileError, writeNew } from "./files.ts";
import { damaged, VerifiedFiles } from "./verified-files.ts";

const BUCKET = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const HASH = /^[0-9a-f]{64}$/;
const SHELF = /^[0-9a-f]{2}$/;
/** Bytes `start` to `end` (exclusive) of a file. */
interface FilePart {
  readonly path: string;
  readonly hash: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Blobs as files `<folder>/<bucket>/<first two digits>/<hash>`. A file with its final name is complete and
 * durable: it is written under a temporary name, synced, then renamed.
 */
export class DiskBlobs implements Blobs {
  readonly retentionMs: number;
  readonly #folder: string;
  readonly #aside: string;
  readonly #clock: Clock;
  /**
   * Lock per hash, so that a blob is not written and removed concurrently; per bucket, for creating folders.
   */
  readonly #locks = new KeyedLock();
  readonly #verified = new VerifiedFiles();
  readonly #removals = new RemovalGate();

  private constructor(folder: string, clock: Clock, retentionMs = 0) {
    this.retentionMs = retentionMs;
    this.#folder = folder;
    this.#aside = join(folder, ".aside");
    this.#clock = clock;
  }

  /** Creates the folder if it is missing, and removes incomplete files of a killed process. */
  static async open(folder: string, clock: Clock, retentionMs = 0): Promise<DiskBlobs> {
    const blobs = new DiskBlobs(folder, clock, retentionMs);
    await rm(blobs.#aside, { recursive: true, force: true });
    await mkdir(blobs.#aside, { recursive: true });
    await syncFolder(dirname(folder));
    await syncFolder(folder);
    return blobs;
  }

  /** Read-only access to a folder that another process may write to. */
  static reading(folder: string, clock: Clock): DiskBlobs {
    return new DiskBlobs(folder, clock);
  }

  /** `stored` is called before a removal of the same hash can run. */
  async put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    stored?: (file: { readonly hash: string; readonly bytes: number }) => void,
  ): Promise<{ hash: string; bytes: number }> {
    const home = this.#bucket(bucket);
    const aside = this.aside();
    try {
      const written = await writeNew(aside, content instanceof Uint8Array ? [content] : content);
      await utimesOf(aside, this.#clock());
      await this.#locks.run(written.hash, async () => {
        await this.#shelve(home, written.hash, aside);
        await this.#verified.written(this.#path(bucket, written.hash));
        stored?.(written);
      });
      return written;
    } catch (error) {
      await unlink(aside).catch(() => undefined);
      throw translateFileError(error);
    }
  }

  async get(bucket: string, hash: string): Promise<Uint8Array> {
    const content = await readFile(this.#path(bucket, hash)).catch(ignoreMissing);
    if (content === undefined) throw new LostBlob(`blob ${hash} is missing`);
    if ((await sha256InTurns(content)) !== hash) throw damaged(hash);
    return content;
  }

  pathOf(bucket: string, hash: string): string {
    return this.#path(bucket, hash);
  }

  /** A temporary path for a file to be written; leftovers are deleted at the next start. */
  aside(): string {
    return join(this.#aside, randomUUID());
  }

  /** Renames a complete, synced temporary file to its hash, which the caller must have computed. */
  async adopt(bucket: string, aside: string, hash: string): Promise<void> {
    await utimesOf(aside, this.#clock());
    await this.#locks.run(hash, () => this.#shelve(this.#bucket(bucket), hash, aside));
  }

  stream(bucket: string, hash: string, start = 0, end = Number.POSITIVE_INFINITY): Readable {
    if (end <= start) return Readable.from([]);
    const gone = new AbortController();
    const parts = checkedParts(
      this.#verified,
      { path: this.#path(bucket, hash), hash, start, end },
      gone.signal,
    );
    // a generator learns only at a yield that its reader is gone
    const leave = () => {
      gone.abort();
      return parts.return();
    };
    return Readable.from(
      { [Symbol.asyncIterator]: () => ({ next: () => parts.next(), return: leave }) },
      { objectMode: false },
    );
  }

  async has(bucket: string, hash: string): Promise<boolean> {
    return (await stat(this.#path(bucket, hash)).catch(ignoreMissing)) !== undefined;
  }

  async *list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }> {
    const home = this.#bucket(bucket);
    for await (const shelf of entriesOf(home)) {
      if (!SHELF.test(shelf)) continue;
      for await (const hash of entriesOf(join(home, shelf))) {
        const found = HASH.test(hash) ? await stat(join(home, shelf, hash)).catch(ignoreMissing) : undefined;
        if (found) yield { hash, bytes: found.size, writtenAt: Math.round(found.mtimeMs) };
      }
    }
  }

  async remove(bucket: string, hash: string, writtenAt?: number): Promise<void> {
    const path = this.#path(bucket, hash);
    const removal = async () => {
      const found = await stat(path).catch(ignoreMissing);
      if (found && (writtenAt === undefined || Math.round(found.mtimeMs) <= writtenAt)) await unlink(path);
    };
    await this.#removals.pass(() => this.#locks.run(hash, removal));
  }

  /** Removes a blob unless `isUnused`, which is called when no put of the hash runs, returns false. */
  async removeIf(bucket: string, hash: string, isUnused: () => boolean): Promise<void> {
    const path = this.#path(bucket, hash);
    await this.#locks.run(hash, async () => {
      if (isUnused()) await unlink(path).catch(ignoreMissing);
    });
  }

  async drop(bucket: string): Promise<void> {
    const home = this.#bucket(bucket);
    const aside = this.aside();
    await this.#removals.pass(() => rename(home, aside).catch(ignoreMissing));
    await rm(aside, { recursive: true, force: true });
  }

  async buckets(): Promise<string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && BUCKET.test(entry.name) ? [entry.name] : []));
  }

  hold(): Promise<() => void> {
    return this.#removals.hold();
  }

  /** Renames the file to its final name; this also repairs a damaged blob. */
  async #shelve(home: string, hash: string, aside: string): Promise<void> {
    const shelf = join(home, hash.slice(0, 2));
    // one at a time, so that the folder is durable for the next put that relies on it
    await this.#locks.run(home, async () => {
      await makeFolder(home);
      await makeFolder(shelf);
    });
    await rename(aside, join(shelf, hash));
    await syncFolder(shelf);
  }

  #bucket(bucket: string): string {
    if (!BUCKET.test(bucket)) throw new Error(`${JSON.stringify(bucket)} is not the name of a bucket`);
    return join(this.#folder, bucket);
  }

  #path(bucket: string, hash: string): string {
    if (!HASH.test(hash)) throw new Error(`${JSON.stringify(hash)} is not a hash`);
    return join(this.#bucket(bucket), hash.slice(0, 2), hash);
  }
}

/**
 * The first read of a file verifies it completely, so that no part of a damaged one is returned. Later reads
 * rely on that, except that reading a whole file hashes it again: if it was damaged since, the stream ends
 * with an error instead of its last bytes.
 */
async function* checkedParts(
  verified: VerifiedFiles,
  file: FilePart,
  gone: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { path, hash, start, end } = file;
  const handle = await open(path, "r");
  try {
    const wasKnown = await verified.verify({ path, hash, handle }, gone);
    if (gone.aborted) return;
    const isWhole = wasKnown && start === 0 && end >= (await handle.stat()).size;
    const digest = isWhole ? createHash("sha256") : undefined;
    for await (const part of handle.createReadStream({ start, end: end - 1, autoClose: false })) {
      digest?.update(part);
      yield part;
    }
    if (digest === undefined || digest.digest("hex") === hash) return;
    verified.forget(path);
    throw damaged(hash);
  } finally {
    await handle.close();
  }
}

async function* entriesOf(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(ignoreMissing);
  if (entries) for await (const entry of entries) yield basename(entry.name);
}

const utimesOf = (path: string, ms: number) => utimes(path, ms / 1000, ms / 1000);
