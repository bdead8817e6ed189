import { ServiceError } from "../../domain/errors.ts";
import { RESTORE_SNAPSHOT, type RestoreOrder } from "../../domain/job.ts";
import { getTask } from "../../workspace/requests/tasks.ts";
import { findSnapshot, pathIn } from "../../workspace/snapshots/visible-snapshots.ts";
import type { ServiceCall } from "../service-call.ts";
import { errorOf } from "../task-error.ts";
import type { TaskFollower } from "../task-follower.ts";
import { enqueueTask } from "../task-job.ts";
import type { Tenant } from "../tenants.ts";
import { checkTimeout, waitForJobs } from "../wait-for-jobs.ts";
import { changesOf } from "./restore-plan.ts";
import {
  countsOf,
  type OpenPlan,
  openPlan,
  type RestoreCounts,
  type RestoreFiles,
  type RestoreRequest,
  runRestore,
} from "./run-restore.ts";

/** Number of changes, and bytes to write, above which a task restores them. */
const LARGE_CHANGES = 200;
const LARGE_BYTES = 8 * 1024 * 1024;

export interface RestoreDeps extends RestoreFiles {
  readonly ids: () => string;
  readonly follower: TaskFollower;
}

/** Result of a restore or dry run; without counts while a task is running. */
export interface RestoredSnapshot extends Partial<RestoreCounts> {
  readonly name: string;
  readonly uri: string;
  readonly taskId?: string;
}

/**
 * POST snapshots/{name}/restore: restores a folder, or everything in a snapshot, in one transaction. Changed
 * files get a new version, removed files are written again, and added files are moved to the trash.
 */
export async function restoreSnapshot(
  deps: RestoreDeps,
  call: ServiceCall,
  input: {
    readonly name: string;
    readonly uri?: string | undefined;
    readonly keepAdded: boolean;
    readonly dryRun: boolean;
    readonly wait: boolean;
    readonly timeout?: number | undefined;
  },
): Promise<RestoredSnapshot> {
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace } = tenant;
  const { name, keepAdded } = input;
  const path = pathIn(tenant, findSnapshot(tenant, name), input.uri);
  const { user, agent } = call.caller;
  const order: RestoreOrder = { task: deps.ids(), caller: { user, agent }, name, path, keepAdded };
  const about = { name, uri: workspace.uris.format(path) };
  if (input.dryRun) return { ...about, ...(await countNow(tenant, order, call.signal)) };
  const watch = deps.follower.watchJobs(order.task, !input.wait);
  try {
    const begun = await begin(deps, call, tenant, order, about);
    const isQueued = begun.taskId !== undefined;
    if (isQueued) deps.follower.endTaskAfterJobs(workspace, { id: order.task, user });
    if (!input.wait) return begun;
    const details = { ...about, ...(isQueued && { task_id: order.task }) };
    await waitForJobs(watch, { operation: "snapshots/restore", timeout, call, details });
    return isQueued ? outcomeOf(tenant, begun, user, order.task) : begun;
  } finally {
    deps.follower.abandonUnlessFollowed(order.task);
  }
}

async function countNow(tenant: Tenant, order: RestoreOrder, signal: AbortSignal): Promise<RestoreCounts> {
  const opened = await openPlan(tenant, order, signal);
  opened.close();
  return countsOf(opened.plan);
}

/** Performs a small restore at once; for a large one, enqueues a task, which the response names. */
async function begin(
  deps: RestoreDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: RestoreOrder,
  about: RestoredSnapshot,
): Promise<RestoredSnapshot> {
  const opened = await openPlan(tenant, order, call.signal);
  try {
    const changes = changesOf(opened.plan);
    if (changes <= LARGE_CHANGES && opened.plan.bytes <= LARGE_BYTES)
      return await restoreNow(deps, call, tenant, order, about, opened);
    return await accept(deps, call, tenant, order, { ...about, taskId: order.task }, changes);
  } finally {
    opened.close();
  }
}

async function restoreNow(
  deps: RestoreDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: RestoreOrder,
  about: RestoredSnapshot,
  opened: OpenPlan,
): Promise<RestoredSnapshot> {
  const request: RestoreRequest = {
    ...order,
    origin: order.task,
    signal: call.signal,
    onProgress: () => undefined,
    onLink: (draft, made) => {
      deps.queue.admit(draft, tenant.workspace.incarnation);
      call.keepAnswer?.(draft, { ...about, ...made });
    },
  };
  const counts = await runRestore(deps, tenant, request, opened);
  return { ...about, ...counts };
}

function accept(
  { queue }: RestoreDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: RestoreOrder,
  answer: RestoredSnapshot,
  total: number,
): Promise<RestoredSnapshot> {
  const { name, uri } = answer;
  return tenant.workspace.transact((draft) => {
    findSnapshot(tenant, order.name);
    const type = "restore_snapshot";
    enqueueTask(draft, queue, call, tenant, {
      kind: RESTORE_SNAPSHOT,
      order,
      type,
      total,
      result: { name, uri },
    });
    call.keepAnswer?.(draft, answer);
    return () => answer;
  });
}

/** Response for a restore whose task has ended; throws the task's error. */
function outcomeOf(
  { workspace }: Tenant,
  begun: RestoredSnapshot,
  user: string,
  id: string,
): RestoredSnapshot {
  const task = getTask(workspace.kv, workspace.keys, user, id);
  if (task?.error) throw errorOf(task.error);
  const count = (field: keyof RestoreCounts): number => {
    const found = task?.result?.[field];
    return typeof found === "number" ? found : 0;
  };
  if (typeof task?.result?.restored === "number")
    return { ...begun, restored: count("restored"), trashed: count("trashed"), lost: count("lost") };
  if (task)
    throw new ServiceError("INTERNAL", "the restore failed with an internal error; see the server log");
  return begun;
}
