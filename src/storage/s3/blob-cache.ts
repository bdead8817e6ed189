import { present } from "../../base/expect.ts";
import type { Log } from "../../base/log.ts";
import type { Blobs } from "../blobs.ts";
import { partOf } from "../part-of-file.ts";
import type { S3Content } from "./s3-request.ts";

type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Files of the cache on disk. */
export interface CachedFiles extends Pick<Blobs, "get" | "stream" | "list" | "buckets" | "drop"> {
  /** Calls `stored` before a removal of the same hash can run. */
  put(
    bucket: string,
    content: Content,
    stored: (file: { readonly hash: string; readonly bytes: number }) => void,
  ): Promise<unknown>;
  /** Removes a file unless `isUnused`, which is called when no put of the hash runs, returns false. */
  removeIf(bucket: string, hash: string, isUnused: () => boolean): Promise<void>;
  pathOf(bucket: string, hash: string): string;
}

/** A cached file, which is not evicted while in use. */
interface CachedFile {
  readonly bucket: string;
  readonly hash: string;
  readonly bytes: number;
  users: number;
  /** Damaged, or removed from the object store: not served again, and deleted once it is not in use. */
  isUnwanted: boolean;
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
    const file = this.#enter(`${bucket}/${hash}`);
    return file && this.#releaseOf(file);
  }

  /** Stores content under its hash and protects it until `release` is called. */
  async add(
    bucket: string,
    content: Content,
  ): Promise<{ readonly hash: string; readonly bytes: number; readonly release: Release }> {
    let added: CachedFile | undefined;
    await this.files.put(bucket, content, ({ hash, bytes }) => {
      added = this.#note(bucket, hash, bytes);
    });
    const file = present(added, "stored content");
    return { hash: file.hash, bytes: file.bytes, release: this.#releaseOf(file) };
  }

  /** Opens the file of a protected content. */
  open(bucket: string, hash: string): S3Content["open"] {
    return partOf(this.files.pathOf(bucket, hash));
  }

  /** Stops serving a content. Its file is deleted as soon as nobody reads or sends it. */
  async remove(bucket: string, hash: string): Promise<void> {
    const file = this.#known.get(`${bucket}/${hash}`);
    if (!file) return;
    file.isUnwanted = true;
    await this.#discard(file);
  }

  async drop(bucket: string): Promise<void> {
    for (const [name, file] of this.#known) if (file.bucket === bucket) this.#forget(name);
    await this.files.drop(bucket);
  }

  #enter(name: string): CachedFile | undefined {
    const file = this.#known.get(name);
    if (!file || file.isUnwanted) return undefined;
    this.#known.delete(name);
    this.#known.set(name, file);
    file.users++;
    return file;
  }

  #note(bucket: string, hash: string, bytes: number): CachedFile {
    const name = `${bucket}/${hash}`;
    const known = this.#known.get(name);
    // a put replaces the file of the same content, however damaged
    if (known) known.isUnwanted = false;
    const entered = this.#enter(name);
    if (entered) return entered;
    const file: CachedFile = { bucket, hash, bytes, users: 1, isUnwanted: false };
    this.#known.set(name, file);
    this.#bytes += bytes;
    return file;
  }

  #releaseOf(file: CachedFile): Release {
    return async () => {
      file.users--;
      if (file.isUnwanted) await this.#discard(file);
      await this.#shrink();
    };
  }

  #forget(name: string): void {
    this.#bytes -= this.#known.get(name)?.bytes ?? 0;
    this.#known.delete(name);
  }

  async #shrink(): Promise<void> {
    for (const file of this.#known.values()) {
      if (this.#bytes <= this.#maxBytes) return;
      if (file.users === 0) await this.#discard(file);
    }
  }

  /** Deletes a file unless it is in use, or was stored again meanwhile. */
  async #discard(file: CachedFile): Promise<void> {
    const { bucket, hash } = file;
    const name = `${bucket}/${hash}`;
    const isUnused = () => {
      if (file.users > 0 || this.#known.get(name) !== file) return false;
      this.#forget(name);
      return true;
    };
    await this.files.removeIf(bucket, hash, isUnused).catch((error: unknown) => {
      this.#log.warn({ err: error, bucket, hash }, "a cached content cannot be removed");
    });
  }
}
