import type { Define } from "../../define.ts";
import { durationText } from "../../terminal/amounts.ts";
import { factsText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command
    .description("Show the server's address, version and health, and your account, user and role.")
    .action(async () => {
      const { system, observer } = await shell.client();
      const { signal } = shell;
      const status = await system.status({ signal });
      const healthy = shell.options.json ? true : await observer.health({ signal });
      const { address, profile } = await shell.target();
      await shell.show(status, () =>
        factsText(
          [
            ["Server", `${address}, ctxdb ${status.version}`],
            ["Running for", durationText(status.uptime)],
            ["Health", healthy ? "all components work" : "not all components work: see `ctxdb observer`"],
            ["Account", status.account],
            ["User", status.user],
            ["Role", status.role],
            ["Profile", profile],
          ],
          shell.paint,
        ),
      );
    });
};
