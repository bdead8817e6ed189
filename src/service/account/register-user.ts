import { namedAccount } from "../../accounts/account-lookup.ts";
import { checkRole, type Registry } from "../../accounts/registry.ts";
import { checkIdentifier } from "../../domain/caller.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/** POST admin/accounts/{account_id}/users: registers a user, whose key is shown only now. */
export async function registerUser(
  deps: { registry: Registry },
  call: ServiceCall,
  input: { readonly accountId: string; readonly userId: string; readonly role?: string | undefined },
) {
  ACCOUNT_RULES.registerUser(call.caller, input.accountId);
  checkIdentifier("user_id", input.userId);
  const role = checkRole(input.role ?? "user");
  const { key } = await deps.registry.registerUser(
    namedAccount(input.accountId),
    input.userId,
    role,
    call.caller,
  );
  return { accountId: input.accountId, userId: input.userId, userKey: key };
}
