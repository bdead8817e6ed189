import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Move a file or folder; something of the same kind at the destination is replaced.")
    .argument("<from>", "file or folder", uriOf)
    .argument("<to>", "its new URI", uriOf)
    .action(async (fromUri: string, toUri: string) => {
      const { fs } = await shell.client();
      const moved = await fs.mv({ fromUri, toUri }, { signal: shell.signal });
      await shell.show(moved, () => `moved ${moved.from} to ${moved.to}\n`);
    });
};
