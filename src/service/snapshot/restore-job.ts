import { type Job, payloadOf, RESTORE_SNAPSHOT } from "../../domain/job.ts";
import { runTaskJob, updateTaskOf } from "../task-job.ts";
import type { RestoreDeps } from "./restore-snapshot.ts";
import { runRestore } from "./run-restore.ts";

/** Runs an accepted restore of a snapshot. */
export async function restoreSnapshotJob(
  deps: Omit<RestoreDeps, "ids">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const order = payloadOf(job, RESTORE_SNAPSHOT);
  const tenant = await deps.tenants.openForJob(job, order.caller);
  if (!tenant) return;
  await runTaskJob(deps, job, tenant, order, signal, () =>
    runRestore(deps, tenant, {
      ...order,
      origin: order.task,
      signal,
      onProgress: (done, total) => deps.follower.progress(order.task, { stage: "restoring", done, total }),
      onLink: (draft, counts) => {
        const { restored: total } = counts;
        updateTaskOf(draft, tenant, order, { status: "running", stage: "layers", total }, { ...counts });
        deps.queue.settle(draft, job);
      },
    }),
  );
}
