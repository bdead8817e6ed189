import type { Logger } from "pino";
import { itemAt } from "../base/expect.ts";
import { type WorkspaceId, workspaceId } from "../domain/ids.ts";
import type { Watch } from "../jobs/job-watch.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { type Kv, keyPages, prefixRange } from "../storage/kv.ts";
import { Keys, UNFINISHED_TASKS } from "../workspace/keys.ts";
import type { TaskRecord } from "../workspace/records.ts";
import { unreserve } from "../workspace/requests/reservations.ts";
import { getTask, isEnded, putTask, trimTasks } from "../workspace/requests/tasks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Tenants } from "./tenants.ts";

const PAGE = 1000;

/** Progress: number of finished files and of all files. */
export interface TaskProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** Ends a task when its last job has ended. A task's id is the origin of its jobs. */
export class TaskFollower {
  readonly #queue: JobQueue;
  readonly #tenants: Tenants;
  readonly #log: Logger;
  readonly #watches = new Map<string, Watch>();
  readonly #followed = new Map<string, Workspace>();
  /** Last progress shown per task, so that it never decreases when jobs enqueue more. */
  readonly #shown = new Map<string, number>();
  readonly #progress = new Map<string, TaskProgress>();
  /** Callers waiting for the next change of a task. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop: AbortSignal;

  readonly #kv: Kv;

  constructor(deps: { kv: Kv; queue: JobQueue; tenants: Tenants; log: Logger; stop: AbortSignal }) {
    this.#kv = deps.kv;
    this.#queue = deps.queue;
    this.#tenants = deps.tenants;
    this.#log = deps.log;
    this.#stop = deps.stop;
  }

  /**
   * Watches the jobs of a task; call it before the transaction that enqueues them. `patient`: no caller
   * waits.
   */
  watchJobs(id: string, patient = true): Watch {
    const watch = this.#queue.watch({ origin: id }, { patient });
    watch.onSettled = () => this.#tell(id);
    this.#watches.set(id, watch);
    return watch;
  }

  /** Drops the watch of a task that was not created. */
  abandon(id: string): void {
    this.#watches.get(id)?.release();
    this.#watches.delete(id);
  }

  /** Follows a task to its end. If the server stops, the next start continues. */
  endTaskAfterJobs({ forServer: workspace }: Workspace, task: Pick<TaskRecord, "id" | "user">): void {
    const watch = this.#watches.get(task.id) ?? this.watchJobs(task.id);
    this.#followed.set(task.id, workspace);
    const isFollowed = () => this.#followed.get(task.id) === workspace;
    watch
      .drained(this.#stop)
      .then(() => this.#end(workspace, task, watch))
      .catch((error: unknown) => {
        if (!this.#stop.aborted && isFollowed())
          this.#log.error({ err: error, task: task.id }, "a task could not be ended");
      })
      .finally(() => {
        if (isFollowed()) this.#forget(task.id);
      });
  }

  #forget(id: string): void {
    this.#followed.delete(id);
    this.#progress.delete(id);
    this.#shown.delete(id);
    this.abandon(id);
    this.#tell(id);
  }

  /** Drops a watch unless its task is being followed. */
  abandonUnlessFollowed(id: string): void {
    if (!this.#followed.has(id)) this.abandon(id);
  }

  /** Stops following a cancelled task. Callers that wait for its jobs get the error. */
  stopFollowing(id: string, error: Error): void {
    const watch = this.#watches.get(id);
    this.#forget(id);
    watch?.lose(error);
  }

  /** Sets the progress of a task that reports it; undefined once it stops reporting. */
  progress(id: string, progress: TaskProgress | undefined): void {
    // the job of a cancelled task reports until it is aborted
    if (progress && !this.#watches.has(id)) return;
    if (progress) this.#progress.set(id, progress);
    else this.#progress.delete(id);
    this.#tell(id);
  }

  /** Resolves when the task may have changed since the call, or the signal aborts. */
  waitForChange(id: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener("abort", end);
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      waiting.add(end);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
  }

  #tell(id: string): void {
    for (const end of [...(this.#waiting.get(id) ?? [])]) end();
  }

  /** The task with the current progress of its jobs. */
  withProgress(task: TaskRecord): TaskRecord {
    if (isEnded(task)) return task;
    const progress = this.#progress.get(task.id);
    if (progress) return { ...task, ...progress, status: "running" };
    const watch = this.#watches.get(task.id);
    if (!watch || task.status !== "running") return task;
    const done = Math.max(task.done, this.#shown.get(task.id) ?? 0, filesDone(task.total, watch));
    if (this.#followed.has(task.id)) this.#shown.set(task.id, done);
    return { ...task, done };
  }

  /** Follows the tasks of an earlier process or another server, for one workspace or all. */
  async adopt(of: WorkspaceId | "everything"): Promise<void> {
    const prefix = of === "everything" ? UNFINISHED_TASKS : new Keys(of).allUnfinished();
    for await (const page of keyPages(this.#kv, prefixRange(prefix, PAGE)))
      for (const key of page) {
        const [, incarnation = "", user = "", id = ""] = key.split("/");
        const workspace = await this.#tenants.ofIncarnation(workspaceId(Number.parseInt(incarnation, 36)));
        if (workspace && getTask(workspace.kv, workspace.keys, user, id) && !this.#followed.has(id))
          this.endTaskAfterJobs(workspace, { id, user });
      }
  }

  /** Stops following the tasks of a workspace; does not change their records. */
  drop(workspace: WorkspaceId): void {
    for (const [id, { incarnation }] of this.#followed) if (incarnation === workspace) this.#forget(id);
  }

  async #end(
    workspace: Workspace,
    { id, user }: Pick<TaskRecord, "id" | "user">,
    watch: Watch,
  ): Promise<void> {
    const failures = [...watch.semantic.errors, ...watch.embedding.errors];
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const task = getTask(draft, draft.keys, user, id);
      if (!task || isEnded(task)) return () => undefined;
      const error =
        failures.length > 0
          ? {
              code: "INTERNAL",
              message: `${failures.length} of its jobs failed: ${itemAt(failures, 0).message}`,
            }
          : undefined;
      // release the root that a dead-lettered import has reserved
      if (error && typeof task.result?.root_uri === "string") unreserve(draft, task.result.root_uri);
      putTask(draft, {
        ...task,
        status: error ? "failed" : "completed",
        stage: "done",
        done: task.total,
        updated: workspace.clock(),
        ...(error && { error }),
      });
      return () => undefined;
    });
    await trimTasks(workspace, user);
  }
}

/**
 * Estimates the finished files from the share of finished jobs; below the total until the last job has ended.
 */
function filesDone(total: number, { semantic, embedding, outstanding }: Watch): number {
  const ended = semantic.processed + semantic.errorCount + embedding.processed + embedding.errorCount;
  if (ended === 0) return 0;
  return Math.min(total - 1, Math.floor((total * ended) / (ended + outstanding)));
}
