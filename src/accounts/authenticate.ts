import type { Clock } from "../base/clock.ts";
import { sha256 } from "../base/sha256.ts";
import { type Caller, checkAccountId, checkAgent, checkIdentifier } from "../domain/caller.ts";
import { notFound } from "../domain/errors.ts";
import { DEFAULT_ACCOUNT } from "../domain/ids.ts";
import type { AccountCache } from "./account-cache.ts";
import { sameHash } from "./api-keys.ts";
import { unauthenticated, userIncarnationOf } from "./standing.ts";
import { hasExpired } from "./user-keys.ts";

/**
 * Identity claimed by a request, not verified. Absent and empty members are equivalent, except for the key:
 * an empty key is invalid.
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
 * Identifies the caller. Synchronous: a replaced, revoked or expired key, or one whose user or account is
 * gone, becomes invalid at once. Throws UNAUTHENTICATED for a missing or unknown key, INVALID_ARGUMENT for a
 * malformed identity, NOT_FOUND {type account} if ROOT names an account that does not exist.
 */
export function authenticator(
  records: AccountCache,
  rootApiKey: string | undefined,
  clock: Clock,
): (claims: Claims) => Caller {
  if (rootApiKey === undefined) return (claims) => actingAs(records, claims, true);
  const rootHash = sha256(rootApiKey);
  return (claims) => {
    if (claims.key === undefined)
      throw unauthenticated("an API key is required: send it as X-API-Key or Authorization: Bearer");
    const hash = sha256(claims.key);
    return sameHash(hash, rootHash)
      ? actingAs(records, claims, false)
      : userCaller(records, hash, claims, clock());
  };
}

/**
 * With a user key, the headers for account and user are ignored; with a key bound to an agent, also the
 * header for the agent. Additional keys never have administrative rights.
 */
function userCaller(records: AccountCache, hash: string, claims: Claims, now: number): Caller {
  const key = records.key(hash);
  const living = key && records.incarnation(key.incarnation);
  const user = living && records.user(key.incarnation, key.user);
  const additional = user?.keys?.find((one) => one.hash === hash);
  if (!user || (user.keyHash !== hash && !additional)) throw unauthenticated("the API key is not valid");
  const whose = {
    account: living.account,
    user: key.user,
    accountIncarnation: key.incarnation,
    userIncarnation: userIncarnationOf(user),
    accountNamed: true,
    keyless: false,
  };
  if (!additional)
    return { ...whose, role: user.role, keyVersion: user.keyVersion ?? 0, agent: agentOf(claims) };
  if (hasExpired(additional, now)) throw unauthenticated(`the API key ${additional.name} has expired`);
  return { ...whose, role: "user", key: additional, agent: additional.agent ?? agentOf(claims) };
}

function actingAs(records: AccountCache, claims: Claims, keyless: boolean): Caller {
  const account = checkAccountId(FIELDS.account, claims.account || DEFAULT_ACCOUNT);
  const user = checkIdentifier(FIELDS.user, claims.user || DEFAULT_USER);
  const agent = agentOf(claims);
  const known = records.account(account);
  if (!keyless && account !== DEFAULT_ACCOUNT && !known?.listed) throw notFound("account", account);
  const registered = known && records.user(known.incarnation, user);
  return {
    role: "root",
    account,
    user,
    agent,
    accountNamed: Boolean(claims.account),
    keyless,
    ...(known && { accountIncarnation: known.incarnation }),
    ...(registered && { userIncarnation: userIncarnationOf(registered) }),
  };
}

const agentOf = (claims: Claims): string => checkAgent(FIELDS.agent, claims.agent || DEFAULT_AGENT);
