import { type AccountId, accountId, type WorkspaceId, workspaceId } from "../../domain/ids.ts";
import {
  DIRECTORY_PLACES,
  type Directory,
  type DirectoryEntry,
  LAST_INCARNATION,
} from "../account-directory.ts";
import { type Kv, after as keyAfter, prefixRange } from "../kv.ts";
import { encodeRecord, NUMBERS } from "../record-codec.ts";

/** Prefixes of the records of accounts and keys (src/accounts/account-records.ts). */
const ACCOUNTS = "a/";
const KEYS = "k/";

/** Number of incarnations reserved per write; a killed process loses the unused ones. */
const BLOCK = 64;

/** Directory of a store used by a single server; reads the account records. */
export class KvDirectory implements Directory {
  readonly #kv: Kv;
  #given: number;
  #reserved: number;

  constructor(kv: Kv) {
    this.#kv = kv;
    this.#reserved = NUMBERS.read(kv, LAST_INCARNATION) ?? 0;
    this.#given = this.#reserved;
  }

  async incarnationOf(account: AccountId): Promise<WorkspaceId | undefined> {
    return DIRECTORY_PLACES.read(this.#kv, `${ACCOUNTS}${account}`)?.incarnation;
  }

  async incarnationOfKey(hash: string): Promise<WorkspaceId | undefined> {
    return DIRECTORY_PLACES.read(this.#kv, `${KEYS}${hash}`)?.incarnation;
  }

  async accounts(after: string, limit: number): Promise<DirectoryEntry[]> {
    const range = { ...prefixRange(ACCOUNTS, limit), gte: keyAfter(`${ACCOUNTS}${after}`) };
    const found = await this.#kv.range(range);
    return found.map(([key, value]) => ({
      account: accountId(key.slice(ACCOUNTS.length)),
      incarnation: DIRECTORY_PLACES.decode(value, key).incarnation,
      record: value,
    }));
  }

  async newIncarnation(): Promise<WorkspaceId> {
    const number = ++this.#given;
    if (number > this.#reserved)
      await this.#kv.transact((read) => {
        const reserved = Math.max(NUMBERS.read(read, LAST_INCARNATION) ?? 0, number + BLOCK - 1);
        return {
          ops: [{ key: LAST_INCARNATION, value: encodeRecord(reserved) }],
          apply: () => {
            this.#reserved = Math.max(this.#reserved, reserved);
          },
        };
      });
    return workspaceId(number);
  }
}
