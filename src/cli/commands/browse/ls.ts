import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

interface Options {
  readonly recursive?: boolean;
  readonly all?: boolean;
  readonly limit?: number;
}

export const define: Define = (command, shell) => {
  command
    .description("List a folder, by name. A file gives itself alone.")
    .argument("[uri]", "folder, as ctx://resources/docs or resources/docs", uriOf, "ctx://")
    .option("-r, --recursive", "everything below")
    .option("-a, --all", "hidden names and layers too")
    .option("-n, --limit <count>", "entries at most (1000)", wholeNumber)
    .action(async (uri: string, { recursive, all, limit }: Options) => {
      const { fs } = await shell.client();
      const request = { uri, recursive, showAllHidden: all, nodeLimit: limit };
      const { entries, nextCursor } = await fs.ls(request, { signal: shell.signal });
      await shell.show(entries, () =>
        tableText(
          [{ title: "Size", align: "right" }, { title: "Modified", style: "faint" }, { title: "Name" }],
          entries.map(({ size, isDir, modTime, name, rel_path }) => {
            const shown = rel_path ?? name ?? "";
            return [isDir ? "-" : bytesText(size), timeText(modTime), isDir ? `${shown}/` : shown];
          }),
          { paint: shell.paint },
        ),
      );
      if (nextCursor) shell.note(`the first ${entries.length} entries: --limit shows more`);
    });
};
