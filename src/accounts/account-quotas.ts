import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { Draft } from "../storage/draft.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import type { AccountCache } from "./account-cache.ts";
import type { AccountChanges } from "./account-changes.ts";
import { listedAccount } from "./account-lookup.ts";
import { INCARNATION_RECORDS, type IncarnationRecord, accountKeys as keys } from "./account-records.ts";
import { NO_QUOTAS, QUOTA_NAMES, type Quotas, RETENTION_NAMES } from "./quotas.ts";

/**
 * Quotas of accounts, stored with the incarnation. The server that holds the workspace reads and writes them,
 * so changes take effect at once.
 */
export class AccountQuotas {
  readonly #records: Pick<AccountCache, "account" | "incarnation">;
  readonly #changes: AccountChanges;

  constructor(records: Pick<AccountCache, "account" | "incarnation">, changes: AccountChanges) {
    this.#records = records;
    this.#changes = changes;
  }

  of(incarnation: WorkspaceId): Quotas {
    return this.#records.incarnation(incarnation)?.quotas ?? NO_QUOTAS;
  }

  ofAccount(account: AccountId): Quotas {
    const record = this.#records.account(account);
    return record ? this.of(record.incarnation) : NO_QUOTAS;
  }

  /**
   * Replaces all quotas of an account; `onRetention` may add writes to the transaction if the retention
   * changes. Throws NOT_FOUND for an unknown account.
   */
  set(
    account: AccountId,
    quotas: Quotas,
    onRetention?: (draft: Draft, incarnation: WorkspaceId) => void,
  ): Promise<void> {
    return this.#changes.commit((draft) => {
      const { incarnation } = listedAccount(draft, account);
      const isLimited = QUOTA_NAMES.some((name) => quotas[name] !== undefined);
      const record: IncarnationRecord = { account, ...(isLimited && { quotas }) };
      const key = keys.incarnation(incarnation);
      const before = INCARNATION_RECORDS.read(draft, key)?.quotas ?? NO_QUOTAS;
      draft.put(key, encodeRecord(record));
      if (RETENTION_NAMES.some((name) => before[name] !== quotas[name])) onRetention?.(draft, incarnation);
    });
  }
}
