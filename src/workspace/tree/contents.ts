import { Readable } from "node:stream";
import { sha256 } from "../../base/sha256.ts";
import { type WorkspaceId, workspaceId } from "../../domain/ids.ts";
import type { Entry, NodeId } from "../../domain/node.ts";
import { plainText } from "../../domain/text/decode.ts";
import type { Blobs } from "../../storage/blobs.ts";
import { Draft } from "../../storage/draft.ts";
import {
  type KeyRange,
  type Kv,
  type KvPages,
  type KvReader,
  pairPages,
  prefixRange,
} from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Conflict } from "../conflict.ts";
import { Keys } from "../keys.ts";
import { BLOBS } from "../records.ts";

/**
 * Maximum size of contents stored in the key-value store, in the same batch as their record (storage.md
 * section 2).
 */
export const INLINE_BYTES = 16 * 1024;
/** Delay in ms before an unreferenced blob is removed; every request that may have seen it has then ended. */
export const BLOB_GRACE_MS = 120_000;
/**
 * Maximum difference in ms between the clocks of two servers that sweep the same workspace one after the other.
 */
const MAX_SKEW_MS = 300_000;
/** A blob younger than this, in ms, may not be pinned yet. */
const FRESH_MS = 5000;

/** Delay in ms before an unreferenced blob is removed from a store. */
export const removalDelayOf = ({ retentionMs }: Pick<Blobs, "retentionMs">): number =>
  Math.max(BLOB_GRACE_MS, retentionMs);

/** Maximum number of keys in a range read, per requested content; sparser contents are read one by one. */
const MAX_BETWEEN = 2;
const REFERENCES_PAGE = 1000;

const INLINE = 0;
const BLOB = 1;
const HASH_BYTES = 32;

/** Content that is durable, or will be with its record. */
export type StoredContent =
  | { readonly inline: Uint8Array }
  /** `isShared`: other content already refers to the blob, so no file was written. */
  | { readonly blob: string; readonly bytes: number; readonly isShared?: true };

/** Called within the transaction that removes a blob's last reference, to enqueue a sweep. */
export type BlobFreed = (draft: Draft, incarnation: WorkspaceId) => void;

/** Name of the bucket for an incarnation's large contents. */
export const bucketOf = (incarnation: WorkspaceId): string => incarnation.toString(36);

/** Notified when contents are no longer stored, so that data derived from them is dropped from memory. */
export interface ContentWatcher {
  /** Called in the same turn in which the removal becomes visible. */
  drop(incarnation: WorkspaceId, node: NodeId, generation: number): void;
  /** Called when the account was deleted. */
  dropAll(incarnation: WorkspaceId): void;
}

/** The blobs of a bucket that records refer to; reads all of these records. */
export async function* referencedBlobs(
  kv: KvPages,
  bucket: string,
): AsyncGenerator<{ readonly hash: string; readonly bytes: number }> {
  const prefix = new Keys(workspaceId(Number.parseInt(bucket, 36))).allBlobs();
  for await (const page of pairPages(kv, prefixRange(prefix, REFERENCES_PAGE)))
    for (const [key, value] of page) {
      const { references, bytes } = BLOBS.decode(value, key);
      if (references > 0) yield { hash: key.slice(prefix.length), bytes };
    }
}

/** The contents of files, by node and generation. */
export class Contents {
  readonly #kv: Kv;
  readonly #blobs: Blobs;
  readonly #clock: () => number;
  readonly #keys: Keys;
  readonly #onFreed: (draft: Draft) => void;
  readonly #incarnation: WorkspaceId;
  readonly #watcher: ContentWatcher | undefined;
  readonly bucket: string;
  /** Blobs of undecided transactions, which the sweep skips. */
  readonly #pinned = new Map<string, number>();

  constructor(
    stores: {
      kv: Kv;
      blobs: Blobs;
      clock: () => number;
      onBlobFreed: BlobFreed;
      contentWatcher?: ContentWatcher;
    },
    keys: Keys,
    incarnation: WorkspaceId,
  ) {
    this.#onFreed = (draft) => stores.onBlobFreed(draft, incarnation);
    this.#kv = stores.kv;
    this.#blobs = stores.blobs;
    this.#clock = stores.clock;
    this.#keys = keys;
    this.#incarnation = incarnation;
    this.#watcher = stores.contentWatcher;
    this.bucket = bucketOf(incarnation);
  }

  /**
   * Makes large content durable before the transaction that refers to it. Call `release` after that
   * transaction, even if it failed.
   */
  async store(bytes: Uint8Array): Promise<{ content: StoredContent; release: () => void }> {
    if (bytes.byteLength <= INLINE_BYTES) return { content: { inline: bytes }, release: () => undefined };
    return this.storeStream([bytes]);
  }

  async storeStream(
    parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<{ content: StoredContent; release: () => void }> {
    const { hash, bytes } = await this.#blobs.put(this.bucket, Readable.from(parts));
    // until it is pinned, its write time protects the blob
    this.#pin(hash);
    return { content: { blob: hash, bytes }, release: () => this.#unpin(hash) };
  }

  /**
   * Uses the content of a file for another, without reading or writing it; otherwise like `store`. `reader`:
   * the snapshot of the entry.
   */
  share(entry: Entry, reader: KvReader): { content: StoredContent; release: () => void } {
    const value = this.#value(entry, reader);
    if (value[0] === INLINE) return { content: { inline: value.subarray(1) }, release: () => undefined };
    const blob = blobOf(value);
    const record = BLOBS.read(reader, this.#keys.blob(blob));
    if (!record) throw new Error(`no references to the content of node ${entry.node} are counted`);
    this.#pin(blob);
    return {
      content: { blob, bytes: record.bytes, isShared: true },
      release: () => this.#unpin(blob),
    };
  }

  put(draft: Draft, node: NodeId, generation: number, content: StoredContent): void {
    const key = this.#keys.content(node, generation);
    if ("inline" in content) {
      draft.put(key, Buffer.concat([Buffer.of(INLINE), content.inline]));
      return;
    }
    const record = BLOBS.read(draft, this.#keys.blob(content.blob));
    // the sweep removed the blob before it was pinned: its last reference was removed after the snapshot
    if (content.isShared && !record) throw new Conflict("a content");
    draft.put(
      this.#keys.blob(content.blob),
      encodeRecord({ references: (record?.references ?? 0) + 1, bytes: content.bytes }),
    );
    draft.put(key, namingBlob(content.blob));
  }

  /** Removes the content of one generation; an unreferenced blob is left to the sweep. */
  drop(draft: Draft, node: NodeId, generation: number): void {
    const key = this.#keys.content(node, generation);
    const value = draft.get(key);
    if (!value) return;
    draft.delete(key);
    draft.onDurable(() => this.#watcher?.drop(this.#incarnation, node, generation));
    if (value[0] !== BLOB) return;
    const hash = blobOf(value);
    const record = BLOBS.read(draft, this.#keys.blob(hash));
    if (!record) return;
    const references = record.references - 1;
    draft.put(
      this.#keys.blob(hash),
      encodeRecord({ references, bytes: record.bytes, ...(references === 0 && { freedAt: this.#clock() }) }),
    );
    if (references === 0) this.#onFreed(draft);
  }

  /** Called when the account was deleted. */
  close(): void {
    this.#watcher?.dropAll(this.#incarnation);
  }

  /** Whether a file still has its content; see `read`. */
  has({ node, generation }: Entry, reader: KvReader = this.#kv): boolean {
    return reader.get(this.#keys.content(node, generation)) !== undefined;
  }

  /**
   * Reads a whole file. Inline contents are returned synchronously, so that they match their entry. `reader`:
   * the snapshot, for an older entry.
   */
  read(entry: Entry, reader: KvReader = this.#kv): Uint8Array | Promise<Uint8Array> {
    const content = this.open(entry, reader);
    return typeof content === "function" ? content() : content;
  }

  /**
   * Like `read`, but a large file is only located now and read later; it remains for BLOB_GRACE_MS even if
   * its entry is removed.
   */
  open(entry: Entry, reader: KvReader = this.#kv): Uint8Array | (() => Promise<Uint8Array>) {
    const value = this.#value(entry, reader);
    return value[0] === INLINE ? value.subarray(1) : () => this.#blobs.get(this.bucket, blobOf(value));
  }

  /**
   * Contents of the small files among several, in order, read together if they are adjacent in the store;
   * undefined for the others.
   */
  async inlineOf(entries: readonly Entry[], reader: KvPages): Promise<(Uint8Array | undefined)[]> {
    const near = await this.#neighbours(entries, reader);
    return entries.map((entry) => {
      const value = near.get(this.#keys.content(entry.node, entry.generation)) ?? this.#value(entry, reader);
      return value[0] === INLINE ? value.subarray(1) : undefined;
    });
  }

  /**
   * Texts of the files that are small, plain UTF-8 and adjacent in the store, in order; undefined for the
   * others.
   */
  async inlineTextsOf(entries: readonly Entry[], reader: KvPages): Promise<(string | undefined)[]> {
    const range = this.#rangeOf(entries);
    const near = new Map(range && (await reader.texts(range)));
    return entries.map((entry) => {
      const value = near.get(this.#keys.content(entry.node, entry.generation));
      return value?.charCodeAt(0) === INLINE ? plainText(value.slice(1)) : undefined;
    });
  }

  async #neighbours(entries: readonly Entry[], reader: KvPages): Promise<ReadonlyMap<string, Uint8Array>> {
    const range = this.#rangeOf(entries);
    return new Map(range && (await reader.range(range)));
  }

  /** A key range that covers the contents of several files, if they are close together. */
  #rangeOf(entries: readonly Entry[]): KeyRange | undefined {
    let [first, last] = [entries[0]?.node, entries[0]?.node];
    for (const { node } of entries) {
      if (first === undefined || node < first) first = node;
      if (last === undefined || node > last) last = node;
    }
    const limit = entries.length * MAX_BETWEEN;
    if (entries.length < 2 || first === undefined || last === undefined || last - first > limit)
      return undefined;
    return { gte: this.#keys.contents(first), lt: prefixRange(this.#keys.contents(last)).lt, limit };
  }

  /** Streams bytes `start` to `end` (exclusive). `reader` as in `read`. */
  stream(entry: Entry, start: number, end: number, reader: KvReader = this.#kv): Readable {
    const value = this.#value(entry, reader);
    if (value[0] === INLINE) return Readable.from([value.subarray(1).subarray(start, end)]);
    return this.#blobs.stream(this.bucket, blobOf(value), start, end);
  }

  /**
   * Removes unreferenced blobs that neither a running request nor a restore can need; enqueues another sweep
   * if some are too new. Returns the number removed.
   */
  async sweep(): Promise<number> {
    let removed = 0;
    let waiting = 0;
    const before = this.#clock() - removalDelayOf(this.#blobs);
    for await (const { hash, writtenAt } of this.#blobs.list(this.bucket)) {
      if ((BLOBS.read(this.#kv, this.#keys.blob(hash))?.references ?? 0) > 0) continue;
      if (writtenAt <= before && (await this.#forget(hash, before))) {
        await this.#blobs.remove(this.bucket, hash, writtenAt);
        removed++;
      } else waiting++;
    }
    if (waiting > 0) await this.#askForSweep();
    return removed;
  }

  /**
   * Removes unreferenced blobs at once; requests that still need one fail, and so does a restore. In a store
   * that retains blobs for restores, only blobs freed since `since` (Unix time in ms). Returns the number of
   * blobs that are too new to remove, because a running change may be about to refer to them.
   */
  async sweepFreed(since: number): Promise<number> {
    let waiting = 0;
    const now = this.#clock();
    const from = this.#blobs.retentionMs > 0 ? since - MAX_SKEW_MS : 0;
    for await (const { hash, writtenAt } of this.#blobs.list(this.bucket)) {
      const record = BLOBS.read(this.#kv, this.#keys.blob(hash));
      if (record?.references !== 0 || (record.freedAt ?? now) < from) continue;
      if (writtenAt <= now - FRESH_MS && (await this.#forget(hash, now)))
        await this.#blobs.remove(this.bucket, hash, writtenAt);
      else waiting++;
    }
    return waiting;
  }

  async #askForSweep(): Promise<void> {
    await this.#kv.transact((read) => {
      const draft = new Draft(read);
      this.#onFreed(draft);
      return draft.toChange(() => undefined);
    });
  }

  async #forget(hash: string, before: number): Promise<boolean> {
    const key = this.#keys.blob(hash);
    return this.#kv.transact((read) => {
      const record = BLOBS.read(read, key);
      const free =
        !this.#pinned.has(hash) && (record?.references ?? 0) === 0 && (record?.freedAt ?? 0) <= before;
      return { ops: free && record ? [{ key, value: undefined }] : [], apply: () => free };
    });
  }

  /** Size of a stored content in bytes, from its record or its blob's; undefined if missing. */
  sizeOf({ node, generation }: Entry): number | undefined {
    const value = this.#kv.get(this.#keys.content(node, generation));
    if (value?.[0] !== BLOB) return value && value.byteLength - 1;
    return BLOBS.read(this.#kv, this.#keys.blob(blobOf(value)))?.bytes;
  }

  /** SHA-256 of a content, for entries without one. */
  hashOf(entry: Entry, reader: KvReader = this.#kv): string {
    const value = this.#value(entry, reader);
    return value[0] === INLINE ? sha256(value.subarray(1)) : hashOfBlob(blobOf(value));
  }

  /** All existing blobs with their write time, Unix time in ms. */
  blobFiles(): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }> {
    return this.#blobs.list(this.bucket);
  }

  hasBlob(hash: string): Promise<boolean> {
    return this.#blobs.has(this.bucket, hash);
  }

  #value(entry: Entry, reader: KvReader): Uint8Array {
    const value = reader.get(this.#keys.content(entry.node, entry.generation));
    if (!value) throw new Error(`content of node ${entry.node} generation ${entry.generation} is missing`);
    return value;
  }

  #pin(hash: string): void {
    this.#pinned.set(hash, (this.#pinned.get(hash) ?? 0) + 1);
  }

  #unpin(hash: string): void {
    const count = (this.#pinned.get(hash) ?? 1) - 1;
    if (count === 0) this.#pinned.delete(hash);
    else this.#pinned.set(hash, count);
  }
}

/** A content record that names a blob. The name starts with its hash; some stores append the writer's turn. */
export const namingBlob = (blob: string): Buffer =>
  Buffer.concat([
    Buffer.of(BLOB),
    Buffer.from(hashOfBlob(blob), "hex"),
    Buffer.from(blob.slice(2 * HASH_BYTES)),
  ]);

/** The blob that a content record names. */
function blobOf(value: Uint8Array): string {
  const name = Buffer.from(value.subarray(1));
  return name.toString("hex", 0, HASH_BYTES) + name.toString("latin1", HASH_BYTES);
}

/** The SHA-256 in the name of a blob. */
export const hashOfBlob = (blob: string): string => blob.slice(0, 2 * HASH_BYTES);

/** The blob that a content record refers to; undefined if the content is inline. */
export const blobNamedBy = (value: Uint8Array): string | undefined =>
  value[0] === BLOB ? blobOf(value) : undefined;
