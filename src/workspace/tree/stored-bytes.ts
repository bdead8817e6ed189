import { ServiceError } from "../../domain/errors.ts";
import type { Draft } from "../../storage/draft.ts";
import { type KvPages, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { COUNTED_KINDS, type Keys } from "../keys.ts";
import { BLOBS, ENTRIES, STORED_BYTES, type StoredRecord, VERSIONS } from "../records.ts";
import type { StoredQuotas } from "../workspace-limits.ts";

/** Number of nodes and of their chunks. */
export interface NodeCounts {
  readonly nodes: number;
  readonly chunks: number;
}

/** A transaction that tracks its stored bytes. */
interface CountingDraft extends Pick<Draft, "get" | "touched" | "put"> {
  readonly keys: Keys;
  readonly stored: number;
  readonly versions: number;
  readonly grown: NodeCounts;
  readonly isBeyondQuota: boolean;
}

const PAGE = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The counted bytes of one record: its key and value, and the size of a referenced blob. Content from callers
 * is counted: files with derived texts and sections, directories, layers, which callers may bring, messages,
 * memories, relations, used contexts, and first answers. Data that can be rebuilt is not: the index, and
 * records of jobs and tasks.
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

const NO_NODE: NodeCounts = { nodes: 0, chunks: 0 };

/** Counts the node and the chunks of an entry; the key must be that of an entry. */
export const nodeCounts = (key: string, value: Uint8Array | undefined): NodeCounts =>
  value === undefined ? NO_NODE : { nodes: 1, chunks: ENTRIES.decodeShared(value, key).chunks?.count ?? 0 };

const counted = (read: Pick<KvReader, "get">, keys: Keys): StoredRecord | undefined =>
  STORED_BYTES.read(read, keys.counter("stored"));

/** Whether the stored counts include all record kinds that are counted now. */
export const isCounted = (read: Pick<KvReader, "get">, keys: Keys): boolean =>
  counted(read, keys)?.kinds === COUNTED_KINDS;

/** Bytes stored by a workspace, as counted by its transactions; undefined if not counted yet. */
export const countedBytes = (read: Pick<KvReader, "get">, keys: Keys): number | undefined =>
  counted(read, keys)?.bytes;

/** Bytes of the contents of earlier versions. */
export const countedVersions = (read: Pick<KvReader, "get">, keys: Keys): number =>
  counted(read, keys)?.versions ?? 0;

/** Nodes and chunks of a workspace, as counted by its transactions. */
export function countedNodes(read: Pick<KvReader, "get">, keys: Keys): NodeCounts {
  const { nodes = 0, chunks = 0 } = counted(read, keys) ?? {};
  return { nodes, chunks };
}

/** Whether a transaction would exceed the limit of bytes (0: unlimited). */
export const isOverQuota = (draft: CountingDraft, limit: number): boolean =>
  limit > 0 &&
  draft.stored > 0 &&
  !draft.isBeyondQuota &&
  (countedBytes(draft, draft.keys) ?? 0) + draft.stored > limit;

/**
 * Adds what a transaction stores to the counts. Throws RESOURCE_EXHAUSTED if it adds something and exceeds
 * its limit (0: unlimited).
 */
export function countAndEnforceQuotas(draft: CountingDraft, quotas: StoredQuotas): void {
  const { stored, versions, grown } = draft;
  if (stored === 0 && versions === 0 && grown.nodes === 0 && grown.chunks === 0) return;
  const before = counted(draft, draft.keys);
  const { bytes = 0, nodes = 0, chunks = 0 } = before ?? {};
  if (!draft.isBeyondQuota) {
    checkBytes(bytes, stored, quotas);
    checkQuota({ resource: "nodes", used: nodes, more: grown.nodes, limit: quotas.nodes });
    checkQuota({ resource: "chunks", used: chunks, more: grown.chunks, limit: quotas.chunks });
  }
  putCounted(draft, {
    bytes: bytes + stored,
    versions: (before?.versions ?? 0) + versions,
    nodes: nodes + grown.nodes,
    chunks: chunks + grown.chunks,
  });
}

export const putCounted = (draft: CountingDraft, { bytes, versions, nodes, chunks }: Counted): void =>
  draft.put(
    draft.keys.counter("stored"),
    encodeRecord({
      bytes,
      ...(versions > 0 && { versions }),
      ...(nodes > 0 && { nodes }),
      ...(chunks > 0 && { chunks }),
      kinds: COUNTED_KINDS,
    } satisfies StoredRecord),
  );

/** Throws RESOURCE_EXHAUSTED if `more` bytes exceed the limit; a retry only helps after a deletion. */
export function checkBytes(used: number, more: number, { bytes: limit, hasOwnBytes }: StoredQuotas): void {
  const source = hasOwnBytes ? OWN_QUOTA : "CTXDB_MAX_STORED_BYTES_PER_ACCOUNT";
  checkQuota({ resource: "storage", unit: "bytes", used, more, limit, source });
}

const OWN_QUOTA = "a quota of the account";

interface Growth {
  readonly resource: "storage" | keyof NodeCounts;
  readonly unit?: string;
  readonly used: number;
  readonly more: number;
  /** 0: unlimited. */
  readonly limit: number;
  /** Name of the setting or quota with the limit. */
  readonly source?: string;
}

/** Throws RESOURCE_EXHAUSTED {resource, unit, used, more, limit} for growth above a limit. */
function checkQuota({ resource, unit = resource, used, more, limit, source = OWN_QUOTA }: Growth): void {
  if (limit === 0 || more <= 0 || used + more <= limit) return;
  const reason = `the account stores ${used} ${unit} and this adds ${more} more; the limit is ${limit} (${source})`;
  throw new ServiceError(
    "RESOURCE_EXHAUSTED",
    `${resource}: ${reason}; first delete files, or empty the trash`,
    {
      resource,
      reason,
      unit,
      used,
      more,
      limit,
    },
  );
}

/** The counts of all records of a workspace. */
export type Counted = Required<Omit<StoredRecord, "kinds">>;

/** Counts all records of a workspace. */
export async function recountStored(kv: KvPages, keys: Keys): Promise<Counted> {
  const found = { bytes: 0, versions: 0, nodes: 0, chunks: 0 };
  for (const prefix of keys.stored()) {
    const isEntries = prefix === keys.allEntries();
    const range = { ...prefixRange(prefix, PAGE), maxBytes: PAGE_BYTES };
    for await (const page of pairPages(kv, range))
      for (const [key, value] of page) {
        found.bytes += storedBytes(keys, key, value);
        found.versions += versionBytes(keys, key, value);
        if (!isEntries) continue;
        const { nodes, chunks } = nodeCounts(key, value);
        found.nodes += nodes;
        found.chunks += chunks;
      }
  }
  return found;
}
