import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description("Delete a file or folder by moving it to the trash; see `ctxdb trash`.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .option("-r, --recursive", "delete a folder with everything below it")
    .option("--permanent", "delete for good instead of moving to the trash")
    .action(async (uri: string, options: { readonly recursive?: boolean; readonly permanent?: boolean }) => {
      const { fs } = await shell.client();
      const removed = await fs.rm({ uri, ...options }, { signal: shell.signal });
      const { deleted, trashId } = removed;
      await shell.show(removed, () => `deleted ${removed.uri} (${counted(deleted, "node")})\n`);
      if (trashId !== undefined) shell.note(`undo with \`ctxdb trash restore ${trashId}\``);
    });
};
