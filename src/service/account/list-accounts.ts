import type { Registry } from "../../accounts/registry.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";

/** GET admin/accounts: lists accounts, sorted by id. Requires ROOT. */
export async function listAccounts(deps: { registry: Registry }, call: ServiceCall) {
  ACCOUNT_RULES.listAccounts(call.caller);
  const accounts = await deps.registry.listAccounts();
  return accounts.map(({ account, createdAt, users }) => ({
    accountId: account,
    createdAt: new Date(createdAt).toISOString(),
    userCount: users,
  }));
}
