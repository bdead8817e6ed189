import { type Task, TaskService } from "../../../gen/ctxdb/v1/task_pb.ts";
import type { OperationInvoker } from "./operation-invoker.ts";
import { isRefusal } from "./tool.ts";

/** Progress of a task in a few words: `layers, 3 of 12`. */
export function stepOf({ status, stage, progress }: Task): string {
  const steps =
    progress === undefined || progress.total === 0 ? "" : `, ${progress.done} of ${progress.total}`;
  return `${stage === "" ? status : stage}${steps}`;
}

export const hasEnded = ({ status }: Task): boolean => status !== "pending" && status !== "running";

/**
 * Waits for a task, at most `seconds`, and reports its progress meanwhile; returns its latest state. Throws
 * ServiceErrors.
 */
export async function awaitTask(asker: OperationInvoker, taskId: string, seconds: number): Promise<Task> {
  const { getTask, watchTask } = TaskService.method;
  if (seconds > 0) {
    const onTask = (task: Task) => asker.progress?.tell(stepOf(task));
    await asker.follow(watchTask, { taskId }, onTask, seconds).catch((error: unknown) => {
      if (!isRefusal(error, "DEADLINE_EXCEEDED")) throw error;
    });
  }
  return asker.ask(getTask, { taskId });
}
