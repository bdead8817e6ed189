import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import { isNumber, objects } from "./record-codec.ts";

/** What the directory reads from the records of accounts and keys (src/accounts/account-records.ts). */
export const DIRECTORY_PLACES = objects<{ readonly incarnation: WorkspaceId }>("account", ({ incarnation }) =>
  isNumber(incarnation),
);

/** Key of the highest incarnation that may be in use; a PostgreSQL store uses a sequence instead. */
export const LAST_INCARNATION = "an";

/** An account: its name, its current incarnation, and its stored record. */
export interface DirectoryEntry {
  readonly account: AccountId;
  readonly incarnation: WorkspaceId;
  readonly record: Uint8Array;
}

/**
 * Looks up accounts across all workspaces, before records of a workspace can be read. An answer may be
 * seconds old; the workspace itself decides at its commit point.
 */
export interface Directory {
  /** Undefined if no account has this name. */
  incarnationOf(account: AccountId): Promise<WorkspaceId | undefined>;
  /** The workspace of an API key, by the key's hash. */
  incarnationOfKey(hash: string): Promise<WorkspaceId | undefined>;
  /** At most `limit` accounts after `after`, in name order. */
  accounts(after: string, limit: number): Promise<DirectoryEntry[]>;
  /** A number that no workspace ever had. If the caller does not use it, it is lost. */
  newIncarnation(): Promise<WorkspaceId>;
}
