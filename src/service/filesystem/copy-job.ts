import { COPY, type Job, payloadOf } from "../../domain/job.ts";
import { getTask } from "../../workspace/requests/tasks.ts";
import { runTaskJob, updateTaskOf } from "../task-job.ts";
import type { CopyDeps } from "./copy-node.ts";
import { runCopy } from "./run-copy.ts";

/** Runs an accepted copy. */
export async function copyJob(
  deps: Pick<CopyDeps, "tenants" | "queue" | "follower">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const order = payloadOf(job, COPY);
  const tenant = await deps.tenants.openForJob(job, order.caller);
  if (!tenant) return;
  const { workspace } = tenant;
  const total = getTask(workspace.kv, workspace.keys, order.caller.user, order.task)?.total ?? 1;
  await runTaskJob(deps, job, tenant, order, signal, () =>
    runCopy(deps.queue, tenant, {
      ...order,
      origin: order.task,
      signal,
      onProgress: (done) =>
        deps.follower.progress(order.task, { stage: "copying", done: Math.min(done, total), total }),
      onLink: (draft, copied) => {
        updateTaskOf(draft, tenant, order, { status: "running", stage: "layers", total: copied }, { copied });
        deps.queue.settle(draft, job);
      },
    }),
  );
}
