import type { Details } from "../../domain/errors.ts";
import type { TaskRecord } from "../../workspace/records.ts";

/** A task in API responses. Times are ISO 8601. */
export interface TaskView {
  taskId: string;
  taskType: string;
  status: string;
  stage: string;
  progress: { done: number; total: number };
  createdAt: string;
  updatedAt: string;
  result?: Details;
  error?: { code: string; message: string; details?: Details };
}

export const taskView = (task: TaskRecord): TaskView => ({
  taskId: task.id,
  taskType: task.type,
  status: task.status,
  stage: task.stage,
  progress: { done: task.done, total: task.total },
  createdAt: new Date(task.created).toISOString(),
  updatedAt: new Date(task.updated).toISOString(),
  ...(task.result && { result: task.result }),
  ...(task.error && { error: task.error }),
});
