import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description("Delete a file or folder.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .option("-r, --recursive", "delete a folder with everything in it")
    .action(async (uri: string, { recursive }: { readonly recursive?: boolean }) => {
      const { fs } = await shell.client();
      const removed = await fs.rm({ uri, recursive }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.uri} (${counted(removed.deleted, "node")})\n`);
    });
};
