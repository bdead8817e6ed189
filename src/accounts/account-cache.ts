import type { WorkspaceId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import { decodeRecord } from "../storage/records.ts";
import {
  type AccountRecord,
  type IncarnationRecord,
  type KeyRecord,
  accountKeys as keys,
  type UserRecord,
} from "./account-records.ts";

/** Records of some thousand users who are active. */
const MAX_RECORDS = 20_000;

/**
 * Records of accounts, users and keys, which every call reads several times: decoded once, and kept until a
 * change of them becomes visible. The Registry alone writes them, and says so.
 */
export class AccountCache {
  readonly #kv: Pick<KvReader, "get">;
  readonly #records = new Map<string, unknown>();

  constructor(kv: Pick<KvReader, "get">) {
    this.#kv = kv;
  }

  account(account: string): AccountRecord | undefined {
    return this.#read(keys.account(account));
  }

  /** The living account of an incarnation. */
  incarnation(incarnation: WorkspaceId): IncarnationRecord | undefined {
    return this.#read(keys.incarnation(incarnation));
  }

  user(incarnation: WorkspaceId, user: string): UserRecord | undefined {
    const key = keys.user(incarnation, user);
    const record = this.#read<UserRecord>(key);
    // where ROOT acts for somebody, mostly nobody is registered
    if (record === undefined) this.#keep(key, undefined);
    return record;
  }

  /** The user of an API key, by its hash. Unknown ones are not kept, since anybody can send them. */
  key(hash: string): KeyRecord | undefined {
    return this.#read(keys.key(hash));
  }

  /** To be called in the moment in which changes of records become visible. */
  forget(changed: Iterable<string>): void {
    for (const key of changed) this.#records.delete(key);
  }

  #read<T>(key: string): T | undefined {
    if (this.#records.has(key)) return this.#records.get(key) as T | undefined;
    const record = decodeRecord<T>(this.#kv.get(key));
    if (record !== undefined) this.#keep(key, record);
    return record;
  }

  #keep(key: string, record: unknown): void {
    if (this.#records.size >= MAX_RECORDS) this.#records.clear();
    this.#records.set(key, record);
  }
}
