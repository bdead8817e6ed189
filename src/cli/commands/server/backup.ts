import type { Backup } from "../../../../clients/typescript/src/gen/ctxdb/v1/backup_pb.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { bytesText, counted, durationText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command.description(
    "Backups of the whole server, written while it serves, into its backup folder (CTXDB_BACKUP_DIR). `ctxdb restore` reads them.",
  );
  const options = () => ({ signal: shell.signal, deadlineSeconds: shell.patienceSeconds });
  command
    .command("create", { isDefault: true })
    .description("Write a backup and wait until it is complete. Only what earlier ones have not takes space.")
    .argument("[name]", "its name; the date and time where none is given")
    .action(async (name?: string) => {
      const { admin } = await shell.client();
      const { backup } = await admin.createBackup(name === undefined ? {} : { name }, options());
      if (backup === undefined) throw new Error("the server names no backup");
      await shell.show(backup, () => `${backup.name}\n`);
      const facts = [
        counted(backup.records, "record"),
        counted(backup.contents, "large file"),
        `${bytesText(backup.bytes)} of which ${bytesText(backup.addedBytes)} are new`,
        ...(backup.seconds < 1 ? [] : [durationText(backup.seconds)]),
      ];
      shell.note(facts.join(", "));
      if (backup.lost.length > 0)
        throw new LocalError(
          `${counted(backup.lost.length, "file")} of the data folder could not be read and are not in the backup: run ctxdb verify`,
        );
    });
  command
    .command("list")
    .description("All backups, the newest first.")
    .action(async () => {
      const backups = await (await shell.client()).admin.listBackups({ signal: shell.signal });
      await shell.show(backups, () => tableText(COLUMNS, backups.map(rowOf), shell));
      if (backups.length === 0) shell.note("no backups");
    });
  command
    .command("verify")
    .description("Read all of a backup and compare it with its hashes.")
    .argument("<name>", "its name")
    .action(async (name: string) => {
      const found = await (await shell.client()).admin.verifyBackup({ name }, options());
      await shell.show(found, () => found.damaged.map((hash) => `${hash}\n`).join(""));
      if (!found.sound)
        throw new LocalError(`parts of ${name} are missing or damaged; the next backup stores them again`);
      shell.note(`${name} is sound: ${counted(found.objects, "part")}`);
    });
  command
    .command("rm")
    .description("Delete a backup, and what only it needed.")
    .argument("<name>", "its name")
    .action(async (name: string) => {
      const { freedBytes } = await (await shell.client()).admin.deleteBackup({ name }, options());
      await shell.show({ freed_bytes: freedBytes }, () => `deleted ${name}\n`);
      shell.note(`${bytesText(freedBytes)} less`);
    });
};

const COLUMNS = [
  { title: "Backup", style: "name" },
  { title: "State" },
  { title: "Moment (UTC)" },
  { title: "Size", align: "right" },
  { title: "New", align: "right" },
  { title: "Problem", gives: true },
] as const;

const rowOf = ({ name, state, createdAt, bytes, addedBytes, error, lost }: Backup): string[] => [
  name,
  state,
  timeText(createdAt),
  bytesText(bytes),
  bytesText(addedBytes),
  error ?? (lost.length > 0 ? `${counted(lost.length, "file")} lost` : ""),
];
