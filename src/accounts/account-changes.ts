import type { WorkspaceId } from "../domain/ids.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv, TransactOptions } from "../storage/kv.ts";
import type { AccountCache } from "./account-cache.ts";

/**
 * Maximum bytes of a change that removes access: removing a user also removes all the user's jobs and records
 * outside the tree in one transaction, however many there are.
 */
const MAX_ENDING_BYTES = 64 * 1024 * 1024;

/** A loss of access that may affect running calls. */
export interface LostAccess {
  /** `role`: the caller is no longer an administrator. */
  readonly what: "account" | "user" | "key" | "role";
  readonly incarnation: WorkspaceId;
  /** The user who lost access. */
  readonly user?: string;
}

/** Transactions on the records of accounts, users and keys. */
export class AccountChanges {
  readonly #kv: Pick<Kv, "transact">;
  readonly #records: AccountCache;
  readonly #listeners: ((lost: LostAccess) => void)[] = [];

  constructor(kv: Pick<Kv, "transact">, records: AccountCache) {
    this.#kv = kv;
    this.#records = records;
  }

  /** `listener` is called after each change that removes a caller's access. */
  onLost(listener: (lost: LostAccess) => void): void {
    this.#listeners.push(listener);
  }

  commit<T>(decide: (draft: Draft) => T, options?: TransactOptions): Promise<T> {
    return this.#kv.transact((read) => {
      const draft = new Draft(read);
      const result = decide(draft);
      draft.onDurable(() => this.#records.forget(draft.written()));
      return draft.toChange(() => result);
    }, options);
  }

  /** Like `commit`, for changes that remove access. */
  async ending<T extends Omit<LostAccess, "what">>(
    what: LostAccess["what"],
    decide: (draft: Draft) => T,
  ): Promise<T> {
    const result = await this.commit(decide, { maxBytes: MAX_ENDING_BYTES });
    const { incarnation, user } = result;
    for (const listener of this.#listeners)
      listener({ what, incarnation, ...(user !== undefined && { user }) });
    return result;
  }
}
