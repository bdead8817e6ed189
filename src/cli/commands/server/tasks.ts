import type { Task } from "../../../../clients/typescript/src/gen/ctxdb/v1/task_pb.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";
import { timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";
import type { Paint } from "../../terminal/paint.ts";

export const define: Define = (command, shell) => {
  command.description("Work that goes on after the command that caused it.");
  command
    .command("list", { isDefault: true })
    .description("Your tasks, the newest first.")
    .option("-n, --limit <count>", "tasks at most", wholeNumber, 20)
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
            { title: "Since" },
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
      if (nextCursor) shell.note(`the newest ${tasks.length} tasks: --limit shows more`);
    });
  command
    .command("show")
    .description("One task.")
    .argument("<id>", "its id")
    .action(async (taskId: string) => {
      const task = await (await shell.client()).tasks.get({ taskId }, { signal: shell.signal });
      await shell.show(task, () => taskText(task, shell.paint));
    });
  command
    .command("wait")
    .description("Wait for one task with a bar; its failure is that of the command.")
    .argument("<id>", "its id")
    .action(async (taskId: string) => {
      const task = await followTask(shell, taskId);
      await shell.show(task, () => taskText(task, shell.paint));
    });
};

/** Progress of a running task, or its final status. */
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
      ["Begun", `${timeText(task.createdAt)} UTC`],
      ["Result", typeof task.result?.root_uri === "string" ? task.result.root_uri : undefined],
      ["Error", task.error && `${task.error.message} (${task.error.code})`],
    ],
    paint,
  );
