import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText, counted, timeText } from "../../terminal/amounts.ts";
import { factsText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command
    .description("Show the metadata and abstract of a file or folder.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .action(async (uri: string) => {
      const { fs, content } = await shell.client();
      const { signal } = shell;
      const node = await fs.stat({ uri }, { signal });
      // the abstract may not be generated yet
      const abstract = shell.options.json ? "" : await content.abstract({ uri }, { signal }).catch(() => "");
      await shell.show(node, () =>
        factsText(
          [
            ["URI", node.uri],
            ["Kind", node.isDir ? "folder" : "file"],
            ["Size", node.isDir ? undefined : bytesText(node.size)],
            ["Below", node.count === undefined ? undefined : counted(node.count, "node")],
            ["Modified", `${timeText(node.modTime)} UTC`],
            [
              "Created",
              node.ctime === undefined
                ? undefined
                : `${timeText(new Date(node.ctime * 1000).toISOString())} UTC`,
            ],
            ["Tags", node.tags.length > 0 ? node.tags.join(", ") : undefined],
            ["Derived from", node.source],
            ["Abstract", abstract],
          ],
          shell.paint,
        ),
      );
    });
};
