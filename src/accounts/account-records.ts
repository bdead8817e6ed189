import { isObject } from "../base/expect.ts";
import type { CallerKey } from "../domain/caller.ts";
import {
  type AccountId,
  accountId,
  isAccountId,
  type UserIncarnation,
  type WorkspaceId,
  workspaceId,
} from "../domain/ids.ts";
import type { ModelUse } from "../providers/usage.ts";
import { isList, isMissingOr, isNumber, isText, objects, type Unchecked } from "../storage/record-codec.ts";
import { QUOTA_NAMES, type Quotas } from "./quotas.ts";

/**
 * Keys and records of accounts, users and API keys.
 *
 * ```
 * a/<account>               AccountRecord
 * ai/<incarnation>          IncarnationRecord of a living account
 * az/<incarnation>          a deleted account whose data is being purged
 * au/<incarnation>/<user>   UserRecord
 * al/<incarnation>/<user>   KeyUses
 * at/<incarnation>          Tokens spent on models
 * k/<sha256 of the key>     KeyRecord
 * an                        the last incarnation number given
 * ```
 *
 * Everything below an account depends on its incarnation: removing two records makes all of it unreachable at
 * once, and the name can be used again while old data is being purged.
 */

export interface AccountRecord {
  readonly incarnation: WorkspaceId;
  /** Unix time in ms. */
  readonly createdAt: number;
  /** Created by an administrator instead of by a first write. */
  readonly listed: boolean;
  readonly users: number;
  readonly admins: number;
  /**
   * Number of registrations, not counting those made by earlier versions of the server; equals the
   * incarnation of the latest user.
   */
  readonly registered?: number;
}

export const ACCOUNT_RECORDS = objects<AccountRecord>(
  "account",
  ({ incarnation, createdAt, listed, users, admins, registered }) =>
    isNumber(incarnation) &&
    isNumber(createdAt) &&
    typeof listed === "boolean" &&
    isNumber(users) &&
    isNumber(admins) &&
    isMissingOr(registered, isNumber),
);

export interface IncarnationRecord {
  readonly account: AccountId;
  /** Absent: only the server's settings limit the account. */
  readonly quotas?: Quotas;
}

const isQuotas = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const quotas: Unchecked<Quotas> = value;
  return QUOTA_NAMES.every((name) => isMissingOr(quotas[name], isNumber));
};

export const INCARNATION_RECORDS = objects<IncarnationRecord>(
  "incarnation",
  ({ account, quotas }) => isAccountId(account) && isMissingOr(quotas, isQuotas),
);

export type UserRole = "admin" | "user";

export interface UserRecord {
  readonly role: UserRole;
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly keyHash: string;
  /** Absent: 0. */
  readonly incarnation?: UserIncarnation;
  /** Number of replaced main keys; absent: none. */
  readonly keyVersion?: number;
  /** Additional keys by name; absent: none. */
  readonly keys?: readonly AdditionalKey[];
}

/** An additional API key of a user. */
export interface AdditionalKey extends CallerKey {
  /** The agent to which the key is bound. */
  readonly agent?: string;
  /** Unix time in ms. */
  readonly createdAt: number;
}

const isAdditionalKey = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { name, hash, access, agent, createdAt, expiresAt }: Unchecked<AdditionalKey> = value;
  return (
    isText(name) &&
    isText(hash) &&
    (access === "read" || access === "write") &&
    isMissingOr(agent, isText) &&
    isNumber(createdAt) &&
    isMissingOr(expiresAt, isNumber)
  );
};

export const USER_RECORDS = objects<UserRecord>(
  "user",
  ({ role, createdAt, keyHash, incarnation, keyVersion, keys: additional }) =>
    (role === "admin" || role === "user") &&
    isNumber(createdAt) &&
    isText(keyHash) &&
    isMissingOr(incarnation, isNumber) &&
    isMissingOr(keyVersion, isNumber) &&
    isMissingOr(additional, (value) => Array.isArray(value) && value.every(isAdditionalKey)),
);

/** Name of the key that was issued with the user. */
export const MAIN_KEY = "main";

/** Last use of a user's keys by name, Unix time in ms, with a precision of minutes. */
export type KeyUses = Readonly<Record<string, number>>;

export const KEY_USES = objects<KeyUses>("last use of API keys", (uses) =>
  Object.values(uses).every(isNumber),
);

export interface KeyRecord {
  readonly incarnation: WorkspaceId;
  readonly user: string;
}

export const KEY_RECORDS = objects<KeyRecord>(
  "API key",
  ({ incarnation, user }) => isNumber(incarnation) && isText(user),
);

/** Tokens used by a model since its first call, across restarts. */
export interface ModelTokens extends Pick<ModelUse, "provider" | "model" | "prompt" | "completion"> {
  /** Time of the last call, Unix time in ms. */
  readonly updatedAt: number;
}

/** Tokens used by a workspace. */
export interface Tokens {
  readonly models: readonly ModelTokens[];
  /** Last day with calls of a language model (UTC, days since 1970), and the tokens of that day. */
  readonly day: number;
  readonly spent: number;
}

export const TOKENS = objects<Tokens>(
  "token count",
  ({ models, day, spent }) => isList(models) && isNumber(day) && isNumber(spent),
);

const WIDTH = 7;
const pad = (incarnation: WorkspaceId) => incarnation.toString(36).padStart(WIDTH, "0");

export const accountKeys = {
  accounts: "a/",
  account: (account: AccountId) => `a/${account}`,
  nameOfAccount: (key: string) => accountId(key.slice("a/".length)),
  incarnation: (incarnation: WorkspaceId) => `ai/${pad(incarnation)}`,
  deletions: "az/",
  deletion: (incarnation: WorkspaceId) => `az/${pad(incarnation)}`,
  incarnationOfDeletion: (key: string) => workspaceId(Number.parseInt(key.slice("az/".length), 36)),
  users: (incarnation: WorkspaceId) => `au/${pad(incarnation)}/`,
  user: (incarnation: WorkspaceId, user: string) => `au/${pad(incarnation)}/${user}`,
  keyUses: (incarnation: WorkspaceId, user: string) => `al/${pad(incarnation)}/${user}`,
  tokens: (incarnation: WorkspaceId) => `at/${pad(incarnation)}`,
  key: (hash: string) => `k/${hash}`,
  lastIncarnation: "an",
} as const;
