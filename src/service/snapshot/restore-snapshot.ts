import { ServiceError } from "../../domain/errors.ts";
import { RESTORE_SNAPSHOT, type RestoreOrder } from "../../domain/job.ts";
import { getTask } from "../../workspace/requests/tasks.ts";
import { findSnapshot, pathIn } from "../../workspace/snapshots/visible-snapshots.ts";
import type { ServiceCall } from "../call.ts";
import { errorOf } from "../task-error.ts";
import type { TaskFollower } from "../task-follower.ts";
import { enqueueTask } from "../task-job.ts";
import type { Tenant } from "../tenants.ts";
import { checkTimeout, waitDrained } from "../waiting.ts";
import { changesOf, type RestorePlan } from "./restore-plan.ts";
import { countsOf, planFor, type RestoreCounts, type RestoreFiles, runRestore } from "./run-restore.ts";

/** Number of changes, and bytes of the files to write, above which a task restores them. */
const LARGE_CHANGES = 200;
const LARGE_BYTES = 8 * 1024 * 1024;

export interface RestoreDeps extends RestoreFiles {
  readonly ids: () => string;
  readonly follower: TaskFollower;
}

/** What was restored, or will be; without counts while a task restores it. */
export interface RestoredSnapshot extends Partial<RestoreCounts> {
  readonly name: string;
  readonly uri: string;
  readonly taskId?: string;
}

/**
 * POST snapshots/{name}/restore: makes a folder, or all of a snapshot, as it was, in one transaction: changed
 * files get a new version, removed ones are written again, added ones go to the trash.
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
  const tenant = await deps.tenants.writing(call.caller);
  const { workspace } = tenant;
  const { name, keepAdded } = input;
  const path = pathIn(tenant, findSnapshot(tenant, name), input.uri);
  const { user, agent } = call.caller;
  const order: RestoreOrder = { task: deps.ids(), caller: { user, agent }, name, path, keepAdded };
  const about = { name, uri: workspace.uris.format(path) };
  const plan = await planNow(tenant, order, call.signal);
  if (input.dryRun) return { ...about, ...countsOf(plan) };
  const isLarge = changesOf(plan) > LARGE_CHANGES || plan.bytes > LARGE_BYTES;
  const watch = deps.follower.watch(order.task, !input.wait);
  try {
    const begun = isLarge
      ? await accept(deps, call, tenant, order, { ...about, taskId: order.task }, changesOf(plan))
      : await restoreNow(deps, call, tenant, order, about);
    if (isLarge) deps.follower.follow(workspace, { id: order.task, user });
    if (!input.wait) return begun;
    const details = { ...about, ...(isLarge && { task_id: order.task }) };
    await waitDrained(watch, { operation: "snapshots/restore", timeout, signal: call.signal, details });
    return isLarge ? outcomeOf(tenant, begun, user, order.task) : begun;
  } finally {
    deps.follower.abandonUnfollowed(order.task);
  }
}

async function planNow(tenant: Tenant, order: RestoreOrder, signal: AbortSignal): Promise<RestorePlan> {
  const kv = tenant.workspace.kv.snapshot();
  try {
    return await planFor(tenant, kv, order, signal);
  } finally {
    kv.close();
  }
}

async function restoreNow(
  deps: RestoreDeps,
  call: ServiceCall,
  tenant: Tenant,
  order: RestoreOrder,
  about: RestoredSnapshot,
): Promise<RestoredSnapshot> {
  const counts = await runRestore(deps, tenant, {
    ...order,
    origin: order.task,
    signal: call.signal,
    onProgress: () => undefined,
    onLink: (draft, made) => {
      deps.queue.admit(draft, tenant.workspace.incarnation);
      call.keepAnswer?.(draft, { ...about, ...made });
    },
  });
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
  return tenant.workspace.commit((draft) => {
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
