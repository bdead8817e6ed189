import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/**
 * POST admin/accounts/{account_id}/users/{user_id}/key: replaces the main key; the old key is invalid at
 * once.
 */
export async function regenerateUserKey(
  deps: { registry: Registry },
  call: ServiceCall,
  input: { readonly accountId: string; readonly userId: string },
) {
  ACCOUNT_RULES.regenerateUserKey(call.caller, input.accountId);
  const { key } = await deps.registry.regenerateKey(namedAccount(input.accountId), input.userId, call.caller);
  return { userKey: key };
}
