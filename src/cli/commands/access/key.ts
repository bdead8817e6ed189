import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../../base/clock.ts";
import type { Define } from "../../define.ts";
import { timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

interface Whose {
  readonly account?: string;
  readonly user?: string;
}

interface NewKey extends Whose {
  readonly readOnly?: true;
  readonly agent?: string;
  readonly days?: number;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const admin = async () => (await shell.client()).admin;
  const whoseOf = async ({ account, user }: Whose) => {
    if (account !== undefined && user !== undefined) return { accountId: account, userId: user };
    const { accountId, userId } = await (await shell.client()).access.whoAmI({ signal });
    return { accountId: account ?? accountId, userId: user ?? userId };
  };
  const ofUser = (one: Command): Command =>
    one
      .option("--user <user>", "id of the user (default: user of the key)")
      .option("--account <account>", "id of the account (default: account of the key)");
  command.description(
    "Manage additional API keys of a user, for applications and agents. Needs the user's main key, the key of an ADMIN of the account, or the root key.",
  );
  ofUser(command.command("ls", { isDefault: true }))
    .description("List the keys of a user and when each was last used.")
    .action(async (options: Whose) => {
      const keys = await (await admin()).listKeys(await whoseOf(options), { signal });
      await shell.show(keys, () =>
        tableText(
          [
            { title: "Name", style: "name" },
            { title: "Access" },
            { title: "Agent" },
            { title: "Created" },
            { title: "Expires" },
            { title: "Last used" },
          ],
          keys.map(({ name, access, agentId = "", createdAt, expiresAt, lastUsedAt }) => [
            name,
            access,
            agentId,
            timeText(createdAt),
            expiresAt === undefined ? "never" : timeText(expiresAt),
            lastUsedAt === undefined ? "never" : timeText(lastUsedAt),
          ]),
          shell,
        ),
      );
    });
  ofUser(command.command("add"))
    .description(
      "Create a key that permits neither administration nor the creation of keys. Prints the key once.",
    )
    .argument("<name>", "name of the key, for example the name of a machine or application")
    .option("--read-only", "permit only operations that change nothing")
    .option("--agent <agent>", "bind the key to this agent: calls with the key act as the agent")
    .option("--days <days>", "number of days until the key expires (default: never)", daysIn)
    .action(async (name: string, { readOnly, agent, days, ...whose }: NewKey) => {
      const request = {
        ...(await whoseOf(whose)),
        name,
        ...(readOnly && { access: "read" }),
        ...(agent !== undefined && { agentId: agent }),
        ...(days !== undefined && { expiresAt: new Date(systemClock() + days * DAY_MS).toISOString() }),
      };
      const made = await (await admin()).createKey(request, { signal });
      await shell.show(made, () => `${made.userKey}\n`);
      shell.note(
        `save the key ${name} of ${request.userId} in ${request.accountId} now: it is not shown again`,
      );
    });
  ofUser(command.command("rm"))
    .description("Revoke a key. Running calls and streams with the key end.")
    .argument("<name>", "name of the key")
    .action(async (name: string, options: Whose) => {
      await (await admin()).revokeKey({ ...(await whoseOf(options)), name }, { signal });
      await shell.show({ revoked: true }, () => `revoked ${name}\n`);
    });
};

function daysIn(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_DAYS}.`);
  return days;
}
