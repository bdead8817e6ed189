import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Move or rename a file or folder. An existing file or folder of the same kind at the destination is replaced.",
    )
    .argument("<from>", "URI of the file or folder", uriOf)
    .argument("<to>", "new URI of the file or folder", uriOf)
    .action(async (fromUri: string, toUri: string) => {
      const { fs } = await shell.client();
      const moved = await fs.mv({ fromUri, toUri }, { signal: shell.signal });
      await shell.show(moved, () => `moved ${moved.from} to ${moved.to}\n`);
    });
};
