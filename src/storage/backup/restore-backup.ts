import type { Blobs } from "../blobs.ts";
import { byOwner } from "../key-owner.ts";
import { type Kv, type KvOp, MAX_CHANGE_BYTES } from "../kv.ts";
import type { BackupManifest } from "./manifest.ts";
import { type Pair, unpackSegment } from "./packed-records.ts";
import type { BackupRepository } from "./repository.ts";

/** Maximum bytes of values per write: a quarter of a change's limit, because keys also count. */
const BATCH_BYTES = MAX_CHANGE_BYTES / 4;
const BATCH_RECORDS = 5000;
/** A single record may be larger than most changes: a message of a session has up to 8 MiB. */
const ANY_SIZE = { maxBytes: Number.POSITIVE_INFINITY };

/** Selects the part of a backup to restore. */
export interface RestoreSelection {
  /** The record to restore, possibly changed; undefined to omit it. */
  readonly record: (pair: Pair) => Pair | undefined;
  readonly hasBucket: (bucket: string) => boolean;
}

export const WHOLE_BACKUP: RestoreSelection = { record: (pair) => pair, hasBucket: () => true };

/** Empty stores to restore into. */
interface RestoreTarget {
  readonly kv: Pick<Kv, "transact">;
  readonly blobs: Pick<Blobs, "put">;
}

export interface RestoreOptions {
  readonly select: RestoreSelection;
  /** Called with the number of processed objects and of all objects. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface Restored {
  readonly records: number;
  readonly contents: number;
}

/**
 * Restores a backup. Every object is verified against its hash; throws Error if one is missing or damaged.
 */
export async function restoreBackup(
  repository: BackupRepository,
  backup: BackupManifest,
  target: RestoreTarget,
  { select, onProgress }: RestoreOptions,
): Promise<Restored> {
  const total = backup.contents + backup.segments.length;
  let [contents, records, done] = [0, 0, 0];
  for await (const { bucket, hash } of repository.contents(backup)) {
    if (select.hasBucket(bucket)) {
      await target.blobs.put(bucket, repository.stream("contents", hash));
      contents++;
    }
    onProgress(++done, total);
  }
  for await (const pairs of recordsOf(repository, backup)) {
    for (const ops of batches(pairs, select)) {
      // transactions of many small workspaces share a write
      await Promise.all(
        byOwner(ops).map((own) => target.kv.transact(() => ({ ops: own, apply: () => undefined }), ANY_SIZE)),
      );
      records += ops.length;
    }
    onProgress(++done, total);
  }
  return { records, contents };
}

/** The records of a backup in key order, read one segment at a time. */
export async function* recordsOf(
  repository: BackupRepository,
  { segments }: BackupManifest,
): AsyncGenerator<Pair[]> {
  for (const hash of segments) yield await unpackSegment(await repository.get("records", hash));
}

function* batches(pairs: readonly Pair[], select: RestoreSelection): Generator<KvOp[]> {
  let batch: KvOp[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    const [key, value] = select.record(pair) ?? [];
    if (key === undefined || value === undefined) continue;
    batch.push({ key, value });
    bytes += value.byteLength;
    if (bytes < BATCH_BYTES && batch.length < BATCH_RECORDS) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
