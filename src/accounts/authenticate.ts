import { sha256 } from "../base/sha256.ts";
import { type Caller, checkAgent, checkIdentifier } from "../domain/caller.ts";
import { notFound } from "../domain/errors.ts";
import type { KvReader } from "../storage/kv.ts";
import { decodeRecord } from "../storage/records.ts";
import {
  type AccountRecord,
  type IncarnationRecord,
  type KeyRecord,
  accountKeys as keys,
  type UserRecord,
} from "./account-records.ts";
import { sameHash } from "./api-keys.ts";
import { DEFAULT_ACCOUNT } from "./registry.ts";
import { unauthenticated, userIncarnation } from "./standing.ts";

/**
 * What a request says of itself; nothing of it has been checked. Absent and empty members mean the same, but
 * for the key: an empty one is a wrong one.
 */
export interface Claims {
  readonly key?: string;
  readonly account?: string;
  readonly user?: string;
  readonly agent?: string;
}

const DEFAULT_USER = "default";
const DEFAULT_AGENT = "default";
const FIELDS = { account: "X-Ctx-Account", user: "X-Ctx-User", agent: "X-Ctx-Agent" } as const;

/**
 * Tells who asks (answers 2.8 to 2.10). Synchronous, a few reads: keys that were replaced or whose user or
 * account is gone are unknown at once. Throws UNAUTHENTICATED for a missing or unknown key, INVALID_ARGUMENT
 * for a malformed identity, NOT_FOUND {type account} where ROOT names an account that was not created.
 */
export function authenticator(
  kv: Pick<KvReader, "get">,
  rootApiKey: string | undefined,
): (claims: Claims) => Caller {
  if (rootApiKey === undefined) return (claims) => actingAs(kv, claims, true);
  const rootHash = sha256(rootApiKey);
  return (claims) => {
    if (claims.key === undefined)
      throw unauthenticated("an API key is needed: X-API-Key or Authorization: Bearer");
    const hash = sha256(claims.key);
    return sameHash(hash, rootHash) ? actingAs(kv, claims, false) : userCaller(kv, hash, claims);
  };
}

/** Account and user headers of a user key are not even looked at. */
function userCaller(kv: Pick<KvReader, "get">, hash: string, claims: Claims): Caller {
  const key = decodeRecord<KeyRecord>(kv.get(keys.key(hash)));
  const living = key && decodeRecord<IncarnationRecord>(kv.get(keys.incarnation(key.incarnation)));
  const user = living && decodeRecord<UserRecord>(kv.get(keys.user(key.incarnation, key.user)));
  if (!user || user.keyHash !== hash) throw unauthenticated("the API key is not valid");
  return {
    role: user.role,
    account: living.account,
    user: key.user,
    accountIncarnation: key.incarnation,
    userIncarnation: user.incarnation ?? 0,
    keyVersion: user.keyVersion ?? 0,
    agent: agentOf(claims),
    accountNamed: true,
    keyless: false,
  };
}

function actingAs(kv: Pick<KvReader, "get">, claims: Claims, keyless: boolean): Caller {
  const account = checkIdentifier(FIELDS.account, claims.account || DEFAULT_ACCOUNT);
  const user = checkIdentifier(FIELDS.user, claims.user || DEFAULT_USER);
  const agent = agentOf(claims);
  const known = decodeRecord<AccountRecord>(kv.get(keys.account(account)));
  if (!keyless && account !== DEFAULT_ACCOUNT && !known?.listed) throw notFound("account", account);
  const caller: Caller = {
    role: "root",
    account,
    user,
    agent,
    accountNamed: Boolean(claims.account),
    keyless,
  };
  if (!known) return caller;
  const registered = userIncarnation(kv, known.incarnation, user);
  return {
    ...caller,
    accountIncarnation: known.incarnation,
    ...(registered !== undefined && { userIncarnation: registered }),
  };
}

const agentOf = (claims: Claims): string => checkAgent(FIELDS.agent, claims.agent || DEFAULT_AGENT);
