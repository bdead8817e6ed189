import type { Registry } from "../../accounts/registry.ts";
import { checkAccountId, checkIdentifier } from "../../domain/caller.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/**
 * POST admin/accounts: creates an account and its first ADMIN, whose key is shown only now. Requires ROOT.
 */
export async function createAccount(
  deps: { registry: Registry },
  call: ServiceCall,
  input: { readonly accountId: string; readonly adminUserId: string },
) {
  ACCOUNT_RULES.createAccount(call.caller);
  const account = checkAccountId("account_id", input.accountId);
  checkIdentifier("admin_user_id", input.adminUserId);
  const { key } = await deps.registry.createAccount(account, input.adminUserId);
  return { accountId: input.accountId, adminUserId: input.adminUserId, userKey: key };
}
