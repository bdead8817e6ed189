import {
  directoryLayersJob,
  LAYERS_DELAY_MS,
  type NewJob,
  purgeJob,
  STALE_DIRECTORIES,
} from "../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Draft } from "../storage/draft.ts";
import type { PurgeItems } from "../workspace/trash/prune-trash.ts";
import type { PendingCleanup } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";

/** Maximum entries per purge job, because each attempt rewrites the job's record. */
const ENTRIES_PER_PURGE = 200;

/**
 * Number of directories up to which a change enqueues a job for each; more are enqueued by jobs for many, so
 * that neither the transaction nor its effect in memory blocks the event loop.
 */
const MAX_SINGLE = 100;
const DIRECTORIES_PER_JOB = 1000;

/**
 * Enqueues the follow-up work of a tree change: layers of directories with changed content, and purges of
 * unreachable records.
 */
export function enqueueLayersAndPurges(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  cleanup: PendingCleanup,
  origins: readonly string[] = [],
): void {
  enqueueDirectoryLayers(draft, queue, workspace, cleanup, origins);
  for (const job of purgeJobs(workspace, cleanup)) queue.enqueue(draft, job);
}

/** Enqueues only the layers jobs. Whether they merge with waiting jobs is decided at the commit point. */
export function enqueueDirectoryLayers(
  draft: Draft,
  queue: JobQueue,
  workspace: Pick<Workspace, "incarnation">,
  { stale }: { readonly stale: readonly NodeId[] },
  origins: readonly string[],
): void {
  const due = queue.dueAfter(LAYERS_DELAY_MS, {
    queue: "semantic",
    workspace: workspace.incarnation,
    origins,
  });
  const nodes = [...new Set(stale)].filter((node) => node >= FIRST_FREE_NODE);
  if (nodes.length <= MAX_SINGLE) {
    for (const node of nodes)
      queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, origins, due));
    return;
  }
  for (let at = 0; at < nodes.length; at += DIRECTORIES_PER_JOB) {
    const some = nodes.slice(at, at + DIRECTORIES_PER_JOB);
    queue.enqueue(draft, {
      queue: "semantic",
      class: "interactive",
      kind: STALE_DIRECTORIES,
      workspace: workspace.incarnation,
      payload: { nodes: some },
      origins,
      sameAs: undefined,
      dueAt: due,
    });
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
