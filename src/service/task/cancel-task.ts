import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { COPY, IMPORT, type Job, payloadOf, REMEMBER, RESTORE_SNAPSHOT } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { memoriesLock } from "../../memory/forget/clear-job.ts";
import type { SessionDeps } from "../../memory/forget/redact-sessions.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import { unreserve } from "../../workspace/requests/reservations.ts";
import { getTask, isEnded, putTask, trimTasks } from "../../workspace/requests/tasks.ts";
import { countUses, finishArchive } from "../../workspace/sessions/commits.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { type TaskView, taskView } from "./task-view.ts";

export interface CancelDeps extends SessionDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  /** Aborts the running jobs for which `isOver` returns true; they are not restarted. */
  readonly endJobs: (isOver: (job: Job) => boolean) => void;
}

/**
 * Jobs that end with their task. Jobs that create layers and vectors of visible content continue, because
 * nothing would create them later.
 */
const CANCELLED: ReadonlySet<string> = new Set([IMPORT, COPY, RESTORE_SNAPSHOT, REMEMBER]);

/** Stage from which the content of imports, copies and restores is visible. */
const VISIBLE = "layers";

/**
 * POST tasks/{task_id}/cancel: ends one of the caller's own tasks. Visible content stays. The jobs are
 * removed in the transaction that ends the task, so that they are not resumed after a restart.
 */
export async function cancelTask(
  deps: CancelDeps,
  call: ServiceCall,
  { taskId }: { readonly taskId: string },
): Promise<TaskView> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace } = tenant;
  const { user } = call.caller;
  findCancellable(workspace.kv, tenant, user, taskId);
  const job = deps.queue.jobsOfTask(taskId).find(({ kind }) => kind === REMEMBER);
  const end = (finish: (draft: WorkspaceDraft) => void) =>
    workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      if (findCancellable(draft, tenant, user, taskId).status === "cancelled") return () => undefined;
      finish(draft);
      cancel(draft, tenant, findCancellable(draft, tenant, user, taskId));
      deps.queue.cancelTask(draft, taskId, CANCELLED);
      return () => undefined;
    });
  // layers must not be created from messages that are being forgotten
  if (job)
    await workspace.locks.share(memoriesLock(user), async () =>
      end(await finishingArchive(deps, tenant, job, call.signal)),
    );
  else await end(() => undefined);
  deps.endJobs(({ kind, origins }) => CANCELLED.has(kind) && origins.includes(taskId));
  deps.follower.stopFollowing(taskId, wasCancelled(taskId));
  const cancelled = findCancellable(workspace.kv, tenant, user, taskId);
  await trimTasks(workspace, user);
  return taskView(cancelled);
}

/** The error for callers that wait for the task. */
const wasCancelled = (id: string) =>
  failedPrecondition(`task ${id}`, "it was cancelled; content that it had written stays");

/** A task that can be cancelled, or already is. Throws NOT_FOUND, FAILED_PRECONDITION. */
function findCancellable(reader: KvReader, { workspace }: Tenant, user: string, id: string): TaskRecord {
  const task = id.includes("/") ? undefined : getTask(reader, workspace.keys, user, id);
  if (!task) throw notFound("task", id);
  if (task.status !== "cancelled" && isEnded(task))
    throw failedPrecondition(`task ${id}`, `it has already ended (${task.status}) and cannot be cancelled`);
  if (task.type === "forget")
    throw failedPrecondition(`task ${id}`, "a forget operation cannot be cancelled: wait until it ends");
  return task;
}

/** Ends the task. Its result describes only what stays; a reserved root is released. */
function cancel(draft: WorkspaceDraft, { workspace }: Tenant, task: TaskRecord): void {
  const { result, ...rest } = task;
  const { code, message, details } = wasCancelled(task.id);
  const isCommit = task.type === "commit_session";
  const stays = isCommit || task.stage === VISIBLE;
  if (!stays && typeof result?.root_uri === "string") unreserve(draft, result.root_uri);
  putTask(draft, {
    ...rest,
    status: "cancelled",
    stage: "cancelled",
    updated: workspace.clock(),
    error: { code, message, ...(details && { details }) },
    ...(stays && result && { result }),
  });
}

/**
 * Finishes the archive of a commit with the memories extracted so far: no further ones can be added, and its
 * layers are created without a language model. Pending uses are counted.
 */
async function finishingArchive(
  deps: SessionDeps,
  { workspace, owner }: Tenant,
  job: Job,
  signal: AbortSignal,
): Promise<(draft: WorkspaceDraft) => void> {
  const { session, archive } = payloadOf(job, REMEMBER);
  await countUses(workspace, owner, session, archive, signal);
  const found = workspace.sessions.archive(session, archive);
  if (!found || found.remembered) return () => undefined;
  const layers = deps.archiveLayers(await workspace.sessions.firstAndLastMessages(session, found), found);
  return (draft) => finishArchive(draft, workspace, session, archive, { layers, memories: 0 });
}
