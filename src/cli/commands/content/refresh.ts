import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Import a resource again from its source: a path, URL or repository. Unchanged files are skipped. Files that are no longer in the source are removed.",
    )
    .argument("<uri>", "URI of the resource, as `ctxdb add` printed it", uriOf)
    .option("--no-wait", "return without waiting for layers and vectors")
    .action(async (uri: string, { wait }: { readonly wait: boolean }) => {
      const { resources } = await shell.client();
      const refreshed = await resources.refresh({ uri }, { signal: shell.signal });
      if (wait && refreshed.taskId) await followTask(shell, refreshed.taskId);
      await shell.show(refreshed, () => `refreshed ${shell.paint.name(refreshed.rootUri)}\n`);
    });
};
