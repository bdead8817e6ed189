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

/** An additional API key of a user. */
export interface CallerKey {
  readonly name: string;
  /** Hash of the key; it distinguishes keys with the same name. */
  readonly hash: string;
  /** `read`: only operations that change nothing are allowed. */
  readonly access: "read" | "write";
  /** Unix time in ms. */
  readonly expiresAt?: number;
}

/** An authenticated caller: everything that operations know about it. */
export interface Caller {
  readonly role: Role;
  readonly account: AccountId;
  readonly user: string;
  /**
   * Distinguishes accounts with the same name, which is free again after a deletion. Absent if the account
   * does not exist yet.
   */
  readonly accountIncarnation?: WorkspaceId;
  /**
   * Distinguishes users with the same name: each registration has a new number. Absent if the user is not
   * registered; 0 in records of earlier versions.
   */
  readonly userIncarnation?: UserIncarnation;
  /** Number of keys replaced before this one; absent without a user key. */
  readonly keyVersion?: number;
  /**
   * The additional API key of the request; absent for the user's main key, ROOT, and callers without a key.
   */
  readonly key?: CallerKey;
  /** Agent named in the request (X-Ctx-Agent); `default` if absent. */
  readonly agent: string;
  /** Whether the request names its account. If not, ROOT sees the whole server in observers and waits. */
  readonly accountNamed: boolean;
  /** True if no key is configured; the first write then creates the account and user. */
  readonly keyless: boolean;
}

/**
 * Checks the identifier rule for accounts, users, agents and sessions. `field`: the parameter named in the
 * error.
 */
export function checkIdentifier(field: string, value: string): string {
  if (!isIdentifier(value)) throw invalidArgument(field, IDENTIFIER_RULE);
  return value;
}

export const checkAccountId = (field: string, value: string): AccountId =>
  accountId(checkIdentifier(field, value));

/** Rejects an agent named `skills`, because its space would collide with the scope `agent/skills`. */
export function checkAgent(field: string, value: string): string {
  if (value === "skills") throw invalidArgument(field, 'must not be "skills", a reserved name');
  return checkIdentifier(field, value);
}
