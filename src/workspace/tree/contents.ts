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
import { encodeRecord } from "../../storage/records.ts";
import { Keys } from "../keys.ts";
import { BLOBS } from "../records.ts";

/** Contents up to this size live in the key-value store: same batch, no orphans (storage.md section 2). */
export const INLINE_BYTES = 16 * 1024;
/** A blob without references is removed only after every request that may have seen it has ended. */
export const BLOB_GRACE_MS = 120_000;
/** A blob that was written less long ago may not be pinned yet. */
const FRESH_MS = 5000;

/** Contents read at once for each one that is asked for, where others lie between them. */
const MAX_BETWEEN = 2;
const REFERENCES_PAGE = 1000;

const INLINE = 0;
const BLOB = 1;

/** Bytes that are durable or will be with the record that names them. */
export type StoredContent =
  | { readonly inline: Uint8Array }
  | { readonly blob: string; readonly bytes: number };

/**
 * Told within the change that takes the last reference from a blob, so that a sweep can be asked for with it.
 */
export type BlobFreed = (draft: Draft, incarnation: WorkspaceId) => void;

/** The bucket of an incarnation's large contents. */
export const bucketOf = (incarnation: WorkspaceId): string => incarnation.toString(36);

/** The blobs of a bucket that records refer to, read from the records. */
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

/** The bytes of files, by node and generation. */
export class Contents {
  readonly #kv: Kv;
  readonly #blobs: Blobs;
  readonly #clock: () => number;
  readonly #keys: Keys;
  readonly #onFreed: (draft: Draft) => void;
  readonly bucket: string;
  /** Blobs written for transactions that have not been decided yet: the sweep passes them over. */
  readonly #pinned = new Map<string, number>();

  constructor(
    stores: { kv: Kv; blobs: Blobs; clock: () => number; onBlobFreed: BlobFreed },
    keys: Keys,
    incarnation: WorkspaceId,
  ) {
    this.#onFreed = (draft) => stores.onBlobFreed(draft, incarnation);
    this.#kv = stores.kv;
    this.#blobs = stores.blobs;
    this.#clock = stores.clock;
    this.#keys = keys;
    this.bucket = bucketOf(incarnation);
  }

  /**
   * Makes large bytes durable before the transaction that refers to them; `release` after that transaction,
   * whatever became of it.
   */
  async store(bytes: Uint8Array): Promise<{ content: StoredContent; release: () => void }> {
    if (bytes.byteLength <= INLINE_BYTES) return { content: { inline: bytes }, release: () => undefined };
    return this.storeStream([bytes]);
  }

  async storeStream(
    parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<{ content: StoredContent; release: () => void }> {
    const { hash, bytes } = await this.#blobs.put(this.bucket, Readable.from(parts));
    // until here the grace of what was just written protects it
    this.#pin(hash);
    return { content: { blob: hash, bytes }, release: () => this.#unpin(hash) };
  }

  put(draft: Draft, node: NodeId, generation: number, content: StoredContent): void {
    const key = this.#keys.content(node, generation);
    if ("inline" in content) {
      draft.put(key, Buffer.concat([Buffer.of(INLINE), content.inline]));
      return;
    }
    const record = BLOBS.read(draft, this.#keys.blob(content.blob));
    draft.put(
      this.#keys.blob(content.blob),
      encodeRecord({ references: (record?.references ?? 0) + 1, bytes: content.bytes }),
    );
    draft.put(key, Buffer.concat([Buffer.of(BLOB), Buffer.from(content.blob, "hex")]));
  }

  /** Removes the content of one generation; a blob that nothing refers to any more is left to the sweep. */
  drop(draft: Draft, node: NodeId, generation: number): void {
    const key = this.#keys.content(node, generation);
    const value = draft.get(key);
    if (!value) return;
    draft.delete(key);
    if (value[0] !== BLOB) return;
    const hash = Buffer.from(value.subarray(1)).toString("hex");
    const record = BLOBS.read(draft, this.#keys.blob(hash));
    if (!record) return;
    const references = record.references - 1;
    draft.put(
      this.#keys.blob(hash),
      encodeRecord({ references, bytes: record.bytes, ...(references === 0 && { freedAt: this.#clock() }) }),
    );
    if (references === 0) this.#onFreed(draft);
  }

  /**
   * All bytes of a file. Inline contents are read at once, in the same turn as the entry that names them;
   * `reader` is the snapshot of an entry of another moment.
   */
  read(entry: Entry, reader: KvReader = this.#kv): Uint8Array | Promise<Uint8Array> {
    const content = this.open(entry, reader);
    return typeof content === "function" ? content() : content;
  }

  /**
   * As `read`, where a large file is read when its turn comes: it is found now, and stays for BLOB_GRACE_MS
   * whatever becomes of its entry.
   */
  open(entry: Entry, reader: KvReader = this.#kv): Uint8Array | (() => Promise<Uint8Array>) {
    const value = this.#value(entry, reader);
    return value[0] === INLINE ? value.subarray(1) : () => this.#blobs.get(this.bucket, hashOf(value));
  }

  /**
   * The bytes of those of several files that are small, in their order, read at once where they lie near each
   * other in the store; undefined for the others.
   */
  async inlineOf(entries: readonly Entry[], reader: KvPages): Promise<(Uint8Array | undefined)[]> {
    const near = await this.#neighbours(entries, reader);
    return entries.map((entry) => {
      const value = near.get(this.#keys.content(entry.node, entry.generation)) ?? this.#value(entry, reader);
      return value[0] === INLINE ? value.subarray(1) : undefined;
    });
  }

  /**
   * The texts of those of several files that are small, plain UTF-8 and near each other in the store, in
   * their order; undefined for the others.
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

  /** Key range covering several files' contents, if they lie close together. */
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

  /** Bytes `start` to `end` (exclusive); `reader` as in `read`. */
  stream(entry: Entry, start: number, end: number, reader: KvReader = this.#kv): Readable {
    const value = this.#value(entry, reader);
    if (value[0] === INLINE) return Readable.from([value.subarray(1).subarray(start, end)]);
    return this.#blobs.stream(this.bucket, hashOf(value), start, end);
  }

  /**
   * Removes blobs that nothing refers to and that no running request can still want; asks for another sweep
   * where some are too fresh. The number removed.
   */
  async sweep(): Promise<number> {
    let removed = 0;
    let waiting = 0;
    const before = this.#clock() - BLOB_GRACE_MS;
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
   * Removes the blobs that nothing refers to any more at once: a request that still wants one fails. The number
   * of those that are too fresh, since a change under way may be about to refer to them again.
   */
  async sweepFreed(): Promise<number> {
    let waiting = 0;
    const now = this.#clock();
    for await (const { hash, writtenAt } of this.#blobs.list(this.bucket)) {
      if (BLOBS.read(this.#kv, this.#keys.blob(hash))?.references !== 0) continue;
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
      return draft.finish(() => undefined);
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

  /** Bytes of a stored content as its record or that of its blob says; undefined where it is missing. */
  sizeOf({ node, generation }: Entry): number | undefined {
    const value = this.#kv.get(this.#keys.content(node, generation));
    if (value?.[0] !== BLOB) return value && value.byteLength - 1;
    return BLOBS.read(this.#kv, this.#keys.blob(hashOf(value)))?.bytes;
  }

  /** SHA-256 of a content, for those of which no entry tells it. */
  hashOf(entry: Entry): string {
    const value = this.#value(entry, this.#kv);
    return value[0] === INLINE ? sha256(value.subarray(1)) : hashOf(value);
  }

  /** The blobs that are there, with the time in ms at which each was written. */
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

const hashOf = (value: Uint8Array): string => Buffer.from(value.subarray(1)).toString("hex");

/** The blob that a content record names, or undefined where it holds the bytes itself. */
export const blobNamedBy = (value: Uint8Array): string | undefined =>
  value[0] === BLOB ? hashOf(value) : undefined;
