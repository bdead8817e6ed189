import { uriOf, wholeNumber, withTags } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { treeText } from "../../terminal/tree-text.ts";

/** Number of levels that the server returns by default. */
const DEFAULT_LEVELS = 3;

interface Options {
  readonly levels?: number;
  readonly all?: boolean;
  readonly sections?: boolean;
  readonly limit?: number;
  readonly tag?: string[];
}

export const define: Define = (command, shell) => {
  withTags(command)
    .description("Show a folder and everything below it as a tree.")
    .argument("[uri]", "folder, for example resources/docs", uriOf, "ctx://")
    .option("-L, --levels <count>", "number of levels, 0 = all (default: 3)", wholeNumber)
    .option("-a, --all", "include hidden names and layer files")
    .option("--sections", "include the folders that hold the sections of long documents")
    .option("-n, --limit <count>", "maximum number of entries (default: 1000)", wholeNumber)
    .action(async (uri: string, { levels, all, sections, limit, tag: tags }: Options) => {
      const { fs } = await shell.client();
      const shown = { showAllHidden: all, hideSections: !sections };
      const request = { uri, levelLimit: levels, ...shown, nodeLimit: limit, tags };
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
        shell.note(
          `${counted(closed.length, "folder")} on level ${depth} not shown in full; use --levels 0 to see all levels`,
        );
      if (nextCursor) shell.note(`these are the first ${entries.length} entries; use --limit to see more`);
    });
};
