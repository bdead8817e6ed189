import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description("Delete a file or folder.")
    .argument("<uri>", "file or folder", uriOf)
    .option("-r, --recursive", "a folder with all it holds")
    .action(async (uri: string, { recursive }: { readonly recursive?: boolean }) => {
      const { fs } = await shell.client();
      const removed = await fs.rm({ uri, recursive }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.uri} (${counted(removed.deleted, "node")})\n`);
    });
};
