import type { Task } from "../../clients/typescript/src/gen/ctxdb/v1/task_pb.ts";
import type { Progress } from "../../clients/typescript/src/groups/tasks.ts";
import type { Shell } from "./shell.ts";
import { counted } from "./terminal/amounts.ts";
import { progressOn } from "./terminal/progress.ts";

/**
 * Waits for a task and shows a progress bar; rejects with the task's error. An interrupt ends the wait but
 * not the task.
 */
export async function followTask(shell: Shell, taskId: string): Promise<Task> {
  const { tasks } = await shell.client();
  const progress = await progressOn(shell.io);
  const { signal } = shell;
  let announced = false;
  const onProgress = ({ stage, done, total }: Progress) => {
    // the import is visible from this stage on
    if (stage === "layers" && !announced && total > 0) {
      announced = true;
      progress.say(`${counted(total, "file")} can be found now; summaries and vectors follow`);
    }
    progress.update(stage === "layers" ? "indexing" : stage, done, total);
  };
  try {
    return await tasks
      .wait({ taskId }, { signal, deadlineSeconds: shell.patienceSeconds, onProgress })
      .finally(() => progress.end());
  } catch (error) {
    if (signal.aborted)
      shell.note(`still running on the server; wait for it with \`ctxdb tasks wait ${taskId}\``);
    throw error;
  }
}
