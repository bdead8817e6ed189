import { Readable } from "node:stream";
import { KeyedLock } from "../../base/concurrency/keyed-lock.ts";
import { unavailable } from "../../domain/errors.ts";
import type { Blobs } from "../blobs.ts";
import { LostBlob } from "../blobs.ts";
import { RemovalGate } from "../removal-gate.ts";
import type { BlobCache } from "./blob-cache.ts";
import type { S3Client } from "./s3-client.ts";

const HASH_LENGTH = 64;
const NAME = /^([0-9a-f]{64})-([0-9a-z]{1,11})$/;
const BASE = 36;
/**
 * Maximum number of recently written objects whose write time is cached; lists of an object store give times
 * only to the second.
 */
const MAX_RECENT = 100_000;

interface Options {
  readonly client: S3Client;
  readonly cache: BlobCache;
  /** Prefix of all keys with a trailing slash, or "". */
  readonly prefix: string;
  /** The turn in which this server holds the workspace of a bucket; undefined if it does not. */
  readonly turnOf: (bucket: string) => number | undefined;
  readonly clock: () => number;
  /** See Blobs. */
  readonly retentionMs: number;
}

/**
 * Blobs as objects `<prefix><bucket>/<sha256>-<turn>`. A name is written only in the named turn of its
 * workspace, and removed only in that turn or a later one. A suspended server that resumes thus cannot
 * overwrite or remove anything in use, although an object store has no fencing. Reads use a disk cache.
 */
export class S3Blobs implements Blobs {
  readonly retentionMs: number;
  readonly #options: Options;
  /** Lock by key, so that an object is not written and removed concurrently, and is fetched only once. */
  readonly #locks = new KeyedLock();
  readonly #removals = new RemovalGate();
  /** Write times by key, by this server's clock; oldest first. */
  readonly #recent = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
    this.retentionMs = options.retentionMs;
  }

  async put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; bytes: number }> {
    const { client, cache } = this.#options;
    const { hash: sha256, bytes, release } = await cache.add(bucket, content);
    try {
      const hash = `${sha256}-${this.#turnOf(bucket).toString(BASE)}`;
      const key = this.#key(bucket, hash);
      await this.#locks.run(key, async () => {
        await client.put(key, { open: cache.open(bucket, sha256), bytes, sha256 });
        this.#note(key);
      });
      return { hash, bytes };
    } finally {
      await release();
    }
  }

  async get(bucket: string, hash: string): Promise<Uint8Array> {
    const sha256 = contentOf(hash);
    const { cache } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const release = await this.#held(bucket, hash);
      try {
        return await cache.files.get(bucket, sha256);
      } catch (error) {
        if (attempt > 0) throw error;
        await cache.remove(bucket, sha256);
      } finally {
        await release();
      }
    }
  }

  stream(bucket: string, hash: string, start = 0, end = Number.POSITIVE_INFINITY): Readable {
    if (end <= start) return Readable.from([]);
    return Readable.from(this.#parts(bucket, hash, start, end), { objectMode: false });
  }

  has(bucket: string, hash: string): Promise<boolean> {
    return this.#options.client.has(this.#key(bucket, hash));
  }

  /** Blobs of this turn and earlier ones; those of later turns belong to later owners. */
  async *list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }> {
    const turn = this.#turnOf(bucket);
    const home = this.#key(bucket, "");
    await this.#options.client.abortAbandoned(home, this.#options.clock());
    for await (const { objects } of this.#options.client.list(home))
      for (const { key, bytes, writtenAt } of objects) {
        const hash = key.slice(home.length);
        const written = NAME.exec(hash)?.[2];
        if (written === undefined || Number.parseInt(written, BASE) > turn) continue;
        yield { hash, bytes, writtenAt: this.#recent.get(key) ?? writtenAt };
      }
  }

  remove(bucket: string, hash: string, writtenAt = Number.POSITIVE_INFINITY): Promise<void> {
    const key = this.#key(bucket, hash);
    const { client, cache } = this.#options;
    const removal = async () => {
      if ((this.#recent.get(key) ?? 0) > writtenAt) return;
      await client.remove(key);
      this.#recent.delete(key);
      await cache.remove(bucket, contentOf(hash));
    };
    return this.#removals.pass(() => this.#locks.run(key, removal));
  }

  async drop(bucket: string): Promise<void> {
    const { client, cache } = this.#options;
    await this.#removals.pass(async () => {
      for await (const { hash } of this.list(bucket)) await client.remove(this.#key(bucket, hash));
      await cache.drop(bucket);
    });
  }

  async buckets(): Promise<string[]> {
    const { client, prefix } = this.#options;
    const found: string[] = [];
    for await (const { prefixes } of client.list(prefix, "/"))
      for (const name of prefixes) found.push(name.slice(prefix.length, -1));
    return found;
  }

  hold(): Promise<() => void> {
    return this.#removals.hold();
  }

  async *#parts(bucket: string, hash: string, start: number, end: number): AsyncGenerator<Uint8Array, void> {
    const sha256 = contentOf(hash);
    const { cache } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const release = await this.#held(bucket, hash);
      let isBegun = false;
      try {
        for await (const part of cache.files.stream(bucket, sha256, start, end)) {
          isBegun = true;
          yield part;
        }
        return;
      } catch (error) {
        // a damaged cache file fails before its first byte is sent
        if (isBegun || attempt > 0) throw error;
        await cache.remove(bucket, sha256);
      } finally {
        await release();
      }
    }
  }

  /** Protects an object's content in the cache until the returned function is called. */
  async #held(bucket: string, hash: string): Promise<() => Promise<void>> {
    const key = this.#key(bucket, hash);
    const sha256 = contentOf(hash);
    const { cache } = this.#options;
    // another reader may have fetched it meanwhile
    return (
      cache.hold(bucket, sha256) ??
      this.#locks.run(key, async () => cache.hold(bucket, sha256) ?? this.#fetched(bucket, hash))
    );
  }

  /** Fetches an object into the cache. Rejects if it is missing or does not match its hash. */
  async #fetched(bucket: string, hash: string): Promise<() => Promise<void>> {
    const { client, cache } = this.#options;
    const answer = await client.get(this.#key(bucket, hash));
    if (!answer) throw new LostBlob(`blob ${hash} is missing`);
    try {
      const { hash: found, release } = await cache.add(bucket, answer.message);
      if (found === contentOf(hash)) return release;
      // not removed: another blob, perhaps one that is being stored, may have the content that was found
      await release();
      throw new LostBlob(`blob ${hash} is damaged: its content has the hash ${found}`);
    } finally {
      answer.end();
    }
  }

  #note(key: string): void {
    this.#recent.delete(key);
    this.#recent.set(key, this.#options.clock());
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MAX_RECENT) return;
      this.#recent.delete(oldest);
    }
  }

  #turnOf(bucket: string): number {
    const turn = this.#options.turnOf(bucket);
    if (turn === undefined) throw unavailable("the account has moved to another server; try again");
    return turn;
  }

  #key(bucket: string, hash: string): string {
    return `${this.#options.prefix}${bucket}/${hash}`;
  }
}

/** The SHA-256 at the start of a blob's name. */
function contentOf(hash: string): string {
  if (!NAME.test(hash)) throw new Error(`${JSON.stringify(hash)} is not the name of a blob`);
  return hash.slice(0, HASH_LENGTH);
}
