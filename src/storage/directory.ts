import type { AccountId, WorkspaceId } from "../domain/ids.ts";

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
