import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";

const MARGIN_SECONDS = 10;

export const define: Define = (command, shell) => {
  command
    .description(
      "Wait until all background work of your account is done. --timeout limits the wait; the work continues.",
    )
    .action(async () => {
      const { system } = await shell.client();
      const { timeout } = shell.options;
      const deadlineSeconds = shell.patienceSeconds + MARGIN_SECONDS;
      const done = await system.wait({ timeout }, { signal: shell.signal, deadlineSeconds });
      await shell.show(done, () => `${counted(done.processed, "job")} done, ${done.errors} failed\n`);
    });
};
