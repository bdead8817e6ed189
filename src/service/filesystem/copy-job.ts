import { type Code, ServiceError } from "../../domain/errors.ts";
import { COPY, type CopyOrder, type Job, payloadOf } from "../../domain/job.ts";
import type { WorkspaceDraft } from "../../workspace/draft.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import { getTask, updateTask } from "../../workspace/requests/tasks.ts";
import type { Tenant } from "../tenants.ts";
import type { CopyDeps } from "./copy-node.ts";
import { runCopy } from "./run-copy.ts";

/** Codes of errors that a retry may avoid. */
const PASSING: readonly Code[] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL"];

/** Runs an accepted copy. Errors caused by the caller become the task's error; all others are retried. */
export async function copyJob(
  deps: Pick<CopyDeps, "tenants" | "queue" | "follower">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const order = payloadOf(job, COPY);
  const tenant = await deps.tenants.ofJob(job, order.caller);
  if (!tenant) return;
  const { workspace } = tenant;
  const total = getTask(workspace.kv, workspace.keys, order.caller.user, order.task)?.total ?? 1;
  try {
    await runCopy(deps.queue, tenant, {
      ...order,
      origin: order.task,
      signal,
      onProgress: (done) =>
        deps.follower.progress(order.task, { stage: "copying", done: Math.min(done, total), total }),
      onLink: (draft, copied) => {
        update(draft, tenant, order, { status: "running", stage: "layers", total: copied }, { copied });
        deps.queue.settle(draft, job);
      },
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError) || PASSING.includes(error.code)) throw error;
    await workspace.commit((draft) => {
      draft.isBeyondQuota = true;
      const { code, message, details } = error;
      update(draft, tenant, order, {
        status: "failed",
        stage: "failed",
        error: { code, message, ...(details && { details }) },
      });
      return () => undefined;
    });
    await deps.queue.deadLetter(job, error.message);
  } finally {
    deps.follower.progress(order.task, undefined);
  }
}

function update(
  draft: WorkspaceDraft,
  { workspace }: Tenant,
  { task: id, caller }: CopyOrder,
  change: Partial<TaskRecord>,
  result: TaskRecord["result"] = {},
): void {
  updateTask(draft, { user: caller.user, id }, (task) => ({
    ...task,
    ...change,
    result: { ...task.result, ...result },
    updated: workspace.clock(),
  }));
}
