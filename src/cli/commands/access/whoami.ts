import type { Define } from "../../define.ts";
import { factsText } from "../../terminal/columns.ts";

const ACCESS: Readonly<Record<string, string>> = { read: "read-only", write: "no administration" };

export const define: Define = (command, shell) => {
  command
    .description("Show your account, user, role, agent, groups and key on the server.")
    .action(async () => {
      const { signal } = shell;
      const who = await (await shell.client()).access.whoAmI({ signal });
      await shell.show(who, () =>
        factsText(
          [
            ["Account", who.accountId],
            ["User", who.userId],
            ["Role", who.role],
            ["Agent", who.agentId],
            ["Groups", who.groups.join(", ")],
            ["Key", who.keyName === undefined ? "" : `${who.keyName} (${ACCESS[who.access] ?? who.access})`],
          ],
          shell.paint,
        ),
      );
    });
};
