import { lastOf } from "../base/expect.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { idKey } from "../storage/key-numbers.ts";
import type { PurgeItems } from "../workspace/trash/prune-trash.ts";
import { moveToTrash, type Trashing } from "../workspace/trash/trash.ts";
import { entryOf, type Located, type Owner } from "../workspace/tree/locate.ts";
import { derivedOf, type PendingCleanup, unlink } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";

/** Maximum entries per purge job, because each attempt rewrites the job's record. */
const ENTRIES_PER_PURGE = 200;

/**
 * Enqueues the follow-up work of a tree change: layers of directories with changed content, and purges of
 * unreachable records.
 */
export function enqueueCleanup(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  cleanup: PendingCleanup,
  origins: readonly string[] = [],
): void {
  enqueueStale(draft, queue, workspace, cleanup, origins);
  for (const job of purgeJobs(workspace, cleanup)) queue.enqueue(draft, job);
}

/** Enqueues only the layers jobs. They may merge with waiting jobs, which is decided at the commit point. */
export function enqueueStale(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  { stale }: PendingCleanup,
  origins: readonly string[],
): void {
  const due = queue.dueAfter(LAYERS_DELAY_MS, {
    queue: "semantic",
    workspace: workspace.incarnation,
    origins,
  });
  for (const node of new Set(stale)) {
    if (node >= FIRST_FREE_NODE)
      queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, origins, due));
  }
}

export function* purgeJobs(workspace: Workspace, { purge }: PendingCleanup): Generator<NewJob> {
  for (let at = 0; at < purge.length; at += ENTRIES_PER_PURGE)
    yield purgeJob(workspace.incarnation, { removed: purge.slice(at, at + ENTRIES_PER_PURGE) });
}

/** Enqueues purges of items removed from the trash. */
export const purgingItems =
  (queue: JobQueue, workspace: Workspace): PurgeItems =>
  (draft, removed) => {
    for (const job of purgeJobs(workspace, { purge: [...removed], stale: [] })) queue.enqueue(draft, job);
  };

/** Public id of a trash item, unique across accounts. */
export const trashIdOf = ({ incarnation }: Pick<Workspace, "incarnation">, item: NodeId): string =>
  `${idKey(incarnation)}${idKey(item)}`;

/** Result of a removal; read it only after the transaction is applied. */
export interface Removed {
  /** Number of visible files and directories removed. */
  readonly deleted: number;
  /** The trash item that contains them; absent if they were removed permanently. */
  readonly trashId?: string;
}

interface Removal {
  readonly owner: Owner;
  readonly isPermanent?: boolean;
}

/**
 * Removes a file or directory of any size, to the trash or permanently. Records of permanently removed nodes
 * are purged in the background.
 */
export function removeLocated(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  located: Located,
  removal: Removal,
): () => Removed {
  const { cleanup, count } = takeOutLocated(draft, workspace, located, removal);
  let deleted = 0;
  // counted before the transaction is applied, which removes the nodes from the table
  draft.onApply(() => {
    deleted = count();
  });
  enqueueCleanup(draft, queue, workspace, cleanup);
  return () => ({ deleted, ...trashIdIn(workspace, cleanup) });
}

/**
 * Removes a file or directory without enqueuing the follow-up work. `count` returns the number of visible
 * files and directories that are removed; it is exact while all earlier transactions, but not this one, are
 * applied.
 */
export function takeOutLocated(
  draft: WorkspaceDraft,
  workspace: Workspace,
  located: Located,
  { owner, isPermanent = false }: Removal,
): { readonly cleanup: Trashing; readonly count: () => number } {
  const entry = entryOf(located);
  const { path, directory } = located;
  const derived = derivedOf(draft, entry).map((one) => one.entry.node);
  const place = { directory, name: lastOf(path), entry, path };
  const cleanup: Trashing = isPermanent
    ? unlink(draft, workspace, directory, place.name, entry)
    : moveToTrash(draft, workspace, owner, place, "remove");
  const { table } = workspace;
  const count = () =>
    derived.reduce((sum, node) => sum + table.visibleCount(node), 1 + table.below(entry.node));
  return { cleanup, count };
}

export const trashIdIn = (workspace: Workspace, { item }: Trashing): Pick<Removed, "trashId"> =>
  item === undefined ? {} : { trashId: trashIdOf(workspace, item) };
