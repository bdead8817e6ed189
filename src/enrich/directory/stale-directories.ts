import type { WorkspaceId } from "../../domain/ids.ts";
import { directoryLayersJob, type Job, payloadOf, STALE_DIRECTORIES } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Maximum number of jobs enqueued per transaction. */
const JOBS_PER_CHANGE = 200;

/** Enqueues the layers jobs of the directories in the payload. Idempotent: equal jobs are merged. */
export async function enqueueStaleDirectories(
  {
    queue,
    workspaceOf,
  }: {
    readonly queue: JobQueue;
    readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  },
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await workspaceOf(job.workspace);
  if (!workspace) return;
  const { nodes } = payloadOf(job, STALE_DIRECTORIES);
  for (let at = 0; at < nodes.length; at += JOBS_PER_CHANGE) {
    signal.throwIfAborted();
    const some = nodes.slice(at, at + JOBS_PER_CHANGE);
    const isLast = at + JOBS_PER_CHANGE >= nodes.length;
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const node of some)
        queue.enqueue(draft, directoryLayersJob(job.workspace, node, job.origins, job.dueAt));
      // waits for the origins of this job go on with the jobs that it has enqueued
      if (isLast) queue.settle(draft, job);
      return () => undefined;
    });
  }
}
