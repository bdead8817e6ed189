import { type UserIncarnation, type WorkspaceId, workspaceId } from "../domain/ids.ts";
/**
 * Keys and records of accounts, users and API keys.
 *
 * a/<account> AccountRecord ai/<incarnation> IncarnationRecord a living account by its number
 * az/<incarnation> {} an account that was deleted and whose data is still being purged
 * au/<incarnation>/<user> UserRecord at/<incarnation> Tokens what calls of models have cost
 * (token-ledger.ts); 0 = the whole server k/<sha256 of the key> KeyRecord an the last incarnation number
 * given
 *
 * Everything below an account hangs on its incarnation, so that removing two records makes all of it
 * unreachable at once, and a name may be born again while the old data is still there.
 */
export interface AccountRecord {
  readonly incarnation: WorkspaceId;
  /** Unix time in ms. */
  readonly createdAt: number;
  /** Made by an administrator, not by a first write. */
  readonly listed: boolean;
  readonly users: number;
  readonly admins: number;
  /**
   * Users registered so far, those of earlier versions not counted: the last of them has this incarnation.
   */
  readonly registered?: number;
}

export interface IncarnationRecord {
  readonly account: string;
}

export type UserRole = "admin" | "user";

export interface UserRecord {
  readonly role: UserRole;
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly keyHash: string;
  /** Missing: 0. */
  readonly incarnation?: UserIncarnation;
  /** Number of replaced keys; missing: none. */
  readonly keyVersion?: number;
}

export interface KeyRecord {
  readonly incarnation: WorkspaceId;
  readonly user: string;
}

const WIDTH = 7;
const pad = (incarnation: WorkspaceId) => incarnation.toString(36).padStart(WIDTH, "0");

export const accountKeys = {
  accounts: "a/",
  account: (account: string) => `a/${account}`,
  incarnation: (incarnation: WorkspaceId) => `ai/${pad(incarnation)}`,
  deletions: "az/",
  deletion: (incarnation: WorkspaceId) => `az/${pad(incarnation)}`,
  incarnationOfDeletion: (key: string) => workspaceId(Number.parseInt(key.slice("az/".length), 36)),
  users: (incarnation: WorkspaceId) => `au/${pad(incarnation)}/`,
  user: (incarnation: WorkspaceId, user: string) => `au/${pad(incarnation)}/${user}`,
  tokens: (incarnation: WorkspaceId) => `at/${pad(incarnation)}`,
  key: (hash: string) => `k/${hash}`,
  lastIncarnation: "an",
} as const;
