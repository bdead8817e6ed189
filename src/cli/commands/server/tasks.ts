import type { Task } from "../../../../clients/typescript/src/gen/ctxdb/v1/task_pb.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";
import { timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";
import type { Paint } from "../../terminal/paint.ts";

export const define: Define = (command, shell) => {
  command.description(
    "Follow and cancel background tasks: imports, commits and other work that continues after a command has ended.",
  );
  command
    .command("list", { isDefault: true })
    .description("List your tasks, newest first.")
    .option("-n, --limit <count>", "maximum number of tasks", wholeNumber, 20)
    .action(async ({ limit }: { readonly limit: number }) => {
      const { tasks, nextCursor } = await (await shell.client()).tasks.list(
        { limit },
        { signal: shell.signal },
      );
      await shell.show(tasks, () =>
        tableText(
          [
            { title: "Task", style: "name" },
            { title: "Kind", gives: true },
            { title: "State" },
            { title: "Done", align: "right" },
            { title: "Started" },
          ],
          tasks.map((task) => [
            task.taskId,
            task.taskType,
            stateOf(task),
            amountOf(task),
            timeText(task.createdAt),
          ]),
          shell,
        ),
      );
      if (tasks.length === 0) shell.note("no tasks");
      if (nextCursor) shell.note(`these are the newest ${tasks.length} tasks; use --limit to see more`);
    });
  command
    .command("show")
    .description("Show one task.")
    .argument("<id>", "id of the task")
    .action(async (taskId: string) => {
      const task = await (await shell.client()).tasks.get({ taskId }, { signal: shell.signal });
      await shell.show(task, () => taskText(task, shell.paint));
    });
  command
    .command("cancel")
    .description("Cancel a task that has not ended. Content that is already visible stays.")
    .argument("<id>", "id of the task")
    .action(async (taskId: string) => {
      const task = await (await shell.client()).tasks.cancel({ taskId }, { signal: shell.signal });
      await shell.show(task, () => taskText(task, shell.paint));
      const root = task.result?.root_uri ?? task.result?.to;
      if (typeof root === "string") shell.note(`${root} stays; delete it with \`ctxdb rm -r ${root}\``);
    });
  command
    .command("wait")
    .description("Wait for a task, with a progress bar. Fails if the task fails.")
    .argument("<id>", "id of the task")
    .action(async (taskId: string) => {
      const task = await followTask(shell, taskId);
      await shell.show(task, () => taskText(task, shell.paint));
    });
};

/** Stage of a running task; otherwise its status. */
const stateOf = ({ status, stage }: Task): string => (status === "running" ? stage : status);

const amountOf = ({ progress }: Task): string =>
  progress && progress.total > 0 ? `${progress.done}/${progress.total}` : "";

const taskText = (task: Task, paint: Paint): string =>
  factsText(
    [
      ["Task", task.taskId],
      ["Kind", task.taskType],
      ["Status", task.status],
      ["Stage", task.stage],
      ["Done", amountOf(task)],
      ["Started", `${timeText(task.createdAt)} UTC`],
      ["Result", typeof task.result?.root_uri === "string" ? task.result.root_uri : undefined],
      ["Error", task.error && `${task.error.message} (${task.error.code})`],
    ],
    paint,
  );
