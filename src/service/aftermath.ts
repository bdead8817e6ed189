import { directoryLayersJob, LAYERS_DELAY_MS, purgeJob } from "../domain/job.ts";
import { FIRST_FREE_NODE } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Aftermath } from "../workspace/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";

/** Entries named by one purge job, whose record is written again with every attempt. */
const ENTRIES_PER_PURGE = 1000;

/** Enqueues what a change of the tree leaves to do: layers of directories whose content changed, records that nothing reaches any more. */
export function enqueueAftermath(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  aftermath: Aftermath,
  origins: readonly string[] = [],
): void {
  const due = queue.dueAfter(LAYERS_DELAY_MS, { queue: "semantic", workspace: workspace.incarnation, origins });
  for (const node of new Set(aftermath.stale)) {
    if (node >= FIRST_FREE_NODE) queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, origins, due));
  }
  for (let at = 0; at < aftermath.purge.length; at += ENTRIES_PER_PURGE) {
    queue.enqueue(draft, purgeJob(workspace.incarnation, aftermath.purge.slice(at, at + ENTRIES_PER_PURGE)));
  }
}
