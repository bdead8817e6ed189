import type { Readable } from "node:stream";
import { codeOf } from "../base/faults.ts";

/**
 * Contents too large for the key-value store, content-addressed in one bucket per workspace. The `hash` that
 * names a blob is its SHA-256 in lower-case hex; a shared store appends the turn of the writer. A blob is
 * immutable. The workspace counts references in its transactions, so a blob without references is garbage and
 * one with references is complete and durable.
 */
export interface Blobs {
  /**
   * Time in ms for which an unreferenced blob is kept, so that the records can be restored to an earlier
   * state.
   */
  readonly retentionMs: number;
  /**
   * Stores the bytes and returns the hash that names them, once they are durable. The same bytes may get another
   * name later. Storing an existing blob is harmless.
   */
  put(
    bucket: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<{ hash: string; bytes: number }>;
  /** Reads a whole blob. Rejects with an Error if it is missing or does not match its hash. */
  get(bucket: string, hash: string): Promise<Uint8Array>;
  /**
   * Streams bytes `start` to `end` (exclusive). Fails before the first byte if the blob is missing or does
   * not match its hash. The check may be cached while the stored file does not change; reading a whole blob
   * that was damaged since then still fails.
   */
  stream(bucket: string, hash: string, start?: number, end?: number): Readable;
  has(bucket: string, hash: string): Promise<boolean>;
  /** Blobs in the bucket with their write time (Unix time in ms), so that the sweep removes only old ones. */
  list(bucket: string): AsyncIterable<{ hash: string; bytes: number; writtenAt: number }>;
  /**
   * Removes a blob; a missing one is not an error. With `writtenAt` (from `list`), the blob is kept if it was
   * written again since, which happens if the same content returns between check and removal.
   */
  remove(bucket: string, hash: string, writtenAt?: number): Promise<void>;
  drop(bucket: string): Promise<void>;
  /** Names of buckets that may contain blobs. */
  buckets(): Promise<string[]>;
  /**
   * Holds back `remove` and `drop` until the returned function is called, so that everything referenced by a
   * snapshot of the key-value store stays readable. Resolves once running removals are done. Hold for seconds
   * only.
   */
  hold(): Promise<() => void>;
}

/** A blob is missing, or does not match its hash. */
export class LostBlob extends Error {}

/** Codes of a missing file, and of a file that the disk cannot read. */
const LOST: ReadonlySet<string> = new Set(["ENOENT", "EIO"]);

/**
 * Whether an error of a read means that the blob is lost. Others pass: too many open files, a full cache, or
 * an object store that does not answer.
 */
export const isLostBlob = (error: unknown): boolean => error instanceof LostBlob || LOST.has(codeOf(error));
