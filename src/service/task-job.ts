import { type Code, ServiceError } from "../domain/errors.ts";
import { type Job, jobOwner } from "../domain/job.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { TaskRecord } from "../workspace/records.ts";
import { putTask, updateTask } from "../workspace/requests/tasks.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import type { ServiceCall } from "./service-call.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenant } from "./tenants.ts";

/** Codes of errors for which a retry may succeed. */
const PASSING: readonly Code[] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL"];

/** An accepted request that a task executes. */
interface TaskOrder {
  readonly task: string;
  readonly caller: { readonly user: string };
}

interface AcceptedTask {
  readonly kind: string;
  readonly order: TaskOrder;
  readonly type: string;
  readonly total: number;
  readonly result: NonNullable<TaskRecord["result"]>;
}

/** Enqueues a durable job of the caller with its task, in the transaction that accepts the request. */
export function enqueueTask(
  draft: WorkspaceDraft,
  queue: JobQueue,
  call: ServiceCall,
  { workspace }: Tenant,
  { kind, order, type, total, result }: AcceptedTask,
): void {
  const now = workspace.clock();
  putTask(draft, {
    id: order.task,
    user: order.caller.user,
    type,
    status: "pending",
    stage: "queued",
    done: 0,
    total,
    created: now,
    updated: now,
    result,
  } satisfies TaskRecord);
  queue.enqueue(draft, {
    queue: "import",
    class: "bulk",
    kind,
    workspace: workspace.incarnation,
    owner: jobOwner(call.caller),
    payload: order,
    origins: [order.task],
    sameAs: undefined,
  });
  queue.admit(draft, workspace.incarnation);
}

/** Runs the job of a task. Errors caused by the caller become the task's error; all others are retried. */
export async function runTaskJob(
  { queue, follower }: { readonly queue: JobQueue; readonly follower: TaskFollower },
  job: Job,
  tenant: Tenant,
  order: TaskOrder,
  signal: AbortSignal,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError) || PASSING.includes(error.code)) throw error;
    await tenant.workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const { code, message, details } = error;
      updateTaskOf(draft, tenant, order, {
        status: "failed",
        stage: "failed",
        error: { code, message, ...(details && { details }) },
      });
      return () => undefined;
    });
    await queue.deadLetter(job, error.message);
  } finally {
    follower.progress(order.task, undefined);
  }
}

/** Updates the task of a request, and extends its result. */
export function updateTaskOf(
  draft: WorkspaceDraft,
  { workspace }: Tenant,
  { task: id, caller }: TaskOrder,
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
