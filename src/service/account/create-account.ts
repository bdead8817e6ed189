import type { Registry } from "../../accounts/registry.ts";
import { checkIdentifier } from "../../domain/caller.ts";

/** POST admin/accounts: a workspace and its first ADMIN, whose key is shown this once. ROOT only. */
export async function createAccount(deps: { registry: Registry }, input: { readonly accountId: string; readonly adminUserId: string }) {
  checkIdentifier("account_id", input.accountId);
  checkIdentifier("admin_user_id", input.adminUserId);
  const { key } = await deps.registry.createAccount(input.accountId, input.adminUserId);
  return { accountId: input.accountId, adminUserId: input.adminUserId, userKey: key };
}
