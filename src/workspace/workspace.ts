import { EventLoopYielder } from "../base/event-loop.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import {
  AGENTS,
  type Author,
  type Entry,
  FIRST_FREE_NODE,
  type NodeId,
  type NodeRecord,
  TRASH,
  USERS,
} from "../domain/node.ts";
import type { Path } from "../domain/uri.ts";
import type { Cached } from "../index/cache.ts";
import { noteChunks } from "../index/spaces.ts";
import { Draft } from "../storage/draft.ts";
import { type KvReader, prefixRange, type TransactOptions } from "../storage/kv.ts";
import { applyFacts, countOnce, scanTable, scanTags } from "./apply-facts.ts";
import { PreparedChanges } from "./changes/change-log.ts";
import { CHECKPOINT_NODES, checkpointOf, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { Conflict } from "./conflict.ts";
import { journalSince, PreparedJournal, trimJournal } from "./journal.ts";
import { type Checkpoint, ENTRIES, NODE_RECORDS } from "./records.ts";
import { trashChange } from "./trash/trash-change.ts";
import { FIXED_PATHS } from "./tree/fixed-paths.ts";
import { SHARED, SHARED_AGENTS } from "./tree/locate.ts";
import {
  checkBytes,
  countAndEnforceQuotas,
  countedBytes,
  countedVersions,
  isOverQuota,
} from "./tree/stored-bytes.ts";
import { WorkspaceDraft } from "./workspace-draft.ts";
import {
  type ChangeGuard,
  type ClosedBecause,
  closedError,
  partsOf,
  type Shared,
  WorkspaceParts,
  type WorkspaceStores,
} from "./workspace-parts.ts";

const JOURNAL_KEPT = 4096;
/** Maximum bytes of records in a large change; each changed file needs some hundred bytes. */
const MAX_LARGE_BYTES = 128 * 1024 * 1024;
/** Maximum number of files that lose versions in a transaction that exceeds the quota. */
const MAX_SHED = 64;
/** Estimated memory of a workspace without its tables, in bytes. */
const HANDLE_BYTES = 8192;

/**
 * One tenant: everything an account owns, accessible only through this handle (decision 3). Records are the
 * truth; `table` and `index` are derived from them in memory. Only one set of tables exists per incarnation,
 * so that it sees every commit. Work for a user needs a handle with a guard (`guardedBy`); the server's own
 * work uses the one without.
 */
export class Workspace extends WorkspaceParts implements Cached {
  /** The handle without a guard, for the server's own work. */
  readonly forServer: Workspace;
  readonly #shared: Shared;
  readonly #guard: ChangeGuard | undefined;
  /** The user for whom changes are made through this handle. */
  readonly #author: Author | undefined;

  private constructor(
    parts: WorkspaceParts,
    shared: Shared,
    guarded?: Pick<Workspace, "forServer"> & { readonly guard: ChangeGuard; readonly author?: Author },
  ) {
    super(parts);
    this.#shared = shared;
    this.forServer = guarded?.forServer ?? this;
    this.#guard = guarded?.guard;
    this.#author = guarded?.author;
  }

  /**
   * Opens the handle for the server's own work, such as cleaning up after a user. It lives as long as any
   * other, so that there are never two sets of tables.
   */
  static async open(
    stores: WorkspaceStores,
    incarnation: WorkspaceId,
    createdAt: number,
  ): Promise<Workspace> {
    const { parts, shared } = partsOf(stores, incarnation, createdAt);
    const workspace = new Workspace(parts, shared);
    await workspace.#load();
    return workspace;
  }

  /** A handle for the work of a user. `guard` checks every change, which is attributed to the author. */
  guardedBy(guard: ChangeGuard, author?: Author): Workspace {
    return new Workspace(this, this.#shared, {
      guard,
      forServer: this.forServer,
      ...(author !== undefined && { author }),
    });
  }

  /** False until the first relation exists; reads and removals then skip the lookup. */
  get hasRelations(): boolean {
    return this.#shared.hasRelations;
  }

  set hasRelations(hasRelations: boolean) {
    this.#shared.hasRelations = hasRelations;
  }

  /** Throws if changes through this handle are not allowed. Call it at the commit point. */
  checkAllowed(read: Pick<KvReader, "get">): void {
    this.#refuseClosed();
    this.#guard?.(read);
  }

  /**
   * Runs a transaction at the commit point: `decide` writes to the draft and returns a function for the
   * result. Throws if changes through this handle are not allowed.
   */
  async transact<T>(decide: (draft: WorkspaceDraft) => () => T, options?: TransactOptions): Promise<T> {
    while (this.#shared.gate.held) await this.#shared.gate.held;
    return this.kv.transact((read) => {
      this.checkAllowed(read);
      const draft = new WorkspaceDraft(read, this.keys, this.snapshots);
      const answer = decide(draft);
      this.#seal(draft);
      return draft.toChange(answer);
    }, options);
  }

  /**
   * Runs one large change that becomes visible at once and is written as one batch (decision 8). `prepare`
   * writes it to the draft in steps of at most a millisecond, with yields in between. Until it is durable, no
   * other change of this workspace's tree runs; readers see the previous state. `prepare` must not touch
   * state that changes without `transact`, such as jobs that may merge with waiting ones. `decide` runs at the
   * commit point as in `transact`, and must be short. Throws Conflict if the spaces of a user were removed
   * meanwhile; refuses a change above MAX_LARGE_BYTES with an Error.
   */
  transactLarge<T>(
    prepare: (draft: WorkspaceDraft) => Iterable<void>,
    decide: (draft: WorkspaceDraft) => () => T,
  ): Promise<T> {
    return this.exclusively(async () => {
      const outer = this.#shared.outer;
      const draft = new WorkspaceDraft(this.kv, this.keys, this.snapshots);
      const yielder = new EventLoopYielder(this.incarnation);
      for (const _ of prepare(draft)) await yielder.yieldIfDue();
      const journal = new PreparedJournal(this.clock());
      for (const _ of journal.write(draft.facts)) await yielder.yieldIfDue();
      const changes = new PreparedChanges(this.clock(), this.#author);
      for (const _ of changes.write(draft.changes.list)) await yielder.yieldIfDue();
      return this.kv.transact(
        (read) => {
          this.checkAllowed(read);
          if (this.#shared.outer !== outer) throw new Conflict("the spaces of a user");
          draft.over(read);
          const answer = decide(draft);
          this.#seal(draft, journal, changes);
          return draft.toChange(answer);
        },
        { maxBytes: MAX_LARGE_BYTES },
      );
    });
  }

  /**
   * Runs `work` once all decided changes are applied; `transact` waits until it ends. For changes that depend
   * on many earlier reads.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#shared.gate.hold(async () => {
      await this.kv.transact(() => ({ ops: [], apply: () => undefined }));
      return work();
    });
  }

  /** The partition of an owner, created if missing. Throws Conflict if the owner's spaces were removed. */
  partitionFor(owner: string): Promise<number> {
    return this.index.partitionFor(owner, (read) => {
      this.checkAllowed(read);
      const isJob = this.#guard === undefined && owner !== SHARED;
      if (isJob && ![USERS, AGENTS].some((scope) => read.get(this.keys.entry(scope, owner))))
        throw new Conflict("the spaces of a user");
    });
  }

  /** Makes a change of this workspace part of a larger transaction. */
  within(outer: Draft, decide: (draft: WorkspaceDraft) => void): void {
    this.#shared.outer++;
    const draft = new WorkspaceDraft(outer, this.keys, this.snapshots);
    draft.isBeyondQuota = true;
    decide(draft);
    this.#seal(draft);
    outer.absorb(draft);
  }

  /** Writes a draft's facts to the journal; they are applied to the tables once durable. */
  #seal(
    draft: WorkspaceDraft,
    journal = new PreparedJournal(this.clock()),
    changes = new PreparedChanges(this.clock(), this.#author),
  ): void {
    const { onVersionKept, onTrashed } = this.#shared;
    const { quotas } = this.limits;
    for (const shed of draft.sheddable.slice(0, MAX_SHED)) if (isOverQuota(draft, quotas.bytes)) shed();
    countAndEnforceQuotas(draft, quotas);
    if (draft.keepsVersions)
      onVersionKept(draft, this.incarnation, countedVersions(draft, this.keys) > this.limits.versions.bytes);
    const trash = trashChange(this, draft);
    if (trash) onTrashed(draft, this.incarnation, trash);
    for (const _ of changes.write(draft.changes.list));
    this.changes.append(draft, changes);
    if (this.changes.startsTrim()) void this.#shared.stores.executor.run(() => this.changes.trim());
    if (draft.facts.length === 0 && draft.chunks.length === 0) return;
    if (draft.chunks.length > 0) noteChunks(draft, this.keys, this.index.mainSpace);
    for (const _ of journal.write(draft.facts));
    const records = journal.records.length;
    const sequence = this.#shared.journal.take(draft, records);
    for (const [i, record] of journal.records.entries()) draft.put(draft.keys.journal(sequence + i), record);
    draft.onDurable(() => {
      applyFacts(this, draft.facts);
      for (const chunk of draft.chunks) this.index.addToMemory(chunk);
      for (const vector of draft.vectors) this.index.setVector(vector);
      this.#shared.folded = sequence + records;
      if (Math.floor(sequence / JOURNAL_KEPT) !== Math.floor(this.#shared.folded / JOURNAL_KEPT))
        void this.#shared.stores.executor.run(() => this.checkpoint());
    });
  }

  /** Writes the node table to disk if worthwhile, and deletes the journal records that it replaces. */
  async checkpoint(): Promise<void> {
    const sequence = this.#shared.folded;
    if (this.#shared.closed) return;
    if (this.table.size >= CHECKPOINT_NODES) {
      if (this.#shared.checkpointed === sequence) return;
      await writeCheckpoint(
        { kv: this.kv, keys: this.keys, folder: this.#shared.folder },
        this.table,
        sequence,
        () => this.#refuseClosed(),
      );
      this.#shared.checkpointed = sequence;
    }
    await trimJournal(this, sequence);
  }

  /** Returns reserved but unused numbers. */
  async settle(): Promise<void> {
    if (this.#shared.closed) return;
    await this.kv.transact(
      (read) => {
        const draft = new Draft(read);
        if (!this.#shared.closed)
          for (const numbers of [this.nodes, this.generations, this.stages, this.#shared.journal, this.index])
            numbers.settle(draft);
        return draft.toChange(() => undefined);
      },
      { sync: false },
    );
  }

  /** Throws RESOURCE_EXHAUSTED if this many more bytes would exceed the account's quota. */
  checkRoom(bytes: number): void {
    checkBytes(countedBytes(this.kv, this.keys) ?? 0, bytes, this.limits.quotas);
  }

  /** Approximate memory in bytes, without the index partitions. */
  get bytes(): number {
    return this.table.bytes + HANDLE_BYTES;
  }

  /** Drops the handle from the cache; code that uses it keeps it. Returns false if its index is in use. */
  evict(used?: Cached): boolean {
    if (!this.index.evict(used)) return false;
    void this.settle().catch((error) => this.#shared.stores.report("giving back numbers", error));
    return true;
  }

  /** Whether the account was deleted, or has moved to another server. */
  get isClosed(): boolean {
    return this.#shared.closed !== undefined;
  }

  #refuseClosed(): void {
    if (this.#shared.closed) throw closedError(this.#shared.closed);
  }

  /** Forbids all writes. */
  close(why: ClosedBecause): void {
    this.#shared.closed = why;
    this.contents.close();
    if (why === "moved") this.changes.close(closedError(why));
    this.index.evict();
  }

  entryOf(node: NodeId): { record: NodeRecord; entry: Entry } | undefined {
    const record = NODE_RECORDS.readShared(this.kv, this.keys.node(node));
    if (!record) return undefined;
    const entry = ENTRIES.readShared(this.kv, this.keys.entry(record.directory, record.name));
    return entry?.node === node ? { record, entry } : undefined;
  }

  /** Number of direct children at the commit point of a draft, including changes that are not applied yet. */
  childrenAt(draft: WorkspaceDraft, directory: NodeId): number {
    let count = this.table.children(directory);
    for (const key of draft.touched(this.keys.entries(directory))) {
      const before = this.kv.get(key) !== undefined;
      const now = draft.get(key) !== undefined;
      if (before !== now) count += now ? 1 : -1;
    }
    return count;
  }

  /** Path of a stored node, without the level of owners under AGENTS; undefined if it is unreachable. */
  pathOf(node: NodeId, cache?: Map<NodeId, Path>): Path | undefined {
    const known = cache?.get(node);
    if (known) return known;
    const path = this.#pathOf(node, cache);
    if (path) cache?.set(node, path);
    return path;
  }

  /** Owner of the partition that contains the node's chunks; undefined if the node is unreachable. */
  partitionOwnerOf(node: NodeId): string | undefined {
    let record = NODE_RECORDS.readShared(this.kv, this.keys.node(node));
    while (record && record.directory >= FIRST_FREE_NODE)
      record = NODE_RECORDS.readShared(this.kv, this.keys.node(record.directory));
    if (!record) return undefined;
    const { directory, name } = record;
    if (directory === TRASH) return name;
    const isPrivate = directory === USERS || (directory === AGENTS && name !== SHARED_AGENTS);
    return isPrivate ? name : SHARED;
  }

  /** URI of a stored node, for messages and responses. */
  uriOf(node: NodeId, cache?: Map<NodeId, Path>): string | undefined {
    const path = this.pathOf(node, cache);
    return path && this.uris.format(path);
  }

  #pathOf(node: NodeId, cache?: Map<NodeId, Path>): Path | undefined {
    const fixed = FIXED_PATHS.get(node);
    if (fixed) return fixed;
    const record = NODE_RECORDS.readShared(this.kv, this.keys.node(node));
    return record && this.pathNamedBy(record, cache);
  }

  /** Like pathOf, for a node whose record is known. */
  pathNamedBy(record: NodeRecord, cache?: Map<NodeId, Path>): Path | undefined {
    const parent = this.pathOf(record.directory, cache);
    if (!parent) return undefined;
    return record.directory === AGENTS ? parent : [...parent, record.name];
  }

  /**
   * Loads the tree into the table: from the checkpoint and later journal records, or, without a valid
   * checkpoint, from the records. Chunks are loaded when a partition is first needed.
   */
  async #load(): Promise<void> {
    await countOnce(this);
    await this.changes.open();
    await this.sharing.open(this.kv);
    await this.snapshots.open(this.kv);
    this.hasRelations = (await this.kv.keys(prefixRange(this.keys.allRelations(), 1))).length > 0;
    const checkpoint = checkpointOf(this);
    await scanTags(this);
    await this.index.sweep(checkpoint ? [checkpoint.file] : []);
    if (checkpoint && (await this.#restore(checkpoint))) return;
    await scanTable(this);
    if (this.table.size >= CHECKPOINT_NODES) void this.#shared.stores.executor.run(() => this.checkpoint());
    else await trimJournal(this, this.#shared.folded);
  }

  async #restore(checkpoint: Checkpoint): Promise<boolean> {
    try {
      await readCheckpoint(
        { kv: this.kv, keys: this.keys, folder: this.#shared.folder },
        this.table,
        checkpoint,
      );
    } catch (error) {
      this.#shared.stores.report("the checkpoint of a node table", error);
      return false;
    }
    this.#shared.checkpointed = checkpoint.sequence;
    const yielder = new EventLoopYielder(this.incarnation);
    for await (const facts of journalSince(this, checkpoint.sequence)) {
      applyFacts(this, facts);
      await yielder.yieldIfDue();
    }
    return true;
  }
}
