import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Create a folder and its missing parents.")
    .argument("<uri>", "URI of the new folder", uriOf)
    .option("-d, --description <text>", "abstract of the folder (default: derived from its contents)")
    .action(async (uri: string, { description }: { readonly description?: string }) => {
      const { fs } = await shell.client();
      const made = await fs.mkdir({ uri, description }, { signal: shell.signal });
      await shell.show(made, () => `created ${made.uri}\n`);
    });
};
