import { Option } from "commander";
import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command
    .description("List the links from or to a file or folder.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .addOption(
      new Option("-d, --direction <which>", "links that start at the file or folder, end at it, or both")
        .choices(["out", "in", "both"])
        .default("out"),
    )
    .action(async (uri: string, { direction }: { readonly direction: string }) => {
      const { relations } = await shell.client();
      const links = await relations.list({ uri, direction }, { signal: shell.signal });
      await shell.show(links, () =>
        tableText(
          [
            { title: "From" },
            { title: "To" },
            { title: "Since", style: "faint" },
            { title: "Reason", gives: true },
          ],
          links.map((link) => [link.fromUri, link.toUri, timeText(link.createdAt), link.reason]),
          shell,
        ),
      );
      if (links.length === 0) shell.note("no links");
    });
};
