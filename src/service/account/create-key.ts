import { namedAccount } from "../../accounts/account-lookup.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { Clock } from "../../base/clock.ts";
import { checkAgent, checkIdentifier } from "../../domain/caller.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { timeIn } from "../../domain/text/iso-time.ts";
import type { ServiceCall } from "../service-call.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";
import { type KeyView, keyView } from "./key-view.ts";

interface CreateKeyInput {
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  readonly access?: string | undefined;
  readonly agentId?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** POST admin/accounts/{account_id}/users/{user_id}/keys: creates a key, which is shown only now. */
export async function createKey(
  deps: { readonly registry: Registry; readonly clock: Clock },
  { caller }: ServiceCall,
  input: CreateKeyInput,
): Promise<{ userKey: string; key: KeyView }> {
  ACCOUNT_RULES.createKey(caller, input.accountId, input.userId);
  const expiresAt = timeIn(input.expiresAt, "expires_at");
  if (expiresAt !== undefined && expiresAt <= deps.clock())
    throw invalidArgument("expires_at", "must be in the future");
  const wanted = {
    name: checkIdentifier("name", input.name),
    access: accessIn(input.access),
    ...(input.agentId !== undefined && { agent: checkAgent("agent_id", input.agentId) }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const account = namedAccount(input.accountId);
  const { key, listing } = await deps.registry.keys.create(account, input.userId, wanted, caller);
  return { userKey: key, key: keyView(listing) };
}

function accessIn(access = "write"): "read" | "write" {
  if (access !== "read" && access !== "write") throw invalidArgument("access", "must be read or write");
  return access;
}
