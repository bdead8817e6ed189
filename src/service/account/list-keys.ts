import { namedAccount } from "../../accounts/account-lookup.ts";
import type { KeyUseLog } from "../../accounts/key-uses.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";
import { type KeyView, keyView } from "./key-view.ts";

/** GET admin/accounts/{account_id}/users/{user_id}/keys: lists the main key, then additional keys by name. */
export async function listKeys(
  deps: { readonly registry: Registry; readonly keyUses: KeyUseLog },
  { caller }: ServiceCall,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<KeyView[]> {
  ACCOUNT_RULES.listKeys(caller, accountId, userId);
  const { incarnation, keys } = deps.registry.keys.list(namedAccount(accountId), userId, caller);
  const uses = await deps.keyUses.of(incarnation, userId);
  return keys.map((key) => keyView(key, uses));
}
