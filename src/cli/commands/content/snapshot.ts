import type { SnapshotDifference } from "../../../../clients/typescript/src/gen/ctxdb/v1/snapshot_pb.ts";
import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import { bytesText, counted, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

const DAY_SECONDS = 24 * 3600;

interface RestoreFlags {
  readonly uri?: string;
  readonly keepAdded?: boolean;
  readonly dryRun?: boolean;
  readonly wait: boolean;
}

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const snapshots = async () => (await shell.client()).snapshots;
  command.description("Manage snapshots: named states of folders that can be read, compared and restored.");
  command
    .command("create")
    .description("Create a snapshot of a folder, or of the workspace. Nothing is copied.")
    .argument("<name>", "name of the snapshot")
    .argument("[uri]", "folder (default: the workspace)", uriOf)
    .option("-m, --description <text>", "purpose of the snapshot")
    .option("--days <days>", "number of days until the snapshot is deleted (default: never)", wholeNumber)
    .action(
      async (
        name: string,
        uri: string | undefined,
        { description, days }: { readonly description?: string; readonly days?: number },
      ) => {
        const life = days === undefined ? {} : { expiresInSeconds: days * DAY_SECONDS };
        const made = await (await snapshots()).create({ name, uri, description, ...life }, { signal });
        await shell.show(made, () => `created ${made.name} of ${made.uri}\n`);
      },
    );
  command
    .command("ls", { isDefault: true })
    .description(
      "List the snapshots, newest first. With a name: list the files and folders in that snapshot.",
    )
    .argument("[name]", "name of a snapshot")
    .argument("[uri]", "folder in the snapshot (default: all of it)", uriOf)
    .option("-r, --recursive", "also list everything below the folder")
    .option("-n, --limit <items>", "maximum number of items (default: 100)", wholeNumber)
    .action(
      async (
        name: string | undefined,
        uri: string | undefined,
        { recursive, limit }: { readonly recursive?: boolean; readonly limit?: number },
      ) => {
        if (name === undefined) {
          const page = await (await snapshots()).list({ limit }, { signal });
          const columns = [
            { title: "Name", style: "name" },
            { title: "Created" },
            { title: "By" },
            { title: "URI" },
          ] as const;
          const rows = page.snapshots.map((one) => [
            one.name,
            timeText(one.createdAt),
            one.userId ?? "",
            one.uri,
          ]);
          await shell.show(page, () => tableText([...columns], rows, shell));
          shell.note(counted(page.total, "snapshot"));
          return;
        }
        const page = await (await snapshots()).entries({ name, uri, recursive, limit }, { signal });
        await shell.show(page, () => page.entries.map((one) => `${one.uri}\n`).join(""));
        if (page.nextCursor !== undefined)
          shell.note(`these are the first ${page.entries.length} entries; use --limit to see more`);
      },
    );
  command
    .command("cat")
    .description("Print a file from a snapshot.")
    .argument("<name>", "name of the snapshot")
    .argument("<uri>", "URI of the file at the time of the snapshot", uriOf)
    .action(async (snapshot: string, uri: string) => {
      const text = await (await shell.client()).content.read({ uri, snapshot }, { signal });
      await shell.showText({ content: text.content }, text.content);
    });
  command
    .command("diff")
    .description("Compare a snapshot with the current state, or with a later snapshot.")
    .argument("<name>", "name of the snapshot")
    .argument("[to]", "name of a later snapshot (default: the current state)")
    .option("--uri <uri>", "compare only this file or folder", uriOf)
    .option("-n, --limit <items>", "maximum number of differences (default: 100)", wholeNumber)
    .action(
      async (
        name: string,
        to: string | undefined,
        { uri, limit }: { readonly uri?: string; readonly limit?: number },
      ) => {
        const page = await (await snapshots()).diff({ name, toSnapshot: to, uri, limit }, { signal });
        await shell.show(page, () => page.differences.map(differenceText).join(""));
        if (page.nextCursor !== undefined)
          shell.note(`these are the first ${page.differences.length} differences; use --limit to see more`);
      },
    );
  command
    .command("restore")
    .description(
      "Restore a folder from a snapshot. Changed files get a new version; added files go to the trash.",
    )
    .argument("<name>", "name of the snapshot")
    .argument("[uri]", "file or folder to restore (default: all of the snapshot)", uriOf)
    .option("--keep-added", "keep files and folders added since the snapshot")
    .option("--dry-run", "only print the number of changes")
    .option("--no-wait", "do not wait until layers and vectors are ready")
    .action(async (name: string, uri: string | undefined, { keepAdded, dryRun, wait }: RestoreFlags) => {
      const asked = { name, uri, keepAdded, dryRun, wait };
      const done = await (await snapshots()).restore(asked, { signal });
      const verb = dryRun ? "would restore" : "restored";
      await shell.show(done, () =>
        done.restored === undefined
          ? `restoring as task ${done.taskId ?? ""}\n`
          : `${verb} ${counted(done.restored, "node")} of ${done.uri}, ${done.trashed ?? 0} to the trash\n`,
      );
    });
  command
    .command("rm")
    .description("Delete a snapshot, and content that no other snapshot needs.")
    .argument("<name>", "name of the snapshot")
    .action(async (name: string) => {
      const deleted = await (await snapshots()).delete({ name }, { signal });
      await shell.show(deleted, () => `deleted ${name}\n`);
    });
};

const SIGNS: Readonly<Record<string, string>> = { added: "+", removed: "-", changed: "~", moved: ">" };

function differenceText({ kind, uri, movedFrom, sizeBefore, sizeAfter }: SnapshotDifference): string {
  const shown = kind === "moved" ? [sizeAfter] : [sizeBefore, sizeAfter];
  const sizes = shown.flatMap((size) => (size === undefined ? [] : [bytesText(size)]));
  const from = movedFrom === undefined ? "" : ` from ${movedFrom}`;
  return `${SIGNS[kind] ?? kind} ${uri}${from}${sizes.length > 0 ? ` (${sizes.join(" → ")})` : ""}\n`;
}
