import { z } from "zod";
import { SystemService } from "../../../../gen/ctxdb/v1/system_pb.ts";
import { type Task, TaskService } from "../../../../gen/ctxdb/v1/task_pb.ts";
import { awaitTask } from "../await-task.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
import { dataTool, isRefusal, type Tool, tool } from "../tool.ts";

const MOST_WAIT_SECONDS = 45;
const TASKS_SHOWN = 20;

const tasks = dataTool({
  name: "tasks",
  title: "Background tasks",
  description:
    "How far imports and commits are: one task by its task_id, else the newest. With wait_seconds it answers when the task has ended (without task_id: when all work is done), or after that time.",
  effect: "reads",
  input: {
    task_id: z.string().min(1).optional().describe("Id of the task, from the answer that began it."),
    wait_seconds: z.number().min(0).max(MOST_WAIT_SECONDS).default(0).describe("Maximum seconds to wait."),
  },
  output: {
    is_done: z.boolean().describe("All work of the account is done."),
    tasks: z.array(
      z.object({
        task_id: z.string(),
        type: z.string(),
        status: z.string().describe("pending, running, completed, failed or cancelled."),
        stage: z.string(),
        done: z.int(),
        total: z.int(),
        error: z.string().optional(),
      }),
    ),
  },
  run: async (asker, { task_id, wait_seconds }) => {
    const one = task_id === undefined ? undefined : await awaitTask(asker, task_id, wait_seconds);
    const done = await isDone(asker, one === undefined ? wait_seconds : 0);
    const summary = done ? "All work is done." : "Work is still waiting or running.";
    if (one !== undefined)
      return { text: `${taskText(one)}\n${summary}`, data: { is_done: done, tasks: [taskData(one)] } };
    const all = await asker.ask(TaskService.method.listTasks, { limit: TASKS_SHOWN });
    return {
      text: [summary, ...all.tasks.map(taskText)].join("\n"),
      data: { is_done: done, tasks: all.tasks.map(taskData) },
    };
  },
});

const cancel = tool({
  name: "cancel_task",
  title: "Cancel a background task",
  description:
    "Ends an import, a copy or a commit that has not ended, by its task_id. Content that can be read already stays, as do memories extracted so far; everything else of it is never stored.",
  effect: "changes",
  input: {
    task_id: z.string().min(1).describe("Id of the task, from the answer that began it or from tasks."),
  },
  run: async (asker, { task_id }) => {
    const task = await asker.ask(TaskService.method.cancelTask, { taskId: task_id });
    const root = task.result?.root_uri ?? task.result?.to;
    const stays = typeof root === "string" ? ` ${root} stays: remove deletes it.` : "";
    return `${taskText(task)}${stays}`;
  },
});

/** Whether all work of the account ended in time. */
async function isDone(asker: OperationInvoker, seconds: number): Promise<boolean> {
  try {
    await asker.ask(SystemService.method.waitProcessed, { timeout: seconds });
    return true;
  } catch (error) {
    if (isRefusal(error, "DEADLINE_EXCEEDED")) return false;
    throw error;
  }
}

function taskText({ taskId, taskType, status, stage, progress, error }: Task): string {
  const steps =
    progress === undefined || progress.total === 0 ? "" : `, ${progress.done} of ${progress.total}`;
  const failure = error === undefined ? "" : `: ${error.code}: ${error.message}`;
  return `${taskId} ${taskType}: ${status}${stage === "" || stage === status ? "" : ` (${stage})`}${steps}${failure}`;
}

const taskData = ({ taskId, taskType, status, stage, progress, error }: Task) => ({
  task_id: taskId,
  type: taskType,
  status,
  stage,
  done: progress?.done ?? 0,
  total: progress?.total ?? 0,
  ...(error !== undefined && { error: `${error.code}: ${error.message}` }),
});

const status = dataTool({
  name: "status",
  title: "Who am I",
  description:
    "Returns the account, user and role of this connection, the version of the server, and whether background work is left.",
  effect: "reads",
  input: {},
  output: {
    account: z.string(),
    user: z.string(),
    role: z.string(),
    version: z.string(),
    uptime_seconds: z.number(),
    is_done: z.boolean().describe("All work of the account is done."),
  },
  run: async (asker) => {
    const { account, user, role, version, uptime } = await asker.ask(SystemService.method.getStatus, {});
    const done = await isDone(asker, 0);
    const text = [
      `account ${account}, user ${user}, role ${role}`,
      `ctxdb ${version}, up for ${Math.round(uptime)} s`,
      done ? "all work is done" : "work is still waiting or running",
    ].join("\n");
    return { text, data: { account, user, role, version, uptime_seconds: uptime, is_done: done } };
  },
});

export const watchingTools: readonly Tool[] = [tasks, cancel, status];
