import type { Registry } from "../../accounts/registry.ts";

/** GET admin/accounts/{account_id}/users, by id, without keys. */
export async function listUsers(deps: { registry: Registry }, input: { readonly accountId: string }) {
  const users = await deps.registry.listUsers(input.accountId);
  return users.map(({ user, role }) => ({ userId: user, role }));
}
