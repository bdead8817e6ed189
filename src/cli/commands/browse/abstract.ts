import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("A file or folder in one sentence or a short summary (L0).")
    .argument("<uri>", "file or folder", uriOf)
    .action(async (uri: string) => {
      const { content } = await shell.client();
      const abstract = await content.abstract({ uri }, { signal: shell.signal });
      await shell.showText(abstract, `${abstract.trimEnd()}\n`);
    });
};
