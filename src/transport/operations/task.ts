import type { JsonObject } from "@bufbuild/protobuf";
import { TaskService } from "../../../gen/ctxdb/v1/task_pb.ts";
import type { Cursors } from "../../service/cursors.ts";
import { type CancelDeps, cancelTask } from "../../service/task/cancel-task.ts";
import { getTaskById } from "../../service/task/get-task.ts";
import { listOwnTasks } from "../../service/task/list-tasks.ts";
import type { TaskView } from "../../service/task/task-view.ts";
import { Readers, watchTask } from "../../service/task/watch-task.ts";
import { feed, type Operation, unary } from "../operation.ts";

const { method } = TaskService;

export function taskOperations(deps: CancelDeps & { readonly cursors: Cursors }): Operation[] {
  const readers = new Readers();
  return [
    unary(method.getTask, async (call, request) => messageOf(await getTaskById(deps, call, request))),
    unary(method.listTasks, async (call, request) => {
      const { tasks, nextCursor } = await listOwnTasks(deps, call, request);
      return { tasks: tasks.map(messageOf), ...(nextCursor !== undefined && { nextCursor }) };
    }),
    unary(method.cancelTask, async (call, request) => messageOf(await cancelTask(deps, call, request))),
    feed(method.watchTask, async function* (call, request) {
      for await (const task of watchTask({ ...deps, readers }, call, request)) yield messageOf(task);
    }),
  ];
}

const messageOf = ({ result, error, ...task }: TaskView) => ({
  ...task,
  ...(result && { result: result as JsonObject }),
  ...(error && { error: { ...error, details: error.details as JsonObject | undefined } }),
});
