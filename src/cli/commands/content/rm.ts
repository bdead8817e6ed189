import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Delete files and folders by moving them to the trash; see `ctxdb trash`. Several are deleted in one step: all of them, or none.",
    )
    .argument("<uri...>", "URIs of the files and folders")
    .option("-r, --recursive", "delete a folder with everything below it")
    .option("--permanent", "delete for good instead of moving to the trash")
    .action(
      async (given: string[], options: { readonly recursive?: boolean; readonly permanent?: boolean }) => {
        const { fs } = await shell.client();
        const uris = given.map(uriOf);
        const [uri] = uris;
        if (uri !== undefined && uris.length === 1) {
          const removed = await fs.rm({ uri, ...options }, { signal: shell.signal });
          await shell.show(removed, () => `deleted ${removed.uri} (${counted(removed.deleted, "node")})\n`);
          if (removed.trashId !== undefined) shell.note(undoBy([removed.trashId]));
          return;
        }
        const removed = await fs.rmMany({ uris, ...options }, { signal: shell.signal });
        const { nodes, deleted } = removed;
        await shell.show(
          removed,
          () => `deleted ${counted(nodes.length, "URI")} (${counted(deleted, "node")})\n`,
        );
        const items = new Set(nodes.flatMap(({ trashId }) => trashId ?? []));
        if (items.size > 0) shell.note(undoBy([...items]));
      },
    );
};

/** Maximum number of trash items that a hint names. */
const MAX_NAMED = 3;

const undoBy = (items: readonly string[]): string =>
  items.length > MAX_NAMED
    ? "undo with `ctxdb trash restore ID`; `ctxdb trash` lists the ids"
    : `undo with ${items.map((id) => `\`ctxdb trash restore ${id}\``).join(", ")}`;
