import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Print the abstract (L0) of a file or folder: one sentence or a short summary.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .action(async (uri: string) => {
      const { content } = await shell.client();
      const abstract = await content.abstract({ uri }, { signal: shell.signal });
      await shell.showText(abstract, `${abstract.trimEnd()}\n`);
    });
};
