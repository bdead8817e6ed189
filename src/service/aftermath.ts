import { directoryLayersJob, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Aftermath } from "../workspace/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";

/** Enqueues what a change of the tree leaves to do: layers of directories whose content changed, records that nothing reaches any more. */
export function enqueueAftermath(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  aftermath: Aftermath,
  origins: readonly string[] = [],
): void {
  for (const node of new Set(aftermath.stale)) {
    if (node >= FIRST_FREE_NODE) queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, origins));
  }
  if (aftermath.purge.length > 0) queue.enqueue(draft, purgeJob(workspace.incarnation, aftermath.purge));
}
