import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Copy a file or folder to a URI that does not exist yet. Contents, layers and vectors are reused.",
    )
    .argument("<from>", "URI of the file or folder", uriOf)
    .argument("<to>", "URI of the copy", uriOf)
    .option("--no-wait", "return without waiting until a large folder is copied")
    .action(async (fromUri: string, toUri: string, { wait }: { readonly wait: boolean }) => {
      const { fs } = await shell.client();
      const copied = await fs.cp({ fromUri, toUri }, { signal: shell.signal });
      if (wait && copied.taskId) await followTask(shell, copied.taskId);
      const verb = wait || !copied.taskId ? "copied" : "copying";
      await shell.show(copied, () => `${verb} ${copied.from} to ${copied.to}\n`);
    });
};
