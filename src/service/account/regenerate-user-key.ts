import type { Registry } from "../../accounts/registry.ts";

/** POST admin/accounts/{account_id}/users/{user_id}/key: the old key is invalid at once. */
export async function regenerateUserKey(deps: { registry: Registry }, input: { readonly accountId: string; readonly userId: string }) {
  const { key } = await deps.registry.regenerateKey(input.accountId, input.userId);
  return { userKey: key };
}
