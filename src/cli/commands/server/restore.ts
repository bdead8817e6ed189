import { resolve } from "node:path";
import { StartError } from "../../../base/start-error.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { progressOn } from "../../terminal/progress.ts";

interface RestoreOptions {
  readonly dataDir: string;
  readonly from?: string;
  readonly backup?: string;
  readonly restoreAccount?: string;
  readonly as?: string;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Restore a backup of a folder, a tar file or an object store into a new data directory. Every part is checked against its hash. Then start a server with `ctxdb serve --data-dir FOLDER`.",
    )
    .argument("[folder]", "backup folder: CTXDB_BACKUP_DIR of the server that wrote the backups; or --from")
    .option(
      "--from <place>",
      "backup folder, tar file, or s3://bucket/prefix with the keys of CTXDB_BACKUP_OBJECTS_ACCESS_KEY and _SECRET_KEY",
    )
    .requiredOption("--data-dir <folder>", "data directory to create; must be empty or not exist")
    .option("--backup <name>", "name of the backup (default: the newest)")
    .option("--restore-account <id>", "restore only this account")
    .option("--as <id>", "restore that account under this id")
    .action(async (folder: string | undefined, options: RestoreOptions) => {
      const from = options.from ?? folder;
      if (from === undefined || (options.from !== undefined && folder !== undefined))
        throw new LocalError("give the place of the backups once: as an argument, or with --from");
      const { backup: name, restoreAccount: account, as } = options;
      if (as !== undefined && account === undefined)
        throw new LocalError("--as needs --restore-account: give the id of the account to rename");
      const dataDir = resolve(options.dataDir);
      const { openLog } = await import("../../../base/log.ts");
      const { systemClock: clock } = await import("../../../base/clock.ts");
      const { restoreFolder } = await import("../../../server/restore-folder.ts");
      const { log, close } = openLog("error", { descriptor: 2, format: "auto" });
      const progress = await progressOn(shell.io);
      const onProgress = (done: number, total: number) => progress.update("restoring", done, total);
      const restored = await restoreFolder({
        ...(await placeOf(from)),
        name,
        dataDir,
        account,
        as,
        log,
        clock,
        onProgress,
      })
        // report invalid arguments, not a server failure
        .catch((error) => {
          throw error instanceof StartError ? new LocalError(error.message) : error;
        })
        .finally(async () => {
          progress.end();
          await close();
        });
      const { backup, records, contents } = restored;
      const created_at = new Date(backup.createdAt).toISOString();
      await shell.show(
        { data_dir: dataDir, backup: backup.name, created_at, records, contents },
        () => `${dataDir}\n`,
      );
      shell.note(
        `${backup.name} as of ${created_at}: ${counted(records, "record")}, ${counted(contents, "large file")}. Start it: CTXDB_DATA_DIR=${dataDir} ctxdb serve`,
      );
    });
};

/** Takes the keys of an object store only from the settings, because arguments appear in process lists. */
async function placeOf(from: string) {
  if (!from.startsWith("s3://")) return { from: resolve(from) };
  const { readConfig } = await import("../../../config/env.ts");
  return { from, objects: readConfig().backups.objects };
}
