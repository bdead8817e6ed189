import type { ClusterMember } from "../../../../clients/typescript/src/gen/ctxdb/v1/observer_pb.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

/** Number of accounts named in a line. */
const NAMED = 5;

export const define: Define = (command, shell) => {
  command.description(
    "Show the servers that share a store (CTXDB_STORE). Needs the root key if the server has keys.",
  );
  command
    .command("ls", { isDefault: true })
    .description("List the servers: their addresses, leases, and the accounts that each one owns.")
    .action(async () => {
      const { observer } = await shell.client();
      const { members } = await observer.members({ signal: shell.signal });
      await shell.show(members, () =>
        tableText(
          [
            { title: "SERVER", align: "right" },
            { title: "URL" },
            { title: "LEASE", align: "right" },
            { title: "ACCOUNTS" },
          ],
          members.map((member) => [
            String(member.number),
            member.url,
            `${member.leaseSeconds.toFixed(1)} s`,
            accountsText(member),
          ]),
          { paint: shell.paint },
        ),
      );
      shell.note(
        members.length === 0
          ? "the server has its store alone: set CTXDB_STORE to share one"
          : `${counted(members.length, "server")}; server ${members.find((one) => one.isAnswering)?.number} answered`,
      );
    });
};

function accountsText({ accounts, accountCount }: ClusterMember): string {
  const more = accountCount - Math.min(accounts.length, NAMED);
  return [...accounts.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
