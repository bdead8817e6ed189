import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { before } from "../../base/deadline.ts";
import { LruCache } from "../../base/lru-cache.ts";
import { LostBlob } from "../blobs.ts";

/** Maximum number of cached checks; the least recently used is dropped. */
const MAX_REMEMBERED = 4096;
/** Number of bytes hashed at once; small, because hashing blocks the main thread. */
const SLICE_BYTES = 256 * 1024;
/** Maximum checks per read: a second one if the file was replaced during the first. */
const MAX_CHECKS = 2;

interface OpenFile {
  readonly path: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly handle: FileHandle;
}

interface Check {
  readonly outcome: Promise<void>;
  readonly stop: AbortController;
  readers: number;
}

/** Error for a file that no longer matches its hash. */
export const damaged = (hash: string) => new LostBlob(`blob ${hash} is damaged`);

/**
 * Caches which content-addressed files match their hash, so that reading a part of a large file does not read
 * all of it. A file is checked again once its inode, size or times have changed. Concurrent readers share a
 * check, which is cancelled when all of them have left.
 */
export class VerifiedFiles {
  /** Identities of verified files by path. */
  readonly #whole = new LruCache<string>(MAX_REMEMBERED);
  readonly #running = new Map<string, Check>();

  /**
   * Verifies an open file; resolves with whether it was already verified, rejects if it is damaged. If the
   * reader is `gone`, the result is meaningless.
   */
  async verify({ path, hash, handle }: OpenFile, gone: AbortSignal): Promise<boolean> {
    const identity = identityOf(await handle.stat({ bigint: true }));
    for (let checks = 0; checks <= MAX_CHECKS; checks++) {
      if (this.#whole.get(path) === identity) return checks === 0;
      if (checks < MAX_CHECKS) await this.#join(path, hash, gone);
      if (gone.aborted) return false;
    }
    throw new Error(`blob ${hash} was replaced while it was read`);
  }

  /** Registers a file that this process has just written and hashed. */
  async written(path: string): Promise<void> {
    this.#whole.set(path, identityOf(await stat(path, { bigint: true })));
  }

  /** Makes the next reader check the file again. */
  forget(path: string): void {
    this.#whole.delete(path);
  }

  async #join(path: string, hash: string, gone: AbortSignal): Promise<void> {
    if (gone.aborted) return;
    const check = this.#running.get(path) ?? this.#begin(path, hash);
    check.readers++;
    try {
      await before(gone, check.outcome);
    } catch (error) {
      if (!gone.aborted) throw error;
    } finally {
      if (--check.readers === 0) {
        check.stop.abort();
        this.#end(path, check);
      }
    }
  }

  #begin(path: string, hash: string): Check {
    const stop = new AbortController();
    const outcome = hashed(path, hash, stop.signal).then((identity) => this.#whole.set(path, identity));
    const check = { outcome, stop, readers: 0 };
    this.#running.set(path, check);
    return check;
  }

  /** Ends a check; later callers start a new one. */
  #end(path: string, check: Check): void {
    if (this.#running.get(path) === check) this.#running.delete(path);
  }
}

const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join();

/** Hashes a file; returns its identity if it matches. */
async function hashed(path: string, hash: string, stop: AbortSignal): Promise<string> {
  const handle = await open(path, "r");
  try {
    const identity = identityOf(await handle.stat({ bigint: true }));
    const digest = createHash("sha256");
    for await (const part of handle.createReadStream({
      start: 0,
      autoClose: false,
      highWaterMark: SLICE_BYTES,
    })) {
      if (stop.aborted) throw new Error("the check was cancelled");
      digest.update(part);
    }
    if (digest.digest("hex") !== hash) throw damaged(hash);
    return identity;
  } finally {
    await handle.close();
  }
}
