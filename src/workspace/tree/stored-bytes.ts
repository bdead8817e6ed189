import { ServiceError } from "../../domain/errors.ts";
import type { Draft } from "../../storage/draft.ts";
import { type KvPages, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/records.ts";
import { COUNTED_KINDS, type Keys } from "../keys.ts";
import { BLOBS, STORED_BYTES, type StoredRecord, VERSIONS } from "../records.ts";

/** A transaction that tracks its stored bytes. */
interface CountingDraft extends Pick<Draft, "get" | "touched" | "put"> {
  readonly keys: Keys;
  readonly stored: number;
  readonly versions: number;
  readonly isBeyondQuota: boolean;
}

const PAGE = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The counted bytes of one record: its key and value, and the file size of a referenced blob. Counted is
 * content from callers: files with their derived texts and sections, directories, messages, memories,
 * relations, used contexts, first answers under an idempotency key. Not counted is everything that can be made again: the
 * index, layers, and records of jobs and tasks.
 */
export function storedBytes(keys: Keys, key: string, value: Uint8Array | undefined): number {
  if (value === undefined || !keys.isStored(key)) return 0;
  const own = Buffer.byteLength(key) + value.byteLength;
  if (!key.startsWith(keys.allBlobs())) return own;
  const { references, bytes } = BLOBS.decode(value, key);
  return references > 0 ? bytes : 0;
}

/** Bytes of a version's content; 0 for any other record. */
export const versionBytes = (keys: Keys, key: string, value: Uint8Array | undefined): number =>
  value !== undefined && key.startsWith(keys.allVersions()) ? VERSIONS.decode(value, key)[1] : 0;

const counted = (read: Pick<KvReader, "get">, keys: Keys): StoredRecord | undefined =>
  STORED_BYTES.read(read, keys.counter("stored"));

/** Whether the records that count now have been counted. */
export const isCounted = (read: Pick<KvReader, "get">, keys: Keys): boolean =>
  counted(read, keys)?.kinds === COUNTED_KINDS;

/** Bytes stored by a workspace, as counted by its transactions; undefined if not counted yet. */
export const countedBytes = (read: Pick<KvReader, "get">, keys: Keys): number | undefined =>
  counted(read, keys)?.bytes;

/** Bytes of the contents of earlier versions. */
export const countedVersions = (read: Pick<KvReader, "get">, keys: Keys): number =>
  counted(read, keys)?.versions ?? 0;

/** Whether a transaction would exceed the limit (0: unlimited). */
export const isOverQuota = (draft: CountingDraft, limit: number): boolean =>
  limit > 0 &&
  draft.stored > 0 &&
  !draft.isBeyondQuota &&
  (countedBytes(draft, draft.keys) ?? 0) + draft.stored > limit;

/**
 * Adds a transaction's stored bytes to the count. Throws RESOURCE_EXHAUSTED if it adds bytes and exceeds the
 * limit (0: unlimited).
 */
export function countStored(draft: CountingDraft, limit: number): void {
  const { stored: more, versions } = draft;
  if (more === 0 && versions === 0) return;
  const used = countedBytes(draft, draft.keys) ?? 0;
  if (more > 0 && !draft.isBeyondQuota) checkQuota({ used, more, limit });
  putCounted(draft, { bytes: used + more, versions: countedVersions(draft, draft.keys) + versions });
}

export const putCounted = (draft: CountingDraft, { bytes, versions = 0 }: StoredRecord): void =>
  draft.put(
    draft.keys.counter("stored"),
    encodeRecord({
      bytes,
      ...(versions > 0 && { versions }),
      kinds: COUNTED_KINDS,
    } satisfies StoredRecord),
  );

/** Throws RESOURCE_EXHAUSTED {resource, unit, used, more, limit}; a retry only helps after a deletion. */
export function checkQuota({
  used,
  more,
  limit,
}: {
  readonly used: number;
  readonly more: number;
  readonly limit: number;
}): void {
  if (limit === 0 || used + more <= limit) return;
  const reason = `the account stores ${used} bytes and this adds ${more} more; the limit is ${limit} (CTXDB_MAX_STORED_BYTES_PER_ACCOUNT)`;
  throw new ServiceError("RESOURCE_EXHAUSTED", `storage: ${reason}; first delete files, or empty the trash`, {
    resource: "storage",
    reason,
    unit: "bytes",
    used,
    more,
    limit,
  });
}

/** Counts all records of a workspace. */
export async function recountStored(
  kv: KvPages,
  keys: Keys,
): Promise<{ readonly bytes: number; readonly versions: number }> {
  let bytes = 0;
  let versions = 0;
  for (const prefix of keys.stored()) {
    const range = { ...prefixRange(prefix, PAGE), maxBytes: PAGE_BYTES };
    for await (const page of pairPages(kv, range))
      for (const [key, value] of page) {
        bytes += storedBytes(keys, key, value);
        versions += versionBytes(keys, key, value);
      }
  }
  return { bytes, versions };
}
