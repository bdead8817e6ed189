import type { Blobs } from "../blobs.ts";
import { type Kv, type KvOp, MAX_CHANGE_BYTES } from "../kv.ts";
import type { BackupManifest } from "./manifest.ts";
import type { BackupRepository } from "./repository.ts";
import { type Pair, unpackSegment } from "./segments.ts";

/** Bytes of values written at once: a quarter of what a change may have, since keys count too. */
const BATCH_BYTES = MAX_CHANGE_BYTES / 4;
const BATCH_RECORDS = 5000;

/** What of a backup is restored. */
export interface RestoreSelection {
  /** The record as it is restored, or undefined where it is left out. */
  readonly record: (pair: Pair) => Pair | undefined;
  readonly hasBucket: (bucket: string) => boolean;
}

export const WHOLE_BACKUP: RestoreSelection = { record: (pair) => pair, hasBucket: () => true };

/** Empty stores that a backup is restored into. */
interface RestoreTarget {
  readonly kv: Pick<Kv, "transact">;
  readonly blobs: Pick<Blobs, "put">;
}

export interface RestoreOptions {
  readonly select: RestoreSelection;
  /** Called with the parts that are restored and those that there are. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface Restored {
  readonly records: number;
  readonly contents: number;
}

/** Every object is checked against its hash; an Error where one is missing or damaged. */
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
      await target.kv.transact(() => ({ ops, apply: () => undefined }));
      records += ops.length;
    }
    onProgress(++done, total);
  }
  return { records, contents };
}

/** The records of a backup in key order, a segment at a time. */
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
