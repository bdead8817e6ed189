import type { TrashItem } from "../../../../clients/typescript/src/gen/ctxdb/v1/trash_pb.ts";
import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { bytesText, counted, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const trash = async () => (await shell.client()).trash;
  command.description(
    "Manage the trash: files and folders that were deleted or replaced and have not expired.",
  );
  command
    .command("ls", { isDefault: true })
    .description("List the items in the trash, newest first.")
    .option("-n, --limit <items>", "maximum number of items (default: 100)", wholeNumber)
    .action(async ({ limit }: { readonly limit?: number }) => {
      const page = await (await trash()).list({ limit }, { signal });
      await shell.show(page, () => listText(page.items, shell));
      const shown = page.items.length < page.total ? ` (${page.items.length} shown)` : "";
      shell.note(`${counted(page.total, "item")}${shown}, ${bytesText(page.bytes)}`);
    });
  command
    .command("restore")
    .description("Restore an item to its original path, or under a free name if that is taken.")
    .argument("<id>", "id of the item")
    .argument("[uri]", "URI to restore it to (default: its original path)", uriOf)
    .action(async (trashId: string, toUri: string | undefined) => {
      const restored = await (await trash()).restore({ trashId, toUri }, { signal });
      await shell.show(restored, () => `restored ${restored.uri} (${counted(restored.restored, "node")})\n`);
    });
  command
    .command("rm")
    .description("Delete one item for good.")
    .argument("<id>", "id of the item")
    .action(async (trashId: string) => {
      const deleted = await (await trash()).delete({ trashId }, { signal });
      await shell.show(deleted, () => `deleted ${trashId}\n`);
    });
  command
    .command("empty")
    .description("Delete for good all items from your own spaces, and those you removed from shared folders.")
    .option("--all", "also items that others removed from shared folders")
    .action(async ({ all }: { readonly all?: boolean }) => {
      const emptied = await (await trash()).empty({ all }, { signal });
      await shell.show(emptied, () => `deleted ${counted(emptied.deleted, "item")}\n`);
    });
};

const listText = (items: readonly TrashItem[], shell: Shell): string =>
  tableText(
    [
      { title: "Item", style: "name" },
      { title: "Removed" },
      { title: "By" },
      { title: "Nodes" },
      { title: "Bytes" },
      { title: "URI", gives: true },
    ],
    items.map(({ trashId, removedAt, userId = "", nodes, bytes, uri }) => [
      trashId,
      timeText(removedAt),
      userId,
      String(nodes),
      bytes === undefined ? "" : bytesText(bytes),
      uri,
    ]),
    shell,
  );
