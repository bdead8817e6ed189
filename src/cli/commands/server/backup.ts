import type { Backup } from "../../../../clients/typescript/src/gen/ctxdb/v1/backup_pb.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { bytesText, counted, durationText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

const PLACE =
  "a file of the backup folder such as nightly.tar, or s3://bucket/prefix within CTXDB_BACKUP_OBJECTS";

export const define: Define = (command, shell) => {
  command.description(
    "Back up the whole server while it runs, into the folder set by CTXDB_BACKUP_DIR on the server, a tar file in it, or an object store. Needs the root key if the server has keys. Restore a backup with `ctxdb restore`.",
  );
  const options = () => ({ signal: shell.signal, deadlineSeconds: shell.patienceSeconds });
  command
    .command("create", { isDefault: true })
    .description(
      "Write a backup and wait until it is complete. Data that is in an earlier backup is not stored again.",
    )
    .argument("[name]", "name of the backup (default: date and time in UTC)")
    .option("--to <place>", `where to write: ${PLACE}`)
    .action(async (name: string | undefined, { to }: { readonly to?: string }) => {
      const { admin } = await shell.client();
      const { backup } = await admin.createBackup(
        { ...(name !== undefined && { name }), ...(to !== undefined && { location: to }) },
        options(),
      );
      if (backup === undefined)
        throw new Error("the server returned no backup: check its version with `ctxdb status`");
      await shell.show(backup, () => `${backup.name}\n`);
      const facts = [
        counted(backup.records, "record"),
        counted(backup.contents, "large file"),
        `${bytesText(backup.bytes)}, of which ${bytesText(backup.addedBytes)} are new`,
        ...(backup.seconds < 1 ? [] : [durationText(backup.seconds)]),
      ];
      shell.note(facts.join(", "));
      if (backup.lost.length > 0)
        throw new LocalError(
          `${counted(backup.lost.length, "file")} of the data directory could not be read and are missing in the backup: run \`ctxdb verify\` on the server`,
        );
    });
  command
    .command("list")
    .description("List all backups, newest first.")
    .option("--in <place>", `location of the backups: ${PLACE}`)
    .action(async (at: Place) => {
      const backups = await (await shell.client()).admin.listBackups(locationOf(at), {
        signal: shell.signal,
      });
      await shell.show(backups, () => tableText(COLUMNS, backups.map(rowOf), shell));
      if (backups.length === 0) shell.note("no backups");
    });
  command
    .command("verify")
    .description("Check every part of a backup against its hash.")
    .argument("<name>", "name of the backup")
    .option("--in <place>", `location of the backup: ${PLACE}`)
    .action(async (name: string, at: Place) => {
      const { admin } = await shell.client();
      const found = await admin.verifyBackup({ name, ...locationOf(at) }, options());
      await shell.show(found, () => found.damaged.map((hash) => `${hash}\n`).join(""));
      if (!found.sound)
        throw new LocalError(
          `parts of backup ${name} are missing or damaged; the next backup stores them again`,
        );
      shell.note(`backup ${name} is complete and undamaged: ${counted(found.objects, "part")} checked`);
    });
  command
    .command("rm")
    .description("Delete a backup and the data that no other backup needs.")
    .argument("<name>", "name of the backup")
    .option("--in <place>", `location of the backup: ${PLACE}`)
    .action(async (name: string, at: Place) => {
      const { admin } = await shell.client();
      const { freedBytes } = await admin.deleteBackup({ name, ...locationOf(at) }, options());
      await shell.show({ freed_bytes: freedBytes }, () => `deleted ${name}\n`);
      shell.note(`freed ${bytesText(freedBytes)}`);
    });
};

interface Place {
  readonly in?: string;
}

const locationOf = ({ in: location }: Place) => (location === undefined ? {} : { location });

const COLUMNS = [
  { title: "Backup", style: "name" },
  { title: "State" },
  { title: "Time (UTC)" },
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
