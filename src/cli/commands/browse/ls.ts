import { uriOf, wholeNumber, withTags } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

interface Options {
  readonly recursive?: boolean;
  readonly all?: boolean;
  readonly sections?: boolean;
  readonly limit?: number;
  readonly tag?: string[];
}

export const define: Define = (command, shell) => {
  withTags(command)
    .description("List the files and folders in a folder, sorted by name.")
    .argument("[uri]", "folder, for example ctx://resources/docs or resources/docs", uriOf, "ctx://")
    .option("-r, --recursive", "list everything below the folder")
    .option("-a, --all", "include hidden names and layer files")
    .option("--sections", "include the folders that hold the sections of long documents")
    .option("-n, --limit <count>", "maximum number of entries (default: 1000)", wholeNumber)
    .action(async (uri: string, { recursive, all, sections, limit, tag: tags }: Options) => {
      const { fs } = await shell.client();
      const shown = { showAllHidden: all, hideSections: !sections };
      const request = { uri, recursive, ...shown, nodeLimit: limit, tags };
      const { entries, nextCursor } = await fs.ls(request, { signal: shell.signal });
      await shell.show(entries, () =>
        tableText(
          [{ title: "Size", align: "right" }, { title: "Modified", style: "faint" }, { title: "Name" }],
          entries.map(({ size, isDir, modTime, name, rel_path, tags: own = [] }) => {
            const path = `${rel_path ?? name ?? ""}${isDir ? "/" : ""}`;
            const shown = own.length > 0 ? `${path}  [${own.join(", ")}]` : path;
            return [isDir ? "-" : bytesText(size), timeText(modTime), shown];
          }),
          { paint: shell.paint },
        ),
      );
      if (nextCursor) shell.note(`these are the first ${entries.length} entries; use --limit to see more`);
    });
};
