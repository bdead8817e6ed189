import { invalidArgument } from "./errors.ts";
import {
  type AccountId,
  accountId,
  IDENTIFIER_RULE,
  isIdentifier,
  type UserIncarnation,
  type WorkspaceId,
} from "./ids.ts";

export type Role = "root" | "admin" | "user";

/** A further API key of a user. */
export interface CallerKey {
  readonly name: string;
  /** The hash of the key: a later key of the same name is another one. */
  readonly hash: string;
  /** `read`: only operations that change nothing. */
  readonly access: "read" | "write";
  /** Unix time in ms. */
  readonly expiresAt?: number;
}

/** Authenticated caller: everything that operations know about it. */
export interface Caller {
  readonly role: Role;
  readonly account: AccountId;
  readonly user: string;
  /**
   * Distinguishes accounts of the same name: a name is free again after a deletion. Missing if the account
   * does not exist yet.
   */
  readonly accountIncarnation?: WorkspaceId;
  /**
   * Distinguishes users of the same name: each registration gets a new number. Missing if none is registered;
   * 0 in records of earlier versions.
   */
  readonly userIncarnation?: UserIncarnation;
  /** Number of keys replaced before this one; missing without a user key. */
  readonly keyVersion?: number;
  /** The further API key of the request; missing for the user's main key, ROOT and callers without a key. */
  readonly key?: CallerKey;
  /** The agent of the request (X-Ctx-Agent); `default` if none was sent. */
  readonly agent: string;
  /**
   * True where the request named its account: ROOT without it sees the whole server in observers and waits.
   */
  readonly accountNamed: boolean;
  /** True if no key is configured: the first write creates accounts and users. */
  readonly keyless: boolean;
}

/** The identifier rule for accounts, users, agents and sessions; `field` names the offender in the error. */
export function checkIdentifier(field: string, value: string): string {
  if (!isIdentifier(value)) throw invalidArgument(field, IDENTIFIER_RULE);
  return value;
}

export const checkAccountId = (field: string, value: string): AccountId =>
  accountId(checkIdentifier(field, value));

/** Agents share a level with the scope `agent/skills`, so none may have its name. */
export function checkAgent(field: string, value: string): string {
  if (value === "skills") throw invalidArgument(field, "must not be skills: that name is reserved");
  return checkIdentifier(field, value);
}
