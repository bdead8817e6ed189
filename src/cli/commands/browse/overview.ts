import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("A file or folder described in medium length (L1).")
    .argument("<uri>", "file or folder", uriOf)
    .action(async (uri: string) => {
      const { content } = await shell.client();
      const overview = await content.overview({ uri }, { signal: shell.signal });
      await shell.showText(overview, `${overview.trimEnd()}\n`);
    });
};
