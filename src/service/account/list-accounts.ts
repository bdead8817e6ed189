import type { Registry } from "../../accounts/registry.ts";

/** GET admin/accounts, by id. ROOT only. */
export async function listAccounts(deps: { registry: Registry }) {
  const accounts = await deps.registry.listAccounts();
  return accounts.map(({ account, createdAt, users }) => ({
    accountId: account,
    createdAt: new Date(createdAt).toISOString(),
    userCount: users,
  }));
}
