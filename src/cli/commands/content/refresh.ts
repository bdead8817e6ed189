import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Import a resource again from the source it came from; files that are unchanged cost nothing.",
    )
    .argument("<uri>", "root of the resource", uriOf)
    .option("--no-wait", "do not wait for layers and vectors")
    .action(async (uri: string, { wait }: { readonly wait: boolean }) => {
      const { resources } = await shell.client();
      const refreshed = await resources.refresh({ uri }, { signal: shell.signal });
      if (wait && refreshed.taskId) await followTask(shell, refreshed.taskId);
      await shell.show(refreshed, () => `refreshed ${shell.paint.name(refreshed.rootUri)}\n`);
    });
};
