import { append } from "../../base/append.ts";
import { lastOf } from "../../base/expect.ts";
import { fileLayersJobs, type RestoreOrder } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { type FileReading, prepareFile } from "../../ingest/prepare-file.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { KvSnapshot } from "../../storage/kv.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import type { Grant } from "../../workspace/access/records.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { findSnapshot, snapshotOwners } from "../../workspace/snapshots/visible-snapshots.ts";
import { ReplacedByImport } from "../../workspace/trash/replaced.ts";
import { Builder, type BuiltNode } from "../../workspace/tree/builder.ts";
import { holdContent } from "../../workspace/tree/held-content.ts";
import { locate, partitionOwner } from "../../workspace/tree/locate.ts";
import {
  attachNode,
  ensureDirectory,
  type PendingCleanup,
  renameDerivedAside,
} from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "../after-change.ts";
import { describeSkill, skillAt } from "../describe-skill.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { planRestore, type RestoredFile, type RestorePlan } from "./restore-plan.ts";

/** Number of changes above which the transaction is prepared in steps. */
const MAX_AT_ONCE = 16;

/** Dependencies for reading and writing files. */
export interface RestoreFiles extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

export interface RestoreCounts {
  /** Number of restored files and folders. */
  readonly restored: number;
  /** Number of added files and folders that were moved to the trash; a folder counts as one. */
  readonly trashed: number;
  /** Number of files that cannot be restored, because they were moved into memories and forgotten there. */
  readonly lost: number;
}

export interface RestoreRequest extends Omit<RestoreOrder, "task"> {
  /** Origin of the enqueued jobs. */
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  /** Runs in the transaction that makes the change visible. */
  readonly onLink: (draft: WorkspaceDraft, counts: RestoreCounts) => void;
}

export const countsOf = ({ files, folders, added, lost }: RestorePlan): RestoreCounts => ({
  restored: files.length + folders.length,
  trashed: added.length,
  lost,
});

/** A plan with the store snapshot that it was computed from. Must be closed. */
export interface OpenPlan {
  readonly plan: RestorePlan;
  readonly kv: KvSnapshot;
  /** Whether the tree has not changed since the plan was computed. */
  isCurrent(): boolean;
  close(): void;
}

/** Plans the changes of a restore. Throws unless the caller may write all affected paths. */
export async function openPlan(
  tenant: Tenant,
  { name, path, keepAdded }: Pick<RestoreOrder, "name" | "path" | "keepAdded">,
  signal: AbortSignal,
): Promise<OpenPlan> {
  const { workspace, owner } = tenant;
  const { table } = workspace;
  const { sequence } = table;
  const kv = workspace.kv.snapshot();
  try {
    const snapshot = findSnapshot(tenant, name);
    const roots = snapshot.parts.flatMap((part) =>
      partIsOf(tenant, part.owner) ? part.roots.map((root) => root.path) : [],
    );
    const starts = path.length > 0 ? [path] : roots;
    for (const start of starts) owner.access?.check(start, workspace.uris.format(start), "write");
    const plan = await planRestore(tenant, kv, snapshot, path, keepAdded, signal);
    return { plan, kv, isCurrent: () => table.sequence === sequence, close: () => kv.close() };
  } catch (error) {
    kv.close();
    throw error;
  }
}

const partIsOf = (tenant: Tenant, of: string): boolean => snapshotOwners(tenant).includes(of);

/**
 * Restores files and folders: builds all files invisibly, then links them in one transaction. `opened`: a
 * plan for this request; the first attempt uses it if the tree has not changed since.
 */
export function runRestore(
  deps: RestoreFiles,
  tenant: Tenant,
  request: RestoreRequest,
  opened?: OpenPlan,
): Promise<RestoreCounts> {
  const { workspace } = tenant;
  let first = opened;
  const attempt = async (): Promise<RestoreCounts> => {
    const usable = first?.isCurrent() ? first : undefined;
    first = undefined;
    const { plan, kv, close } = usable ?? (await openPlan(tenant, request, request.signal));
    const restore = new Restore(deps, tenant, request);
    let isLinked = false;
    try {
      await restore.build(plan, kv);
      await restore.link(plan);
      isLinked = true;
      return countsOf(plan);
    } finally {
      if (!isLinked) await restore.abandon();
      restore.release();
      if (!usable) close();
    }
  };
  // two concurrent restores would undo each other
  return workspace.locks.run("restore a snapshot", () => retryConflicts(attempt));
}

interface Built {
  readonly file: RestoredFile;
  readonly node: BuiltNode;
  readonly skill: ReturnType<typeof skillAt>;
}

/** One attempt to restore. */
class Restore {
  readonly #deps: RestoreFiles;
  readonly #tenant: Tenant;
  readonly #request: RestoreRequest;
  readonly #releases: (() => void)[] = [];
  readonly #built: Built[] = [];
  #cleanup: PendingCleanup = { purge: [], stale: [] };
  /** Number of grants that this attempt gives to new nodes. */
  #grants = 0;
  /** One builder per owner, because each owner has an index partition. */
  readonly #builders = new Map<string, Builder>();

  constructor(deps: RestoreFiles, tenant: Tenant, request: RestoreRequest) {
    this.#deps = deps;
    this.#tenant = tenant;
    this.#request = request;
  }

  async build({ files }: RestorePlan, kv: KvSnapshot): Promise<void> {
    const { signal, onProgress } = this.#request;
    for (const [i, file] of files.entries()) {
      signal.throwIfAborted();
      await this.#buildOne(file, kv);
      onProgress(i + 1, files.length);
    }
  }

  async #buildOne(file: RestoredFile, kv: KvSnapshot): Promise<void> {
    const held = await holdContent(this.#tenant.workspace, file.entry, this.#request.signal, kv);
    if (!held) throw new Error(`the snapshot has no content of node ${file.entry.node}`);
    try {
      await this.#buildFrom(file, held.bytes);
    } finally {
      held.release();
    }
  }

  async #buildFrom(file: RestoredFile, bytes: Uint8Array): Promise<void> {
    const { workspace } = this.#tenant;
    const { path, entry, now } = file;
    const builder = await this.#builderFor(path);
    const how = {
      signal: this.#request.signal,
      strict: false,
      index: !entry.unindexed,
      workspace: workspace.incarnation,
      // names of derived files are chosen when the file is linked
      isTaken: () => false,
    };
    const reading = { ...this.#deps, contents: workspace.contents };
    const prepared = await prepareFile(reading, lastOf(path), bytes, how);
    this.#releases.push(prepared.release);
    const kept = now?.entry ? { node: now.node, created: now.entry.created } : { created: entry.created };
    const node = await builder.addFile(prepared.file, kept);
    this.#built.push({ file, node, skill: skillAt(path, bytes) });
  }

  async #builderFor(path: Path): Promise<Builder> {
    const { workspace, owner } = this.#tenant;
    const of = partitionOwner(owner, path);
    const known = this.#builders.get(of);
    if (known) return known;
    const partition = await workspace.partitionFor(of);
    const builder = new Builder(workspace, partition, { by: owner.author, change: "restore" });
    this.#builders.set(of, builder);
    return builder;
  }

  link(plan: RestorePlan): Promise<void> {
    const { workspace } = this.#tenant;
    const prepare = (draft: WorkspaceDraft) => this.#prepare(draft, plan);
    const decide = (draft: WorkspaceDraft) => {
      enqueueDirectoryLayers(draft, this.#deps.queue, workspace, this.#cleanup, [this.#request.origin]);
      for (const { skill } of this.#built)
        if (skill)
          describeSkill(
            draft,
            this.#deps.queue,
            this.#tenant,
            skill.name,
            skill.description,
            this.#request.origin,
          );
      this.#request.onLink(draft, countsOf(plan));
      return () => undefined;
    };
    // grants on the nodes of the snapshot must not change meanwhile
    return alone(workspace, () => {
      if (plan.files.length + plan.folders.length + plan.added.length > MAX_AT_ONCE)
        return workspace.transactLarge(prepare, decide);
      return workspace.transact((draft) => {
        for (const _ of prepare(draft));
        return decide(draft);
      });
    });
  }

  *#prepare(draft: WorkspaceDraft, plan: RestorePlan): Generator<void> {
    const { workspace, owner } = this.#tenant;
    this.#cleanup = { purge: [], stale: [] };
    this.#grants = 0;
    // the snapshot must still exist, so that its kept content does, too
    findSnapshot(this.#tenant, this.#request.name);
    for (const builder of this.#builders.values()) {
      builder.putRest(draft);
      yield;
    }
    const items = new Map<string, ReplacedByImport>();
    for (const one of plan.added) {
      this.#takeOut(draft, one, items);
      yield;
    }
    for (const { path, node } of plan.folders) {
      const isNew = locate(draft, workspace.keys, owner, path) === undefined;
      const folder = ensureDirectory(draft, workspace, owner, path, workspace.uris.format(path));
      if (isNew) this.#keepGrants(draft, node, folder);
      else this.#keepDenied(draft, node, folder);
      yield;
    }
    for (const built of this.#built) {
      this.#linkOne(draft, built);
      yield;
    }
    for (const { path, node } of plan.former) {
      if (workspace.sharing.on(node).length === 0) continue;
      const now = locate(draft, workspace.keys, owner, path);
      if (now?.entry) this.#keepDenied(draft, node, now.node);
      yield;
    }
    const { incarnation } = workspace;
    const origins = [this.#request.origin];
    for (const { versions, indexed } of this.#builders.values())
      for (const jobs of [
        fileLayersJobs(incarnation, versions, origins),
        embeddingJobs(this.#deps.queue, workspace, indexed, origins),
      ])
        for (const job of jobs) {
          this.#deps.queue.enqueue(draft, job);
          yield;
        }
    for (const job of purgeJobs(workspace, this.#cleanup)) {
      this.#deps.queue.enqueue(draft, job);
      yield;
    }
  }

  /** Moves an added node to the trash; nodes below the same root of the snapshot share one trash item. */
  #takeOut(
    draft: WorkspaceDraft,
    { start, place }: RestorePlan["added"][number],
    items: Map<string, ReplacedByImport>,
  ): void {
    const { workspace, owner } = this.#tenant;
    const { path } = place;
    const found = locate(draft, workspace.keys, owner, path);
    if (!found?.entry || found.node !== place.node) throw new Conflict(workspace.uris.format(path));
    // a trash item needs a folder above its content
    const root = path.length > start.length ? start : path.slice(0, -1);
    const key = root.join("/");
    const item = items.get(key) ?? new ReplacedByImport(draft, workspace, owner, root);
    items.set(key, item);
    const { purge, stale } = item.takeOut(path, found.directory, lastOf(path), found.entry);
    append(this.#cleanup.purge, purge);
    append(this.#cleanup.stale, stale);
  }

  /**
   * Copies grants to the node that restores another one, so that denied access stays denied. From a moved
   * node, copies only denials: its other grants apply at its new path.
   */
  #keepGrants(draft: WorkspaceDraft, from: NodeId, to: NodeId): void {
    const { sharing, table } = this.#tenant.workspace;
    const isRemoved = table.isInTrash(from);
    const isKept = ({ effect }: Grant) => isRemoved || effect === "deny";
    this.#grants += sharing.copy(draft, from, to, this.#grants, isKept);
  }

  /**
   * Denies at a node created since the snapshot what was denied at the former one with its path, because
   * restored content was never readable to those users.
   */
  #keepDenied(draft: WorkspaceDraft, from: NodeId, to: NodeId): void {
    this.#grants += this.#tenant.workspace.sharing.keepDenied(draft, from, to, this.#grants);
  }

  #linkOne(draft: WorkspaceDraft, { file: { path, entry, now }, node }: Built): void {
    const { workspace, owner } = this.#tenant;
    const uri = workspace.uris.format(path);
    const found = locate(draft, workspace.keys, owner, path);
    const directory = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
    if (found?.entry?.source !== undefined) renameDerivedAside(draft, directory, lastOf(path), found.entry);
    else if (found?.entry?.generation !== now?.entry?.generation) throw new Conflict(uri);
    const isLarge = this.#built.length > MAX_AT_ONCE;
    const linked = attachNode(draft, workspace, directory, lastOf(path), node, { dropLater: isLarge });
    if (now === undefined) this.#keepGrants(draft, entry.node, linked.entry.node);
    else this.#keepDenied(draft, entry.node, linked.entry.node);
    append(this.#cleanup.purge, linked.purge);
    append(this.#cleanup.stale, linked.stale);
    this.#cleanup.stale.push(directory);
  }

  release(): void {
    for (let next = this.#releases.pop(); next; next = this.#releases.pop()) next();
  }

  async abandon(): Promise<void> {
    await Promise.all([...this.#builders.values()].map((builder) => builder.abandon()));
  }
}
