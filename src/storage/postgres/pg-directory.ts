import { itemAt } from "../../base/expect.ts";
import { type AccountId, accountId, type WorkspaceId, workspaceId } from "../../domain/ids.ts";
import type { Directory, DirectoryEntry } from "../account-directory.ts";
import type { Query } from "./connection.ts";

/** Key prefix of accounts; API keys are in the same table. */
export const ACCOUNTS = "a/";
export const BEHIND_ACCOUNTS = "a0";
const KEYS = "k/";

/**
 * The directory shared by all servers of a store. Its rows are written in the same transaction as the account
 * records.
 */
export class PgDirectory implements Directory {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  incarnationOf(account: AccountId): Promise<WorkspaceId | undefined> {
    return this.#ownerOf(`${ACCOUNTS}${account}`);
  }

  incarnationOfKey(hash: string): Promise<WorkspaceId | undefined> {
    return this.#ownerOf(`${KEYS}${hash}`);
  }

  async accounts(after: string, limit: number): Promise<DirectoryEntry[]> {
    const rows = await this.#query<{ key: Buffer; incarnation: WorkspaceId; value: Buffer }>(
      `SELECT key, incarnation, value FROM ctxdb.directory JOIN ctxdb.kv USING (incarnation, key)
       WHERE key > $1 AND key < $2 ORDER BY key LIMIT $3`,
      [Buffer.from(`${ACCOUNTS}${after}`), Buffer.from(BEHIND_ACCOUNTS), limit],
    );
    return rows.map(({ key, incarnation, value }) => ({
      account: accountId(key.toString().slice(ACCOUNTS.length)),
      incarnation,
      record: value,
    }));
  }

  async #ownerOf(key: string): Promise<WorkspaceId | undefined> {
    const [found] = await this.#query<{ incarnation: WorkspaceId }>(
      "SELECT incarnation FROM ctxdb.directory WHERE key = $1",
      [Buffer.from(key)],
    );
    return found?.incarnation;
  }

  async newIncarnation(): Promise<WorkspaceId> {
    const rows = await this.#query<{ number: number }>("SELECT nextval($1::regclass) AS number", [
      "ctxdb.incarnations",
    ]);
    return workspaceId(itemAt(rows, 0).number);
  }
}
