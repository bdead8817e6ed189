import { lastOf } from "../base/expect.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { WorkspaceDraft } from "../workspace/draft.ts";
import type { Located } from "../workspace/tree/locate.ts";
import { entryOf } from "../workspace/tree/locate.ts";
import { type PendingCleanup, unlink } from "../workspace/tree/tree.ts";
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

/**
 * Removes a file or directory of any size; the records are purged in the background. After the fold it
 * returns the number of removed visible files and directories.
 */
export function removeLocated(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  located: Located,
): () => number {
  const cleanup = unlink(draft, workspace, located.directory, lastOf(located.path), entryOf(located));
  let deleted = 0;
  // counted at the moment of removal, before the fold removes the nodes
  draft.onApply(() => {
    for (const { node } of cleanup.purge)
      deleted += node === located.node ? 1 + workspace.table.below(node) : workspace.table.visibleCount(node);
  });
  enqueueCleanup(draft, queue, workspace, cleanup);
  return () => deleted;
}
