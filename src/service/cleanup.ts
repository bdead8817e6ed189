import { lastOf } from "../base/expect.ts";
import { directoryLayersJob, LAYERS_DELAY_MS, type NewJob, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { WorkspaceDraft } from "../workspace/draft.ts";
import type { Located } from "../workspace/tree/locate.ts";
import { entryOf } from "../workspace/tree/locate.ts";
import { type PendingCleanup, unlink } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Entries named by one purge job, whose record is written again with every attempt. */
const ENTRIES_PER_PURGE = 200;

/**
 * Enqueues what a change of the tree leaves to do: layers of directories whose content changed, records that
 * nothing reaches any more.
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

/** The layers alone: jobs that may be one with waiting ones, which is told at the commit point. */
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
 * Takes a file or directory out, whatever its size; the records are purged in the background. To be asked
 * once the change is folded: visible files and directories that went.
 */
export function removeLocated(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  located: Located,
): () => number {
  const cleanup = unlink(draft, workspace, located.directory, lastOf(located.path), entryOf(located));
  let deleted = 0;
  // counted at the moment of removal, before the fold takes the nodes out
  draft.onApply(() => {
    for (const { node } of cleanup.purge)
      deleted += node === located.node ? 1 + workspace.table.below(node) : workspace.table.visibleCount(node);
  });
  enqueueCleanup(draft, queue, workspace, cleanup);
  return () => deleted;
}
