import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TransferOptions, Transferred } from "../../../app/store-transfer.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { EXIT } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { counted } from "../../terminal/amounts.ts";
import { progressOn } from "../../terminal/progress.ts";

export const define: Define = (command, shell) => {
  command.description(
    "Move all data between a data directory and a shared store (CTXDB_STORE and CTXDB_OBJECTS). No server may use either of them. After a kill or an error, run the same command again.",
  );
  command
    .command("import")
    .description("Copy a data directory to an empty store. The directory stays as it is.")
    .requiredOption("--from <folder>", "data directory of a stopped server")
    .action(async ({ from }: { readonly from: string }) => {
      const folder = resolve(from);
      await stat(join(folder, "FORMAT")).catch(() => {
        throw new LocalError(
          `${folder} is not a ctxdb data directory: choose one with --from`,
          EXIT.notFound,
        );
      });
      const moved = await transfer(shell, "import", folder);
      await report(shell, moved, `${folder} is in the store`);
    });
  command
    .command("export")
    .description("Copy a store to a new data directory. The store stays as it is.")
    .requiredOption("--to <folder>", "data directory to create; must be empty or not exist")
    .action(async ({ to }: { readonly to: string }) => {
      const folder = resolve(to);
      const moved = await transfer(shell, "export", folder);
      await report(
        shell,
        moved,
        `the store is in ${folder}: check it with ctxdb verify --data-dir ${folder}`,
      );
    });
  command
    .command("discard")
    .description("Remove what an unfinished import has left in the database and the bucket, to give it up.")
    .action(async () => {
      const removed = await onStore(shell, "removing", async (options) => {
        const { discardImport } = await import("../../../app/store-transfer.ts");
        return discardImport(options);
      });
      await shell.show(removed, () => "");
      shell.note(
        `the store is empty again: ${counted(removed.records, "record")} and ${counted(removed.contents, "large file")} removed`,
      );
    });
};

const transfer = (shell: Shell, direction: "import" | "export", folder: string): Promise<Transferred> =>
  onStore(shell, `${direction}ing`, async (options) => {
    const { systemClock: clock } = await import("../../../base/clock.ts");
    const { exportStore, importStore } = await import("../../../app/store-transfer.ts");
    const move = direction === "import" ? importStore : exportStore;
    return move({ ...options, folder, clock });
  });

type StoreOptions = Pick<TransferOptions, "store" | "log" | "onProgress">;

async function onStore<T>(
  shell: Shell,
  what: string,
  work: (options: StoreOptions) => Promise<T>,
): Promise<T> {
  const { readConfig } = await import("../../../config/env.ts");
  const { store } = readConfig(shell.io.env);
  if (!store) throw new LocalError("CTXDB_STORE is not set: set it as for `ctxdb serve`");
  const { openLog } = await import("../../../base/log.ts");
  const { StartError } = await import("../../../base/start-error.ts");
  const { log, close } = openLog("error", { descriptor: 2, format: "auto" });
  const progress = await progressOn(shell.io);
  const onProgress = (done: number, total: number) => progress.update(what, done, total);
  return work({ store, log, onProgress })
    .catch((error) => {
      throw error instanceof StartError ? new LocalError(error.message) : error;
    })
    .finally(async () => {
      progress.end();
      await close();
    });
}

async function report(shell: Shell, moved: Transferred, where: string): Promise<void> {
  await shell.show(moved, () => "");
  const { workspaces, records, contents, lost } = moved;
  shell.note(
    `${where}. ${counted(workspaces, "account")}, ${counted(records, "record")}, ${counted(contents, "large file")} copied and compared`,
  );
  if (lost.length > 0)
    throw new LocalError(
      `all is copied except ${counted(lost.length, "large file")}, missing or damaged before: ${lost.slice(0, 5).join(", ")}`,
    );
}
