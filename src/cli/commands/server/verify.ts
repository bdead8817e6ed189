import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { printable } from "../../../base/printable.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { EXIT } from "../../exit-code.ts";
import { counted } from "../../terminal/amounts.ts";

export const define: Define = (command, shell) => {
  command
    .description(
      "Check a data directory: recompute every derived table from its records and print the differences. First stop the server that uses the folder.",
    )
    .option("--data-dir <folder>", "data directory to check (CTXDB_DATA_DIR, default: ./data)")
    .action(async ({ dataDir }: { readonly dataDir?: string }) => {
      const folder =
        dataDir === undefined
          ? (await import("../../../config/env.ts")).readConfig().dataDir
          : resolve(dataDir);
      await stat(join(folder, "FORMAT")).catch(() => {
        throw new LocalError(
          `${folder} is not a ctxdb data directory: choose one with --data-dir`,
          EXIT.notFound,
        );
      });
      const { openLog } = await import("../../../base/log.ts");
      const { systemClock } = await import("../../../base/clock.ts");
      const { verifyFolder } = await import("../../../server/verify-data-dir.ts");
      const { log, close } = openLog("error", { descriptor: 2, format: "auto" });
      let accounts = 0;
      const onAccount = (account: string) => {
        accounts++;
        if (shell.io.err.isTTY) shell.note(`checking account ${account}`);
      };
      const findings = await verifyFolder(folder, { log, now: systemClock, onAccount });
      await close();
      await shell.show({ data_dir: folder, accounts, findings }, () =>
        findings.map((finding) => `${printable(finding)}\n`).join(""),
      );
      if (findings.length > 0)
        throw new LocalError(`${folder} has ${counted(findings.length, "inconsistency", "inconsistencies")}`);
      shell.note(`${folder} is consistent: ${counted(accounts, "account")} checked`);
    });
};
