import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/** DELETE admin/accounts/{account_id}/users/{user_id}/keys/{name}: revokes a key at once. */
export async function revokeKey(
  deps: { readonly registry: Registry },
  { caller }: ServiceCall,
  { accountId, userId, name }: { readonly accountId: string; readonly userId: string; readonly name: string },
): Promise<{ revoked: true }> {
  ACCOUNT_RULES.revokeKey(caller, accountId, userId);
  await deps.registry.keys.revoke(namedAccount(accountId), userId, name, caller);
  return { revoked: true };
}
