import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { treeText } from "../../terminal/tree-text.ts";

/** Levels that the server shows unless asked for others. */
const DEFAULT_LEVELS = 3;

interface Options {
  readonly levels?: number;
  readonly all?: boolean;
  readonly limit?: number;
}

export const define: Define = (command, shell) => {
  command
    .description("Show a folder with what is below, each folder before what it holds.")
    .argument("[uri]", "folder", uriOf, "ctx://")
    .option("-L, --levels <count>", "levels, 0 for all (3)", wholeNumber)
    .option("-a, --all", "hidden names and layers too")
    .option("-n, --limit <count>", "entries at most (1000)", wholeNumber)
    .action(async (uri: string, { levels, all, limit }: Options) => {
      const { fs } = await shell.client();
      const request = { uri, levelLimit: levels, showAllHidden: all, nodeLimit: limit };
      const { entries, nextCursor } = await fs.tree(request, { signal: shell.signal });
      await shell.show(entries, () => {
        const branches = entries.map(({ rel_path, name, isDir }) => ({
          path: rel_path ?? name ?? "",
          isFolder: isDir,
        }));
        const folders = entries.filter(({ isDir }) => isDir).length;
        const sum = `${counted(folders, "folder")}, ${counted(entries.length - folders, "file")}`;
        return `${treeText(uri, branches, shell.paint)}${shell.paint.faint(sum)}\n`;
      });
      const depth = levels ?? DEFAULT_LEVELS;
      const closed = entries.filter(
        ({ isDir, rel_path }) => isDir && depth > 0 && rel_path?.split("/").length === depth,
      );
      if (closed.length > 0)
        shell.note(`${counted(closed.length, "folder")} on level ${depth} not opened: --levels 0 shows all`);
      if (nextCursor) shell.note(`the first ${entries.length} entries: --limit shows more, --levels fewer`);
    });
};
