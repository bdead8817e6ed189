import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command
    .description("List the stored versions of a file, newest first.")
    .argument("<uri>", "URI of the file", uriOf)
    .option("-n, --limit <count>", "maximum number of versions (default: 20)", wholeNumber)
    .action(async (uri: string, { limit }: { readonly limit?: number }) => {
      const { content } = await shell.client();
      const found = await content.history({ uri, limit }, { signal: shell.signal });
      const { versions, total } = found;
      await shell.show(found, () =>
        tableText(
          [
            { title: "Version", align: "right" },
            { title: "Size", align: "right" },
            { title: "Written", style: "faint" },
            { title: "Change" },
            { title: "By" },
          ],
          versions.map(({ version, size, modified, change, user }) => [
            String(version),
            bytesText(size),
            timeText(modified),
            change ?? "-",
            user ?? "-",
          ]),
          { paint: shell.paint },
        ),
      );
      if (versions.length < total)
        shell.note(`${versions.length} of ${total} versions; use --limit to see more`);
    });
};
