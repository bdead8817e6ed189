import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Make a folder and the folders above it that are missing.")
    .argument("<uri>", "folder", uriOf)
    .option("-d, --description <text>", "becomes its abstract")
    .action(async (uri: string, { description }: { readonly description?: string }) => {
      const { fs } = await shell.client();
      const made = await fs.mkdir({ uri, description }, { signal: shell.signal });
      await shell.show(made, () => `made ${made.uri}\n`);
    });
};
