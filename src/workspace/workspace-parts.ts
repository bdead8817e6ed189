import type { Clock } from "../base/clock.ts";
import { KeyedLock } from "../base/concurrency/keyed-lock.ts";
import { ServiceError, unavailable } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { FIRST_FREE_NODE } from "../domain/node.ts";
import type { UriCodec } from "../domain/uri.ts";
import type { IndexStores } from "../index/owner-segments.ts";
import type { IndexFolder } from "../index/segments/segment-files.ts";
import { WorkspaceIndex } from "../index/workspace-index.ts";
import type { Blobs } from "../storage/blobs.ts";
import type { Kv, KvReader } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { Sharing } from "./access/grants-and-groups.ts";
import { ChangeLog } from "./changes/change-log.ts";
import { ContentMemory } from "./content-memory.ts";
import { Keys } from "./keys.ts";
import { SecretGuard, type SecretPolicy } from "./secret-guard.ts";
import { Sessions } from "./sessions/sessions.ts";
import { Snapshots } from "./snapshots/snapshots.ts";
import type { Trashed } from "./trash/trash-limits.ts";
import { type BlobFreed, bucketOf, Contents, type ContentWatcher } from "./tree/contents.ts";
import { NodeTable } from "./tree/node-table.ts";
import type { VersionKept } from "./version-limits.ts";
import { type LimitOptions, WorkspaceLimits } from "./workspace-limits.ts";
import { WriteGate } from "./write-gate.ts";

export interface WorkspaceStores extends LimitOptions {
  readonly kv: Kv;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly uris: UriCodec;
  readonly onBlobFreed: BlobFreed;
  readonly contentWatcher?: ContentWatcher;
  /** Shared by all accounts of a server. */
  readonly contentMemory?: ContentMemory;
  readonly index: IndexStores;
  readonly onVersionKept?: VersionKept;
  readonly onTrashed?: Trashed;
  /** Undefined: secrets are not searched for. */
  readonly secrets?: SecretPolicy | undefined;
  /** Maximum bytes of stored changes for the change stream. */
  readonly keptChangeBytes?: number;
  /** Called after each commit that appends to the log of changes. */
  readonly onChanged?: (incarnation: WorkspaceId) => void;
}

const DEFAULT_CHANGE_BYTES = 16 * 1024 * 1024;

/** Called at the commit point of every change through a handle; throws to refuse it. */
export type ChangeGuard = (read: Pick<KvReader, "get">) => void;

/** State that every handle of a workspace exposes. */
export class WorkspaceParts {
  readonly incarnation: WorkspaceId;
  /** Creation time of the account, Unix time in ms: the time of implicit directories. */
  readonly createdAt: number;
  readonly keys: Keys;
  readonly kv: Kv;
  readonly clock: Clock;
  /** Formats URIs for messages. */
  readonly uris: UriCodec;
  readonly table: NodeTable;
  readonly index: WorkspaceIndex;
  readonly contents: Contents;
  readonly contentMemory: ContentMemory;
  readonly sessions: Sessions;
  readonly changes: ChangeLog;
  readonly sharing: Sharing;
  readonly snapshots: Snapshots;
  readonly limits: WorkspaceLimits;
  readonly secrets: SecretGuard;
  readonly nodes: Numbers;
  readonly generations: Numbers;
  readonly stages: Numbers;
  /** Locks by name, such as a file's URI, so that concurrent writers wait instead of failing. */
  readonly locks: KeyedLock;
  /** Number of forget operations per user, so that a recall does not store text that it read before one. */
  readonly forgets: Map<string, number>;

  constructor(parts: WorkspaceParts) {
    this.incarnation = parts.incarnation;
    this.createdAt = parts.createdAt;
    this.keys = parts.keys;
    this.kv = parts.kv;
    this.clock = parts.clock;
    this.uris = parts.uris;
    this.table = parts.table;
    this.index = parts.index;
    this.contents = parts.contents;
    this.contentMemory = parts.contentMemory;
    this.sessions = parts.sessions;
    this.changes = parts.changes;
    this.sharing = parts.sharing;
    this.snapshots = parts.snapshots;
    this.limits = parts.limits;
    this.secrets = parts.secrets;
    this.nodes = parts.nodes;
    this.generations = parts.generations;
    this.stages = parts.stages;
    this.locks = parts.locks;
    this.forgets = parts.forgets;
  }
}

/** Internal state shared by all handles. */
export interface Shared {
  readonly gate: WriteGate;
  readonly journal: Numbers;
  readonly stores: IndexStores;
  readonly onVersionKept: VersionKept;
  readonly onTrashed: Trashed;
  readonly folder: IndexFolder;
  /** Whether any relation exists. */
  hasRelations: boolean;
  /** Number of changes made inside larger transactions so far; these do not wait at the gate. */
  outer: number;
  /** Number of the first journal record that is not applied to the tables. */
  folded: number;
  /** Sequence number of the checkpoint, if valid. */
  checkpointed: number | undefined;
  /** The reason why all further writes are refused. */
  closed: ClosedBecause | undefined;
}

/** Why a handle is closed: the account was deleted, or this server no longer holds it. */
export type ClosedBecause = "deleted" | "moved";

export const closedError = (why: ClosedBecause): Error =>
  why === "deleted"
    ? new ServiceError("NOT_FOUND", "the account was deleted", { resource: "account", type: "account" })
    : unavailable("the account has moved to another server; try again");

export function partsOf(
  stores: WorkspaceStores,
  incarnation: WorkspaceId,
  createdAt: number,
): { readonly parts: WorkspaceParts; readonly shared: Shared } {
  const { kv, clock, uris } = stores;
  const keys = new Keys(incarnation);
  const table = new NodeTable();
  const folder = { files: stores.index.files, bucket: bucketOf(incarnation) };
  const journal = new Numbers(kv, keys.counter("journal"), 1);
  const shared: Shared = {
    gate: new WriteGate(),
    journal,
    stores: stores.index,
    onVersionKept: stores.onVersionKept ?? (() => undefined),
    onTrashed: stores.onTrashed ?? (() => undefined),
    folder,
    hasRelations: false,
    outer: 0,
    folded: journal.next,
    checkpointed: undefined,
    closed: undefined,
  };
  const isCurrent = (node: number, generation: number) => table.isCurrent(node, generation);
  const parts: WorkspaceParts = {
    incarnation,
    createdAt,
    keys,
    kv,
    clock,
    uris,
    table,
    index: new WorkspaceIndex({
      kv,
      keys,
      folder,
      stores: stores.index,
      isCurrent,
      isClosed: () => shared.closed !== undefined,
      isDeleted: () => shared.closed === "deleted",
    }),
    contents: new Contents(stores, keys, incarnation),
    contentMemory: stores.contentMemory ?? new ContentMemory(),
    sessions: new Sessions(kv, keys),
    changes: new ChangeLog(kv, keys, stores.keptChangeBytes ?? DEFAULT_CHANGE_BYTES, () =>
      stores.onChanged?.(incarnation),
    ),
    sharing: new Sharing(keys),
    snapshots: new Snapshots(keys),
    limits: new WorkspaceLimits(stores, incarnation),
    secrets: new SecretGuard(stores.secrets, incarnation),
    nodes: new Numbers(kv, keys.counter("node"), FIRST_FREE_NODE),
    generations: new Numbers(kv, keys.counter("generation"), 1),
    stages: new Numbers(kv, keys.counter("stage"), 1),
    locks: new KeyedLock(),
    forgets: new Map(),
  };
  return { parts, shared };
}
