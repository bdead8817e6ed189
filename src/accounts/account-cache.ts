import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import type { RecordKind } from "../storage/record-codec.ts";
import {
  ACCOUNT_RECORDS,
  type AccountRecord,
  INCARNATION_RECORDS,
  type IncarnationRecord,
  KEY_RECORDS,
  type KeyRecord,
  accountKeys as keys,
  USER_RECORDS,
  type UserRecord,
} from "./account-records.ts";

/** Maximum number of cached records of each kind; enough for some thousand active users. */
const MAX_RECORDS = 10_000;

/**
 * Caches decoded records of accounts, users and keys, which every call reads several times. Only the Registry
 * writes them, and invalidates them here when a change becomes visible.
 */
export class AccountCache {
  readonly #accounts: DecodedRecords<AccountRecord>;
  readonly #incarnations: DecodedRecords<IncarnationRecord>;
  readonly #users: DecodedRecords<UserRecord>;
  readonly #keys: DecodedRecords<KeyRecord>;

  constructor(kv: Pick<KvReader, "get">) {
    this.#accounts = new DecodedRecords(kv, ACCOUNT_RECORDS);
    this.#incarnations = new DecodedRecords(kv, INCARNATION_RECORDS);
    // cache missing users, too: ROOT mostly acts for unregistered users
    this.#users = new DecodedRecords(kv, USER_RECORDS, true);
    this.#keys = new DecodedRecords(kv, KEY_RECORDS);
  }

  account(account: AccountId): AccountRecord | undefined {
    return this.#accounts.read(keys.account(account));
  }

  /** The existing account of an incarnation. */
  incarnation(incarnation: WorkspaceId): IncarnationRecord | undefined {
    return this.#incarnations.read(keys.incarnation(incarnation));
  }

  user(incarnation: WorkspaceId, user: string): UserRecord | undefined {
    return this.#users.read(keys.user(incarnation, user));
  }

  /**
   * The user of an API key, by the key's hash. Unknown hashes are not cached, because anybody can send them.
   */
  key(hash: string): KeyRecord | undefined {
    return this.#keys.read(keys.key(hash));
  }

  /** Clears the cache, because another server may have changed records. */
  clear(): void {
    for (const kind of this.#kinds) kind.clear();
  }

  /** Must be called when changes of records become visible. */
  forget(changed: Iterable<string>): void {
    const kinds = this.#kinds;
    for (const key of changed) for (const kind of kinds) kind.forget(key);
  }

  get #kinds(): readonly Pick<DecodedRecords<unknown>, "clear" | "forget">[] {
    return [this.#accounts, this.#incarnations, this.#users, this.#keys];
  }
}

/** Decoded records of one kind. */
class DecodedRecords<T> {
  readonly #kv: Pick<KvReader, "get">;
  readonly #kind: RecordKind<T>;
  readonly #keepsMissing: boolean;
  readonly #records = new Map<string, T | undefined>();

  /** `keepsMissing`: also caches keys without a record; only for keys that callers cannot choose at will. */
  constructor(kv: Pick<KvReader, "get">, kind: RecordKind<T>, keepsMissing = false) {
    this.#kv = kv;
    this.#kind = kind;
    this.#keepsMissing = keepsMissing;
  }

  read(key: string): T | undefined {
    const known = this.#records.get(key);
    if (known !== undefined || this.#records.has(key)) return known;
    const record = this.#kind.read(this.#kv, key);
    if (record === undefined && !this.#keepsMissing) return undefined;
    if (this.#records.size >= MAX_RECORDS) this.#records.clear();
    this.#records.set(key, record);
    return record;
  }

  forget(key: string): void {
    this.#records.delete(key);
  }

  clear(): void {
    this.#records.clear();
  }
}
