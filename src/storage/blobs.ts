import type { Readable } from "node:stream";

/**
 * Contents too large for the key-value store, content-addressed in one bucket per workspace. The `hash` that
 * names a blob is its SHA-256 in lower-case hex; a store of several servers adds who wrote it. A blob is
 * immutable. The workspace counts references in its transactions, so a blob without references is garbage and
 * one with references is complete and durable.
 */
export interface Blobs {
  /**
   * Stores the bytes and returns the hash that names them, once they are durable. The same bytes may get another
   * name later. Storing an existing blob is harmless.
   */
  put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; bytes: number }>;
  /** All bytes. Rejects with an Error if the blob is missing or does not match its hash. */
  get(bucket: string, hash: string): Promise<Uint8Array>;
  /**
   * Bytes `start` to `end` (exclusive) as a stream. It fails before its first byte if the blob is missing or
   * does not match its hash. The check may be cached for all readers while the stored file does not change;
   * reading a whole blob damaged since still fails.
   */
  stream(bucket: string, hash: string, start?: number, end?: number): Readable;
  has(bucket: string, hash: string): Promise<boolean>;
  /** Hashes in the bucket with their write time in ms: the sweep removes only old, unreferenced blobs. */
  list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }>;
  /**
   * Removing a missing blob is no error. `writtenAt` (of `list`): only if it was not written again since,
   * which happens when the same content returns between the sweep's check and its removal.
   */
  remove(bucket: string, hash: string, writtenAt?: number): Promise<void>;
  drop(bucket: string): Promise<void>;
  /** Names of the buckets that may hold blobs. */
  buckets(): Promise<string[]>;
  /**
   * Holds back `remove` and `drop` until the returned function is called, so that everything a snapshot of
   * the key-value store refers to can be read. Resolves once running removals are done. Hold it for seconds
   * only.
   */
  hold(): Promise<() => void>;
}
