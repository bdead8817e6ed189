import { sha256InTurns } from "../../base/sha256.ts";
import type { Blobs } from "../blobs.ts";
import { isLostBlob } from "../blobs.ts";
import { type Kv, type KvPages, type KvSnapshot, pairPages } from "../kv.ts";
import { BACKUP_FORMAT, type BackupManifest } from "./manifest.ts";
import { type Pair, packSegment, segmentsOf } from "./packed-records.ts";
import type { BackupRepository, ContentName } from "./repository.ts";
import type { Throttle } from "./throttle.ts";

/** Range of all keys, which start with an ASCII letter. */
const ALL = { gte: "", lt: "\u007f", limit: 1000, maxBytes: 1024 * 1024 };

interface Content {
  readonly hash: string;
  readonly bytes: number;
}

export interface BackupSource {
  readonly kv: Kv;
  readonly blobs: Blobs;
  /** The blobs of a bucket that records refer to. */
  readonly referenced: (reader: KvPages, bucket: string) => AsyncIterable<Content>;
  /** Whether a record is meaningless in another data directory. */
  readonly isTransient: (key: string) => boolean;
  /** Format of the data directory. */
  readonly dataFormat: number;
}

export interface BackupOptions {
  readonly name: string;
  readonly version: string;
  readonly scheduled: boolean;
  readonly now: () => number;
  readonly throttle: Throttle;
  /** Called with the number of bytes added so far. */
  readonly onProgress: (addedBytes: number) => void;
}

/**
 * Writes a snapshot of the store while it is in use. Most large contents are copied first; removals are held
 * back only while the few added since are copied. A cancelled backup's objects are reused by the next one; the
 * others have to be pruned.
 */
export async function writeBackup(
  repository: BackupRepository,
  source: BackupSource,
  options: BackupOptions,
): Promise<BackupManifest> {
  const { name, version, scheduled, now } = options;
  const began = performance.now();
  const run = new BackupRun(repository, source, options);
  // copy contents first, without holding back removals; the second pass below handles what changed meanwhile
  await run.copyReferenced(source.kv);
  const release = await source.blobs.hold();
  let snapshot: KvSnapshot | undefined;
  try {
    snapshot = source.kv.snapshot();
    const createdAt = now();
    const { contents, lost, bytes } = await run.copyReferenced(snapshot);
    release();
    const segments = await run.copyRecords(snapshot);
    return await repository.finish(
      {
        format: BACKUP_FORMAT,
        name,
        createdAt,
        version,
        dataFormat: source.dataFormat,
        scheduled,
        records: run.records,
        contents: contents.length,
        bytes: bytes + run.recordBytes,
        addedBytes: run.addedBytes,
        durationMs: Math.round(performance.now() - began),
        segments,
        lost,
      },
      contents,
    );
  } finally {
    release();
    snapshot?.close();
  }
}

interface ReferencedContents {
  readonly contents: readonly ContentName[];
  readonly lost: readonly string[];
  readonly bytes: number;
}

/** A running backup and its counts. */
class BackupRun {
  readonly #repository: BackupRepository;
  readonly #source: BackupSource;
  readonly #throttle: Throttle;
  readonly #onProgress: BackupOptions["onProgress"];
  records = 0;
  /** Packed size in bytes. */
  recordBytes = 0;
  addedBytes = 0;

  constructor(repository: BackupRepository, source: BackupSource, { throttle, onProgress }: BackupOptions) {
    this.#repository = repository;
    this.#source = source;
    this.#throttle = throttle;
    this.#onProgress = onProgress;
  }

  /** Copies the referenced contents. `lost`: contents that are missing, damaged or since removed. */
  async copyReferenced(reader: KvPages): Promise<ReferencedContents> {
    const { blobs, referenced } = this.#source;
    const contents: ContentName[] = [];
    const lost: string[] = [];
    let bytes = 0;
    for (const bucket of await blobs.buckets())
      for await (const content of referenced(reader, bucket)) {
        if (await this.#copy(bucket, content)) {
          contents.push({ bucket, hash: content.hash });
          bytes += content.bytes;
        } else lost.push(`${bucket} ${content.hash}`);
      }
    return { contents, lost, bytes };
  }

  /** Writes the records; returns the hashes of the segments. */
  async copyRecords(snapshot: KvSnapshot): Promise<string[]> {
    const hashes: string[] = [];
    for await (const parts of segmentsOf(this.#pages(snapshot))) {
      const packed = await packSegment(parts);
      const hash = await sha256InTurns(packed);
      this.recordBytes += packed.byteLength;
      if (!(await this.#repository.has("records", hash))) {
        await this.#repository.put("records", packed);
        this.addedBytes += packed.byteLength;
      }
      hashes.push(hash);
      this.#onProgress(this.addedBytes);
    }
    return hashes;
  }

  async *#pages(snapshot: KvSnapshot): AsyncGenerator<Pair[]> {
    for await (const page of pairPages(snapshot, ALL)) {
      const kept = page.filter(([key]) => !this.#source.isTransient(key));
      this.records += kept.length;
      await this.#throttle.take(kept.reduce((sum, [, value]) => sum + value.byteLength, 0));
      yield kept;
    }
  }

  /** Returns whether the content is now in the repository. */
  async #copy(bucket: string, { hash, bytes }: Content): Promise<boolean> {
    if (await this.#repository.has("contents", hash)) return true;
    await this.#throttle.take(bytes);
    let fault: unknown;
    const parts = this.#source.blobs.stream(bucket, hash);
    parts.once("error", (error) => {
      fault = error;
    });
    try {
      await this.#repository.put("contents", parts);
    } catch (error) {
      // one bad file must not prevent all backups, but what cannot be read just now must not be left out
      if (isLostBlob(fault)) return false;
      throw error;
    }
    this.addedBytes += bytes;
    this.#onProgress(this.addedBytes);
    return true;
  }
}
