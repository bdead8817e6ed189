import { valueFor } from "../../base/expect.ts";
import { notFound, unavailable } from "../../domain/errors.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import { getTask, isEnded } from "../../workspace/requests/tasks.ts";
import { type ServiceCall, waitSignalOf } from "../service-call.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenants } from "../tenants.ts";
import { type TaskView, taskView } from "./task-view.ts";

/** Maximum number of tasks that a user watches at once. */
const MAX_FOLLOWED = 32;

/** Counts watched tasks per user. */
export class Readers {
  readonly #counts = new Map<string, number>();

  /** Registers a watch; the returned function ends it. Throws UNAVAILABLE if there are too many. */
  enter(user: string): () => void {
    const count = this.#counts.get(user) ?? 0;
    if (count >= MAX_FOLLOWED)
      throw unavailable(
        `more than ${MAX_FOLLOWED} tasks are watched at the same time: first end another WatchTask`,
      );
    this.#counts.set(user, count + 1);
    return () => {
      const left = valueFor(this.#counts, user) - 1;
      if (left > 0) this.#counts.set(user, left);
      else this.#counts.delete(user);
    };
  }
}

/**
 * TaskService.WatchTask: streams one of the caller's own tasks, then every change until it ends. A slow
 * client misses intermediate states, but never the last. Ends with the call.
 */
export async function* watchTask(
  deps: { tenants: Tenants; follower: TaskFollower; readers: Readers },
  call: ServiceCall,
  { taskId }: { readonly taskId: string },
): AsyncGenerator<TaskView> {
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const { user, userIncarnation = 0 } = call.caller;
  const now = (): TaskRecord => {
    const task = taskId.includes("/") ? undefined : getTask(workspace.kv, workspace.keys, user, taskId);
    if (!task) throw notFound("task", taskId);
    return deps.follower.withProgress(task);
  };
  const leave = deps.readers.enter(`${workspace.incarnation}/${user}+${userIncarnation}`);
  const left = new AbortController();
  const ending = waitSignalOf(call);
  const signal = AbortSignal.any([ending, left.signal]);
  try {
    for (let shown: TaskRecord | undefined; ; ) {
      const changed = deps.follower.waitForChange(taskId, signal);
      const task = now();
      if (!shown || isOther(task, shown)) yield taskView(task);
      if (isEnded(task)) return;
      shown = task;
      await changed;
      ending.throwIfAborted();
    }
  } finally {
    left.abort();
    leave();
  }
}

const isOther = (a: TaskRecord, b: TaskRecord): boolean =>
  a.status !== b.status || a.stage !== b.stage || a.done !== b.done || a.total !== b.total;
