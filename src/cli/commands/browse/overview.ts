import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Print the overview (L1) of a file or folder: at most a page.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .action(async (uri: string) => {
      const { content } = await shell.client();
      const overview = await content.overview({ uri }, { signal: shell.signal });
      await shell.showText(overview, `${overview.trimEnd()}\n`);
    });
};
