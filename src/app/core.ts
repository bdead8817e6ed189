import { KeyUseLog } from "../accounts/key-uses.ts";
import { retentionMs } from "../accounts/quotas.ts";
import { Registry } from "../accounts/registry.ts";
import type { Clock } from "../base/clock.ts";
import { SerialExecutor } from "../base/concurrency/serial-executor.ts";
import { type Trace, untraced } from "../base/trace.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { sweepJob } from "../domain/job.ts";
import { pruneTrashJob, pruneVersionsJob } from "../domain/prune-jobs.ts";
import { UriCodec } from "../domain/uri.ts";
import { IndexCache } from "../index/cache.ts";
import type { NeighbourStores } from "../index/owner-segments.ts";
import { JobQueue } from "../jobs/queue.ts";
import { PassageCache } from "../retrieve/passage-cache.ts";
import { SearchScratch } from "../retrieve/view.ts";
import { Tenants } from "../service/tenants.ts";
import type { Blobs } from "../storage/blobs.ts";
import type { Stores } from "../storage/stores.ts";
import { ContentMemory } from "../workspace/content-memory.ts";
import { type UploadBytes, Uploads } from "../workspace/requests/uploads.ts";
import type { SecretPolicy } from "../workspace/secret-guard.ts";
import { TRASH_PAUSE_MS, type TrashLimits } from "../workspace/trash/trash-limits.ts";
import { removalDelayOf } from "../workspace/tree/contents.ts";
import { VERSIONS_PAUSE_MS, type VersionLimits } from "../workspace/version-limits.ts";

const DEFAULT_SEAL_DOCS = 8192;
const DEFAULT_CACHE_BYTES = 2 ** 30;
const DEFAULT_UPLOAD_LIFE_SECONDS = 3600;

export interface CoreOptions {
  readonly stores: Stores;
  readonly blobs: Blobs;
  /** Files of index segments. */
  readonly indexFiles: Blobs;
  readonly uploadBytes: UploadBytes;
  readonly clock: Clock;
  /** Called with errors from background work. */
  readonly report: (what: string, error: unknown) => void;
  readonly trace?: Trace;
  /** True if no root key is set. */
  readonly keyless?: boolean;
  readonly uriScheme?: string;
  readonly uriSchemeAliases?: readonly string[];
  readonly agentScope?: "user" | "account";
  /** Maximum bytes per account; 0 or undefined: no limit. */
  readonly maxStoredBytes?: number;
  /** Limits for stored versions of files. */
  readonly versions?: VersionLimits;
  readonly trash?: TrashLimits;
  /** Maximum number of snapshots per owner. */
  readonly snapshots?: number | undefined;
  /** Policy for secrets in incoming content; undefined: content is not searched for secrets. */
  readonly secrets?: SecretPolicy | undefined;
  /** Maximum bytes of stored changes for the change stream, per account. */
  readonly keptChangeBytes?: number;
  /** Called after each commit that appends to the change stream. */
  readonly onChanged?: (incarnation: WorkspaceId) => void;
  /** Maximum bytes of queued imports per account; undefined: no limit. */
  readonly maxQueuedBytes?: number;
  readonly uploadTtlSeconds?: number;
  /** Vector spaces besides the instant space, the preferred one first. */
  readonly spaces?: readonly string[];
  /** Number of chunks at which a mutable segment is sealed. */
  readonly sealDocs?: number;
  readonly indexCacheBytes?: number;
  /** Bytes of large files that jobs hold in memory together. */
  readonly contentMemoryBytes?: number | undefined;
  readonly neighbours?: NeighbourStores | undefined;
}

/** All stateful components between the stores and the operations. Workspaces must be adopted before use. */
export interface Core {
  readonly registry: Registry;
  readonly keyUses: KeyUseLog;
  readonly uploads: Uploads;
  readonly queue: JobQueue;
  readonly tenants: Tenants;
  readonly passages: PassageCache;
  readonly searchScratch: SearchScratch;
  readonly uris: UriCodec;
  /** Runs seals, merges and checkpoints of the index. */
  readonly compaction: SerialExecutor;
}

/** Wires accounts, queue, index and workspaces; shared by the server, `verify` and tests. */
export function openCore(options: CoreOptions): Core {
  const { stores, blobs, clock, report, trace = untraced, maxQueuedBytes } = options;
  const { kv } = stores;
  const uris = new UriCodec(options.uriScheme ?? "ctx", options.uriSchemeAliases ?? []);
  const registry = new Registry(kv, stores.directory, clock, options.keyless ?? false);
  const lifeSeconds = options.uploadTtlSeconds ?? DEFAULT_UPLOAD_LIFE_SECONDS;
  const keyUses = new KeyUseLog(kv, clock, report);
  const uploads = new Uploads({ kv, bytes: options.uploadBytes, clock, lifeSeconds });
  const held = (incarnation: WorkspaceId) => uploads.held(incarnation);
  const limits = maxQueuedBytes === undefined ? undefined : { maxBytes: maxQueuedBytes, held };
  const queue = new JobQueue(kv, clock, limits, trace);
  const compaction = new SerialExecutor((error) => report("index compaction", error));
  const index = {
    files: options.indexFiles,
    spaces: options.spaces ?? [],
    sealDocs: options.sealDocs ?? DEFAULT_SEAL_DOCS,
    cache: new IndexCache(options.indexCacheBytes ?? DEFAULT_CACHE_BYTES),
    executor: compaction,
    report,
    neighbours: options.neighbours,
  };
  const passages = new PassageCache();
  const tenants = new Tenants(
    registry,
    stores,
    {
      kv,
      blobs,
      clock,
      uris,
      index,
      quotas: (incarnation) => {
        const { storedBytes, nodes = 0, chunks = 0 } = registry.quotas.of(incarnation);
        const bytes = storedBytes ?? options.maxStoredBytes ?? 0;
        return { bytes, nodes, chunks, hasOwnBytes: storedBytes !== undefined };
      },
      lifetimes: (incarnation) => {
        const { versionDays, trashDays, taskDays, sessionDays } = registry.quotas.of(incarnation);
        return {
          versions: retentionMs(versionDays),
          trash: retentionMs(trashDays),
          tasks: retentionMs(taskDays),
          sessions: retentionMs(sessionDays),
        };
      },
      versions: options.versions,
      trash: options.trash,
      snapshots: options.snapshots,
      secrets: options.secrets,
      onTrashed: (draft, incarnation, change) =>
        queue.enqueue(draft, pruneTrashJob(incarnation, clock() + (change === "small" ? TRASH_PAUSE_MS : 0))),
      keptChangeBytes: options.keptChangeBytes,
      onChanged: options.onChanged,
      contentWatcher: passages,
      contentMemory: new ContentMemory(options.contentMemoryBytes),
      onVersionKept: (draft, incarnation, isFull) =>
        queue.enqueue(draft, pruneVersionsJob(incarnation, clock() + (isFull ? 0 : VERSIONS_PAUSE_MS))),
      onBlobFreed: (draft, incarnation) =>
        queue.enqueue(draft, sweepJob(incarnation, clock() + removalDelayOf(blobs))),
    },
    options.agentScope ?? "user",
  );
  const searchScratch = new SearchScratch();
  return { registry, keyUses, uploads, queue, tenants, passages, searchScratch, uris, compaction };
}
