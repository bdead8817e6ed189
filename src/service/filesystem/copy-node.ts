import { ServiceError } from "../../domain/errors.ts";
import { COPY, type CopyOrder } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { getTask } from "../../workspace/requests/tasks.ts";
import type { Located } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../service-call.ts";
import { errorOf } from "../task-error.ts";
import type { TaskFollower } from "../task-follower.ts";
import { enqueueTask } from "../task-job.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { checkTimeout, waitForJobs } from "../wait-for-jobs.ts";
import { type CopyEnds, checkCopy, runCopy } from "./run-copy.ts";
import { writableEnds } from "./writable-ends.ts";

/** Number of visible nodes in a directory above which a task copies it. */
const LARGE_NODES = 1000;

export interface CopyDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
}

export interface CopiedNode {
  readonly from: string;
  readonly to: string;
  /** Number of visible files and directories; absent while a task copies them. */
  readonly copied?: number;
  readonly taskId?: string;
}

/**
 * POST fs/cp: copies a file or directory, reusing contents, layers and vectors. Nothing is visible before the
 * copy is complete; a task copies large directories.
 */
export async function copyNode(
  deps: CopyDeps,
  call: ServiceCall,
  input: {
    readonly fromUri: string;
    readonly toUri: string;
    readonly wait: boolean;
    readonly timeout?: number | undefined;
    /** Replace what is at the destination, of either kind, in the step that makes the copy visible. */
    readonly isReplacing?: boolean;
  },
): Promise<CopiedNode> {
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const { from, to, toUri } = writableEnds(workspace.uris, owner, input, "copy");
  const { user, agent } = call.caller;
  const { isReplacing = false } = input;
  const order: CopyOrder = { task: deps.ids(), caller: { user, agent }, from, to, isReplacing };
  const isLarge = sizeOf(tenant, checkCopy(workspace.kv, tenant, order)) > LARGE_NODES;
  const watch = deps.follower.watchJobs(order.task, !input.wait);
  try {
    const begun = isLarge
      ? await accept(deps, call, tenant, order)
      : await copyNow(deps, call, tenant, order);
    if (isLarge) deps.follower.endTaskAfterJobs(workspace, { id: order.task, user });
    if (!input.wait) return begun;
    const details = { to_uri: toUri, ...(isLarge && { task_id: order.task }) };
    await waitForJobs(watch, { operation: "fs/cp", timeout, call, details });
    return isLarge ? outcomeOf(tenant, begun, user, order.task) : begun;
  } finally {
    deps.follower.abandonUnlessFollowed(order.task);
  }
}

const sizeOf = ({ workspace }: Tenant, { kind, node }: Located): number =>
  kind === "directory" ? workspace.table.below(node) : 0;

const answerOf = ({ workspace: { uris } }: Tenant, { from, to }: CopyEnds): CopiedNode => ({
  from: uris.format(from),
  to: uris.format(to),
});

async function copyNow(
  { queue }: CopyDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: CopyOrder,
): Promise<CopiedNode> {
  const answer = answerOf(tenant, order);
  const copied = await runCopy(queue, tenant, {
    ...order,
    origin: order.task,
    signal: call.signal,
    onProgress: () => undefined,
    onLink: (draft, count) => {
      queue.admit(draft, tenant.workspace.incarnation);
      call.keepAnswer?.(draft, { ...answer, copied: count });
    },
  });
  return { ...answer, copied };
}

/** Enqueues a durable job; nothing is visible before the copy is complete. */
function accept(
  { queue }: CopyDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: CopyOrder,
): Promise<CopiedNode> {
  const { workspace } = tenant;
  const answer = { ...answerOf(tenant, order), taskId: order.task };
  return workspace.transact((draft) => {
    const total = sizeOf(tenant, checkCopy(draft, tenant, order)) + 1;
    const result = { from: answer.from, to: answer.to };
    enqueueTask(draft, queue, call, tenant, { kind: COPY, order, type: "copy_node", total, result });
    call.keepAnswer?.(draft, answer);
    return () => answer;
  });
}

/** Response for a copy whose task has ended; throws the task's error. */
function outcomeOf({ workspace }: Tenant, begun: CopiedNode, user: string, id: string): CopiedNode {
  const task = getTask(workspace.kv, workspace.keys, user, id);
  if (task?.error) throw errorOf(task.error);
  const copied = task?.result?.copied;
  if (typeof copied === "number") return { ...begun, copied };
  // the copy was dead-lettered for an internal error, which is in the log
  if (task) throw new ServiceError("INTERNAL", "the copy failed with an internal error; see the server log");
  return begun;
}
