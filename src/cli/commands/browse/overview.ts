import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Print the overview (L1) of a file or folder: at most a page, or up to --tokens.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .option(
      "-t, --tokens <count>",
      "maximum number of estimated tokens, 50 to 16000; a folder lists as many entries as fit",
      wholeNumber,
    )
    .option(
      "-g, --group <words>",
      "list only this group of a folder's entries: the words of the group, or a name pattern",
    )
    .action(async (uri: string, { tokens, group }: { readonly tokens?: number; readonly group?: string }) => {
      const { content } = await shell.client();
      const overview = await content.overview({ uri, tokenBudget: tokens, group }, { signal: shell.signal });
      await shell.showText(overview, `${overview.trimEnd()}\n`);
    });
};
