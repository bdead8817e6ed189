import { lastOf } from "../../base/expect.ts";
import { type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { Keys } from "../keys.ts";
import { TASKS, type TaskRecord } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Maximum number of tasks per user; the oldest finished ones are removed. */
export const TASKS_KEPT = 1000;
/** Maximum bytes of tasks per page: an import reports up to 500 errors and warnings, about 100 KB. */
const PAGE_BYTES = 1024 * 1024;

export const isEnded = ({ status }: TaskRecord): boolean => status !== "pending" && status !== "running";

/** Aborts the work of a cancelled task; its transaction writes nothing. */
export class TaskCancelled extends Error {}

/** Writes a task; an unfinished one is also recorded for the next start to resume. */
export function putTask(draft: WorkspaceDraft, task: TaskRecord): void {
  draft.put(draft.keys.task(task.user, task.id), encodeRecord(task));
  if (isEnded(task)) draft.delete(draft.keys.unfinished(task.user, task.id));
  else draft.put(draft.keys.unfinished(task.user, task.id), encodeRecord(null));
}

/** `reader`: the draft, if a change depends on the task. */
export function getTask(reader: KvReader, keys: Keys, user: string, id: string): TaskRecord | undefined {
  return TASKS.read(reader, keys.task(user, id));
}

/** Changes a task in the transaction of its work; no effect if it is gone. Throws TaskCancelled. */
export function updateTask(
  draft: WorkspaceDraft,
  { user, id }: Pick<TaskRecord, "user" | "id">,
  change: (task: TaskRecord) => TaskRecord,
): void {
  const task = getTask(draft, draft.keys, user, id);
  if (task?.status === "cancelled") throw new TaskCancelled(`task ${id} was cancelled`);
  if (task) putTask(draft, change(task));
}

/**
 * A page of a user's tasks with ids before `before`, newest first (ids are in order of creation). It may end
 * early, after PAGE_BYTES (see `hasTasksBefore`).
 */
export async function listTasks(
  workspace: Workspace,
  user: string,
  limit: number,
  before?: string,
): Promise<TaskRecord[]> {
  const all = prefixRange(workspace.keys.tasks(user), limit);
  const lt = before === undefined ? all.lt : workspace.keys.task(user, before);
  const page = await workspace.kv.range({ ...all, lt, reverse: true, maxBytes: PAGE_BYTES });
  return page.map(([key, value]) => TASKS.decode(value, key));
}

/** Whether a user has tasks with ids before `before`. */
export async function hasTasksBefore(workspace: Workspace, user: string, before: string): Promise<boolean> {
  const range = { ...prefixRange(workspace.keys.tasks(user), 1), lt: workspace.keys.task(user, before) };
  return (await workspace.kv.keys(range)).length > 0;
}

/** Removes the oldest finished tasks of a user beyond the limit. */
export async function trimTasks(workspace: Workspace, user: string): Promise<void> {
  const { kv, keys } = workspace;
  const newest = await kv.keys({ ...prefixRange(keys.tasks(user), TASKS_KEPT), reverse: true });
  if (newest.length < TASKS_KEPT) return;
  const older = await listTasks(workspace, user, TASKS_KEPT, lastOf(newest).slice(keys.tasks(user).length));
  await workspace.transact((draft) => {
    for (const task of older) if (isEnded(task)) draft.delete(draft.keys.task(user, task.id));
    return () => undefined;
  });
}

/** Removes the tasks of all users that ended before a time (Unix time in ms). Idempotent. */
export async function pruneTasks(workspace: Workspace, before: number, signal: AbortSignal): Promise<void> {
  const range = { ...prefixRange(workspace.keys.allTasks(), TASKS_KEPT), maxBytes: PAGE_BYTES };
  for await (const page of pairPages(workspace.kv, range)) {
    signal.throwIfAborted();
    const old = page.filter(([key, value]) => hasEnded(TASKS.decode(value, key), before));
    if (old.length === 0) continue;
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const [key] of old) draft.delete(key);
      return () => undefined;
    });
  }
}

/** A task that ended never changes again. */
const hasEnded = (task: TaskRecord, before: number): boolean => isEnded(task) && task.updated <= before;
