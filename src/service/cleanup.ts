import { lastOf } from "../base/expect.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { idKey } from "../storage/key-numbers.ts";
import type { WorkspaceDraft } from "../workspace/draft.ts";
import type { PurgeItems } from "../workspace/trash/prune-trash.ts";
import { moveToTrash, type Trashing } from "../workspace/trash/trash.ts";
import { entryOf, type Located, type Owner } from "../workspace/tree/locate.ts";
import { derivedOf, type PendingCleanup, unlink } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Limit of entries per purge job, whose record is rewritten with every attempt. */
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

/** Only the layers: jobs that may merge with waiting ones, which is decided at the commit point. */
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

/** Enqueues purges of the directories of items that leave the trash. */
export const purgingItems =
  (queue: JobQueue, workspace: Workspace): PurgeItems =>
  (draft, removed) => {
    for (const job of purgeJobs(workspace, { purge: [...removed], stale: [] })) queue.enqueue(draft, job);
  };

/** The id of an item of the trash, as callers see it: no two accounts have the same. */
export const trashIdOf = ({ incarnation }: Pick<Workspace, "incarnation">, item: NodeId): string =>
  `${idKey(incarnation)}${idKey(item)}`;

/** A removal; read it after the fold. */
export interface Removed {
  /** Visible files and directories. */
  readonly deleted: number;
  /** The item of the trash that holds them; missing if they are gone for good. */
  readonly trashId?: string;
}

/**
 * Removes a file or directory of any size, to the trash or for good; records of what is gone for good are
 * purged in the background.
 */
export function removeLocated(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  located: Located,
  { owner, isPermanent = false }: { readonly owner: Owner; readonly isPermanent?: boolean },
): () => Removed {
  const entry = entryOf(located);
  const { path, directory } = located;
  const gone = [entry.node, ...derivedOf(draft, entry).map((derived) => derived.entry.node)];
  const place = { directory, name: lastOf(path), entry, path };
  const cleanup: Trashing = isPermanent
    ? unlink(draft, workspace, directory, place.name, entry)
    : moveToTrash(draft, workspace, owner, place, "remove");
  let deleted = 0;
  // counted at the moment of removal, before the fold removes the nodes
  draft.onApply(() => {
    for (const node of gone)
      deleted += node === located.node ? 1 + workspace.table.below(node) : workspace.table.visibleCount(node);
  });
  enqueueCleanup(draft, queue, workspace, cleanup);
  const { item } = cleanup;
  return () => ({ deleted, ...(item !== undefined && { trashId: trashIdOf(workspace, item) }) });
}
