import type { Readable } from "node:stream";

/**
 * Contents too large for the key-value store, content-addressed in one bucket per workspace. A blob is
 * immutable; who refers to it is counted by the workspace in the transaction that uses it, so a blob without
 * references is garbage and one with references is whole and durable.
 */
export interface Blobs {
  /**
   * Stores the bytes under their SHA-256 (lower-case hex) and returns it once they are durable. Storing what
   * is there already is cheap and harmless.
   */
  put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; bytes: number }>;
  /** All bytes. Rejects with an Error where the blob is missing or its bytes do not match its hash. */
  get(bucket: string, hash: string): Promise<Uint8Array>;
  /**
   * Bytes `start` to `end` (exclusive) as a stream, which ends with an Error before its first byte where the
   * blob is missing or does not match its hash. The hash may be worked out once for all readers as long as
   * the stored file does not change; a whole blob that is damaged nevertheless ends with an Error.
   */
  stream(bucket: string, hash: string, start?: number, end?: number): Readable;
  has(bucket: string, hash: string): Promise<boolean>;
  /**
   * Hashes in the bucket with the time in ms at which each was written: the sweep removes only what is old
   * and unreferenced.
   */
  list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }>;
  /**
   * Removing what is not there is no error. `writtenAt` (of `list`): only if it was not written again since,
   * which happens when the same content comes back between the sweep's look and its removal.
   */
  remove(bucket: string, hash: string, writtenAt?: number): Promise<void>;
  drop(bucket: string): Promise<void>;
  /** Names of the buckets that may hold blobs. */
  buckets(): Promise<string[]>;
  /**
   * Until the returned function is called, `remove` and `drop` wait, so that what a snapshot of the key-value
   * store refers to can be read. Resolves once removals that had begun are done. To be held for seconds.
   */
  hold(): Promise<() => void>;
}
