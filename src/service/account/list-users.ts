import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/** GET admin/accounts/{account_id}/users: lists users without their keys, sorted by id. */
export async function listUsers(
  deps: { registry: Registry },
  call: ServiceCall,
  input: { readonly accountId: string },
) {
  ACCOUNT_RULES.listUsers(call.caller, input.accountId);
  const users = await deps.registry.listUsers(namedAccount(input.accountId));
  return users.map(({ user, role }) => ({ userId: user, role }));
}
