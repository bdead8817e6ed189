import type { AccountId, WorkspaceId } from "../domain/ids.ts";

/** An account's name, the number of its present life, and its record as stored. */
export interface DirectoryEntry {
  readonly account: AccountId;
  readonly incarnation: WorkspaceId;
  readonly record: Uint8Array;
}

/**
 * The accounts of all workspaces, which are looked up before the records of a workspace. An answer may be some
 * seconds old; the workspace that it names decides at its commit point.
 */
export interface Directory {
  /** Undefined if no account has the name. */
  incarnationOf(account: AccountId): Promise<WorkspaceId | undefined>;
  /** The workspace of an API key, by the key's hash. */
  incarnationOfKey(hash: string): Promise<WorkspaceId | undefined>;
  /** At most `limit` accounts in order of their names, those behind `after`. */
  accounts(after: string, limit: number): Promise<DirectoryEntry[]>;
  /** A number that no workspace had before, and none will have if this one does not take it. */
  newIncarnation(): Promise<WorkspaceId>;
}
