import type { Log } from "../../base/log.ts";
import type { Blobs } from "../blobs.ts";
import { partOf } from "../part-of-file.ts";
import type { S3Content } from "./s3-request.ts";

/** Files of the cache on disk. */
export interface CachedFiles
  extends Pick<Blobs, "put" | "get" | "stream" | "list" | "buckets" | "remove" | "drop"> {
  pathOf(bucket: string, hash: string): string;
}

/** A cached file, which is not evicted while in use. */
interface CachedFile {
  readonly bucket: string;
  readonly hash: string;
  readonly bytes: number;
  users: number;
}

type Release = () => Promise<void>;

/** Caches contents of an object store on the local disk; evicts the least recently used ones. */
export class BlobCache {
  readonly files: CachedFiles;
  readonly #maxBytes: number;
  readonly #log: Log;
  /** By bucket and hash, least recently used first. */
  readonly #known = new Map<string, CachedFile>();
  #bytes = 0;

  private constructor(files: CachedFiles, maxBytes: number, log: Log) {
    this.files = files;
    this.#maxBytes = maxBytes;
    this.#log = log;
  }

  /** Opens the cache with the files left by an earlier process. */
  static async open(files: CachedFiles, maxBytes: number, log: Log): Promise<BlobCache> {
    const cache = new BlobCache(files, maxBytes, log);
    for (const bucket of await files.buckets())
      for await (const { hash, bytes } of files.list(bucket)) cache.#note(bucket, hash, bytes).users--;
    await cache.#shrink();
    return cache;
  }

  /** Protects a file from eviction until the returned function is called; undefined if it is not cached. */
  hold(bucket: string, hash: string): Release | undefined {
    const file = this.#enter(bucket, hash);
    return file && this.#releaseOf(file);
  }

  /** Stores content under its hash and protects it until `release` is called. */
  async add(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ readonly hash: string; readonly bytes: number; readonly release: Release }> {
    const { hash, bytes } = await this.files.put(bucket, content);
    return { hash, bytes, release: this.#releaseOf(this.#note(bucket, hash, bytes)) };
  }

  /** Opens the file of a protected content. */
  open(bucket: string, hash: string): S3Content["open"] {
    return partOf(this.files.pathOf(bucket, hash));
  }

  async remove(bucket: string, hash: string): Promise<void> {
    this.#forget(`${bucket}/${hash}`);
    await this.files.remove(bucket, hash);
  }

  async drop(bucket: string): Promise<void> {
    for (const [name, file] of this.#known) if (file.bucket === bucket) this.#forget(name);
    await this.files.drop(bucket);
  }

  #enter(bucket: string, hash: string): CachedFile | undefined {
    const name = `${bucket}/${hash}`;
    const file = this.#known.get(name);
    if (!file) return undefined;
    this.#known.delete(name);
    this.#known.set(name, file);
    file.users++;
    return file;
  }

  #note(bucket: string, hash: string, bytes: number): CachedFile {
    const known = this.#enter(bucket, hash);
    if (known) return known;
    const file: CachedFile = { bucket, hash, bytes, users: 1 };
    this.#known.set(`${bucket}/${hash}`, file);
    this.#bytes += bytes;
    return file;
  }

  #releaseOf(file: CachedFile): Release {
    return async () => {
      file.users--;
      await this.#shrink();
    };
  }

  #forget(name: string): void {
    this.#bytes -= this.#known.get(name)?.bytes ?? 0;
    this.#known.delete(name);
  }

  async #shrink(): Promise<void> {
    for (const [name, { bucket, hash, users }] of this.#known) {
      if (this.#bytes <= this.#maxBytes) return;
      if (users > 0) continue;
      this.#forget(name);
      await this.files.remove(bucket, hash).catch((error: unknown) => {
        this.#log.warn({ err: error, bucket, hash }, "a cached content cannot be removed");
      });
    }
  }
}
