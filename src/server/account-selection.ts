import {
  ACCOUNT_RECORDS,
  accountKeys,
  INCARNATION_RECORDS,
  type IncarnationRecord,
  KEY_RECORDS,
} from "../accounts/account-records.ts";
import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { Pair } from "../storage/backup/packed-records.ts";
import type { RestoreSelection } from "../storage/backup/restore-backup.ts";
import { idKey } from "../storage/key-numbers.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { Keys } from "../workspace/keys.ts";
import { bucketOf } from "../workspace/tree/contents.ts";

/**
 * Keys that contain a workspace number: records, tasks, users, tokens and jobs (including formats 1 and 2).
 */
const OF_WORKSPACE = /^(?:(?:w|y|ai|au|al|at|q|qn|qx)\/|q\/[^/]*\/[^/]*\/)([0-9a-z]{7})(?:\/|$)/;
/**
 * Records of the server itself that a data directory needs: counters and facts, without its token counts. Any
 * other record is left out: it may belong to another account.
 */
const NEEDED = /^(?:an$|qn$|m\/(?!tokens$))/;
const KEYS = "k/";

/** Selects the records of one account, and the server's records required to open them. */
export class AccountSelection implements RestoreSelection {
  readonly #account: AccountId;
  readonly #as: AccountId;
  readonly #incarnation: WorkspaceId;

  private constructor(account: AccountId, as: AccountId, incarnation: WorkspaceId) {
    this.#account = account;
    this.#as = as;
    this.#incarnation = incarnation;
  }

  /** Undefined if the records contain no such account. `as`: new name of the account. */
  static async find(
    pages: AsyncIterable<readonly Pair[]>,
    account: AccountId,
    as = account,
  ): Promise<AccountSelection | undefined> {
    const wanted = accountKeys.account(account);
    for await (const page of pages)
      for (const [key, value] of page) {
        if (key === wanted)
          return new AccountSelection(account, as, ACCOUNT_RECORDS.decode(value, key).incarnation);
        if (key > wanted) return undefined;
      }
    return undefined;
  }

  record([key, value]: Pair): Pair | undefined {
    if (key.startsWith(accountKeys.accounts))
      return key === accountKeys.account(this.#account) ? [accountKeys.account(this.#as), value] : undefined;
    if (key === accountKeys.incarnation(this.#incarnation)) {
      const record = INCARNATION_RECORDS.decode(value, key);
      return [key, encodeRecord({ ...record, account: this.#as } satisfies IncarnationRecord)];
    }
    if (key.startsWith(KEYS))
      return KEY_RECORDS.decode(value, key).incarnation === this.#incarnation ? [key, value] : undefined;
    const workspace = OF_WORKSPACE.exec(key)?.[1];
    const isLeftOut = workspace === undefined ? !NEEDED.test(key) : workspace !== idKey(this.#incarnation);
    // a copy under another name must neither send the original's webhooks nor import its sources again
    if (this.#as !== this.#account && new Keys(this.#incarnation).isActing(key)) return undefined;
    return isLeftOut ? undefined : [key, value];
  }

  hasBucket(bucket: string): boolean {
    return bucket === bucketOf(this.#incarnation);
  }
}
