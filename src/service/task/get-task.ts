import { notFound } from "../../domain/errors.ts";
import { getTask } from "../../workspace/requests/tasks.ts";
import type { ServiceCall } from "../service-call.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenants } from "../tenants.ts";
import { type TaskView, taskView } from "./task-view.ts";

/** GET tasks/{task_id}: one of the caller's own tasks, with live progress. */
export async function getTaskById(
  deps: { tenants: Tenants; follower: TaskFollower },
  call: ServiceCall,
  input: { readonly taskId: string },
): Promise<TaskView> {
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const task = input.taskId.includes("/")
    ? undefined
    : getTask(workspace.kv, workspace.keys, call.caller.user, input.taskId);
  if (!task) throw notFound("task", input.taskId);
  return taskView(deps.follower.withProgress(task));
}
