import { namedAccount } from "../../accounts/account-lookup.ts";
import { checkRole, type Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/** PUT admin/accounts/{account_id}/users/{user_id}/role: changes a role, effective at once. Requires ROOT. */
export async function setUserRole(
  deps: { registry: Registry },
  call: ServiceCall,
  input: { readonly accountId: string; readonly userId: string; readonly role: string },
) {
  ACCOUNT_RULES.setUserRole(call.caller);
  const role = checkRole(input.role);
  await deps.registry.setRole(namedAccount(input.accountId), input.userId, role);
  return { accountId: input.accountId, userId: input.userId, role };
}
