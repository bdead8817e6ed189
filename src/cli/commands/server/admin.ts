import { type Command, Option } from "commander";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

const ROLES = ["admin", "user"];

export const define: Define = (command, shell) => {
  command.description(
    "Manage accounts, users, roles and keys. The server must have a root key (CTXDB_ROOT_API_KEY). Use that key, or, to manage users, the key of an ADMIN of the account.",
  );
  defineAccounts(
    command.command("accounts").description("Manage accounts: list, add, rm. Needs the root key."),
    shell,
  );
  defineUsers(
    command
      .command("users")
      .description(
        "Manage the users of an account: list, add, rm, role, key. Needs the root key or the key of an ADMIN of the account.",
      ),
    shell,
  );
};

function defineAccounts(command: Command, shell: Shell): void {
  command
    .command("list", { isDefault: true })
    .description("List all accounts.")
    .action(async () => {
      const accounts = await (await shell.client()).admin.listAccounts({ signal: shell.signal });
      await shell.show(accounts, () =>
        tableText(
          [{ title: "Account", style: "name" }, { title: "Users", align: "right" }, { title: "Created" }],
          accounts.map((account) => [
            account.accountId,
            String(account.userCount),
            timeText(account.createdAt),
          ]),
          shell,
        ),
      );
    });
  command
    .command("add")
    .description("Create an account and its first user, an ADMIN. Prints the user's key once.")
    .argument("<account>", "id of the new account")
    .argument("<admin>", "id of the first user")
    .action(async (accountId: string, adminUserId: string) => {
      const made = await (await shell.client()).admin.createAccount(
        { accountId, adminUserId },
        { signal: shell.signal },
      );
      await shell.show(made, () => `${made.userKey}\n`);
      shell.note(`save the key of ${adminUserId} in ${accountId} now: it is not shown again`);
    });
  command
    .command("rm")
    .description("Delete an account with its users, keys and content. Cannot be undone.")
    .argument("<account>", "id of the account")
    .action(async (accountId: string) => {
      await (await shell.client()).admin.deleteAccount({ accountId }, { signal: shell.signal });
      await shell.show({ deleted: true }, () => `deleted ${accountId}\n`);
    });
}

function defineUsers(command: Command, shell: Shell): void {
  command
    .command("list", { isDefault: true })
    .description("List the users of an account.")
    .argument("<account>", "id of the account")
    .action(async (accountId: string) => {
      const users = await (await shell.client()).admin.listUsers({ accountId }, { signal: shell.signal });
      const rows = users.map(({ userId, role }) => [userId, role]);
      await shell.show(users, () =>
        tableText([{ title: "User", style: "name" }, { title: "Role" }], rows, shell),
      );
    });
  command
    .command("add")
    .description("Add a user to an account. Prints the user's key once.")
    .argument("<account>", "id of the account")
    .argument("<user>", "id of the user")
    .addOption(new Option("--role <role>", "role of the user").choices(ROLES).default("user"))
    .action(async (accountId: string, userId: string, { role }: { readonly role: string }) => {
      const made = await (await shell.client()).admin.registerUser(
        { accountId, userId, role },
        { signal: shell.signal },
      );
      await shell.show(made, () => `${made.userKey}\n`);
      shell.note(`save the key of ${userId} in ${accountId} now: it is not shown again`);
    });
  command
    .command("rm")
    .description("Remove a user with all memories and sessions. The user's key stops working at once.")
    .argument("<account>", "id of the account")
    .argument("<user>", "id of the user")
    .action(async (accountId: string, userId: string) => {
      await (await shell.client()).admin.removeUser({ accountId, userId }, { signal: shell.signal });
      await shell.show({ deleted: true }, () => `removed ${userId} from ${accountId}\n`);
    });
  command
    .command("role")
    .description("Change the role of a user. Needs the root key.")
    .argument("<account>", "id of the account")
    .argument("<user>", "id of the user")
    .addArgument(command.createArgument("<role>", "new role").choices(ROLES))
    .action(async (accountId: string, userId: string, role: string) => {
      const set = await (await shell.client()).admin.setUserRole(
        { accountId, userId, role },
        { signal: shell.signal },
      );
      await shell.show(set, () => `${userId} is ${role} of ${accountId}\n`);
    });
  command
    .command("key")
    .description("Replace the key of a user. Prints the new key once. The old key stops working at once.")
    .argument("<account>", "id of the account")
    .argument("<user>", "id of the user")
    .action(async (accountId: string, userId: string) => {
      const key = await (await shell.client()).admin.regenerateUserKey(
        { accountId, userId },
        { signal: shell.signal },
      );
      await shell.show({ user_key: key }, () => `${key}\n`);
      shell.note(`save the key of ${userId} in ${accountId} now: it is not shown again`);
    });
}
