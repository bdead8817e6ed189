import type { Command } from "commander";
import type { Define } from "../../define.ts";
import { tableText } from "../../terminal/columns.ts";

interface InAccount {
  readonly account?: string;
}

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const access = async () => (await shell.client()).access;
  const accountOf = async ({ account }: InAccount) =>
    account ?? (await (await access()).whoAmI({ signal })).accountId;
  const inAccount = (one: Command): Command =>
    one.option("--account <account>", "id of the account (default: account of the key)");
  command.description(
    "Manage groups of users with whom files and folders can be shared. Needs the root key or the key of an ADMIN of the account.",
  );
  inAccount(command.command("ls", { isDefault: true }))
    .description("List the groups with their members.")
    .action(async (options: InAccount) => {
      const accountId = await accountOf(options);
      const found = await (await access()).listGroups({ accountId }, { signal });
      await shell.show(found, () =>
        tableText(
          [
            { title: "Group", style: "name" },
            { title: "Members", gives: true },
          ],
          found.map(({ groupId, members }) => [groupId, members.join(", ")]),
          shell,
        ),
      );
      if (found.length === 0) shell.note("no groups; add one with `ctxdb group create`");
    });
  inAccount(command.command("create"))
    .description("Create a group with these members.")
    .argument("<group>", "id of the new group")
    .argument("[users...]", "ids of the first members")
    .action(async (groupId: string, users: string[], options: InAccount) => {
      const accountId = await accountOf(options);
      let { group } = await (await access()).createGroup({ accountId, groupId }, { signal });
      for (const userId of users)
        ({ group } = await (await access()).addMember({ accountId, groupId, userId }, { signal }));
      await shell.show({ group }, () => `created ${groupId}\n`);
    });
  for (const [name, description] of [
    ["add", "Add users to a group."],
    ["remove", "Remove users from a group."],
  ] as const)
    inAccount(command.command(name))
      .description(description)
      .argument("<group>", "id of the group")
      .argument("<users...>", "ids of the users")
      .action(async (groupId: string, users: string[], options: InAccount) => {
        const accountId = await accountOf(options);
        const { access: calls } = await shell.client();
        let members: readonly string[] = [];
        for (const userId of users) {
          const asked = { accountId, groupId, userId };
          const { group } = await (name === "add"
            ? calls.addMember(asked, { signal })
            : calls.removeMember(asked, { signal }));
          members = group?.members ?? [];
        }
        await shell.show({ groupId, members }, () => `${groupId}: ${members.join(", ") || "no members"}\n`);
      });
  inAccount(command.command("rm"))
    .description("Delete a group and all grants to it.")
    .argument("<group>", "id of the group")
    .action(async (groupId: string, options: InAccount) => {
      const accountId = await accountOf(options);
      const removed = await (await access()).deleteGroup({ accountId, groupId }, { signal });
      await shell.show(removed, () => `deleted ${groupId}\n`);
    });
};
