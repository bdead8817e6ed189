import type { Clock } from "../base/clock.ts";
import { checkIdentifier } from "../domain/caller.ts";
import { alreadyExists, failedPrecondition, invalidArgument, notFound } from "../domain/errors.ts";
import { Draft } from "../storage/draft.ts";
import { after, type Kv, type KvReader, prefixRange } from "../storage/kv.ts";
import { decode, encode } from "../storage/records.ts";
import { type AccountRecord, type IncarnationRecord, accountKeys as keys, type UserRecord, type UserRole } from "./account-records.ts";
import { generateKey } from "./api-keys.ts";

/** Where an account's data lies. Times are Unix ms. */
export interface AccountPlace {
  readonly incarnation: number;
  readonly createdAt: number;
}

export interface AccountListing {
  readonly account: string;
  readonly createdAt: number;
  readonly users: number;
}

export interface UserListing {
  readonly user: string;
  readonly role: UserRole;
}

/** Writes what has to change together with the accounts, in the same transaction. */
export type Along = (draft: Draft, incarnation: number) => void;

export const DEFAULT_ACCOUNT = "default";

const PAGE = 1000;

/** Accounts, their users and keys. Every check is made at the commit point, so that no two requests can both pass it. */
export class Registry {
  readonly #kv: Kv;
  readonly #clock: Clock;
  readonly #keyless: boolean;

  /** `keyless`: no root key is configured, and accounts come into being by being written to. */
  constructor(kv: Kv, clock: Clock, keyless: boolean) {
    this.#kv = kv;
    this.#clock = clock;
    this.#keyless = keyless;
  }

  /** The living account of a name; undefined where it was never created or written. */
  incarnationOf(account: string): AccountPlace | undefined {
    const record = accountAt(this.#kv, account);
    return record && placeOf(record);
  }

  /** The living account of an incarnation; undefined once it is deleted. */
  accountOf(incarnation: number): (AccountPlace & { readonly account: string }) | undefined {
    const account = decode<IncarnationRecord>(this.#kv.get(keys.incarnation(incarnation)))?.account;
    const place = account === undefined ? undefined : this.incarnationOf(account);
    return place && account !== undefined ? { account, ...place } : undefined;
  }

  /** The place of an account that is about to be written to. Makes it, unlisted, where ruling A1 lets it spring into being; else NOT_FOUND. */
  ensureAccount(account: string): Promise<AccountPlace> {
    return this.#commit((draft) => placeOf(accountAt(draft, account) ?? this.#springUp(draft, account)));
  }

  /** Returns the key of the first ADMIN. An account that was only written to so far becomes a listed one and keeps its data. ALREADY_EXISTS. */
  createAccount(account: string, admin: string, along?: Along): Promise<{ readonly key: string }> {
    return this.#commit((draft) => {
      checkIdentifier("account_id", account);
      checkIdentifier("admin_user_id", admin);
      const found = accountAt(draft, account);
      if (found?.listed) throw alreadyExists("account", account);
      const record = { ...(found ?? this.#newAccount(draft, account)), createdAt: this.#clock(), listed: true };
      const key = this.#addUser(draft, account, record, admin, "admin");
      along?.(draft, record.incarnation);
      return { key };
    });
  }

  /** Listed accounts in order of their ids. */
  async listAccounts(): Promise<AccountListing[]> {
    const listings: AccountListing[] = [];
    for await (const [key, value] of this.#all(keys.accounts)) {
      const { createdAt, listed, users } = decode<AccountRecord>(value);
      if (listed) listings.push({ account: key.slice(keys.accounts.length), createdAt, users });
    }
    return listings;
  }

  /** Incarnations of all accounts, those that were only written to so far included. */
  async incarnations(): Promise<number[]> {
    const found: number[] = [];
    for await (const [, value] of this.#all(keys.accounts)) found.push(decode<AccountRecord>(value).incarnation);
    return found;
  }

  /** From then on name, keys and data are gone for everybody; the incarnation waits to be purged (see `deletions`). NOT_FOUND. */
  deleteAccount(account: string, along?: Along): Promise<{ readonly incarnation: number }> {
    return this.#commit((draft) => {
      const { incarnation } = listedAccount(draft, account);
      draft.delete(keys.account(account));
      draft.delete(keys.incarnation(incarnation));
      draft.put(keys.deletion(incarnation), encode({}));
      along?.(draft, incarnation);
      return { incarnation };
    });
  }

  /** Incarnations of deleted accounts whose data may still be there. */
  async deletions(): Promise<number[]> {
    const found: number[] = [];
    for await (const [key] of this.#all(keys.deletions)) found.push(keys.incarnationOfDeletion(key));
    return found;
  }

  /** To be called once all else of a deleted incarnation is purged: removes its users and keys, and the incarnation from `deletions`. Repeatable. */
  async finishDeletion(incarnation: number): Promise<void> {
    if (this.accountOf(incarnation)) throw new Error(`incarnation ${incarnation} is not deleted`);
    const users = keys.users(incarnation);
    for (;;) {
      const page = await this.#kv.range(prefixRange(users, PAGE));
      await this.#commit((draft) => {
        for (const [key, value] of page) {
          draft.delete(keys.key(decode<UserRecord>(value).keyHash));
          draft.delete(key);
        }
        if (page.length < PAGE) for (const key of [keys.tokens(incarnation), keys.deletion(incarnation)]) draft.delete(key);
      });
      if (page.length < PAGE) return;
    }
  }

  /** Returns the key of the new user. NOT_FOUND (account), ALREADY_EXISTS. */
  registerUser(account: string, user: string, role: UserRole): Promise<{ readonly key: string }> {
    return this.#commit((draft) => {
      checkIdentifier("user_id", user);
      const record = listedAccount(draft, account);
      if (draft.get(keys.user(record.incarnation, user))) throw alreadyExists("user", user);
      return { key: this.#addUser(draft, account, record, user, role) };
    });
  }

  /** In order of their ids. NOT_FOUND. */
  async listUsers(account: string): Promise<UserListing[]> {
    const prefix = keys.users(listedAccount(this.#kv, account).incarnation);
    const listings: UserListing[] = [];
    for await (const [key, value] of this.#all(prefix))
      listings.push({ user: key.slice(prefix.length), role: decode<UserRecord>(value).role });
    return listings;
  }

  /** Removes user and key; `along` removes what the user owned. NOT_FOUND, FAILED_PRECONDITION for the last ADMIN. */
  removeUser(account: string, user: string, along?: Along): Promise<{ readonly incarnation: number }> {
    return this.#commit((draft) => {
      const { record, found } = userAt(draft, account, user);
      const admins = record.admins - (found.role === "admin" ? 1 : 0);
      if (admins === 0) throw lastAdmin(user);
      draft.delete(keys.user(record.incarnation, user));
      draft.delete(keys.key(found.keyHash));
      draft.put(keys.account(account), encode({ ...record, users: record.users - 1, admins }));
      along?.(draft, record.incarnation);
      return { incarnation: record.incarnation };
    });
  }

  /** NOT_FOUND, FAILED_PRECONDITION for the last ADMIN. The same role again changes nothing. */
  setRole(account: string, user: string, role: UserRole): Promise<void> {
    return this.#commit((draft) => {
      const { record, found } = userAt(draft, account, user);
      if (found.role === role) return;
      const admins = record.admins + (role === "admin" ? 1 : -1);
      if (admins === 0) throw lastAdmin(user);
      draft.put(keys.user(record.incarnation, user), encode({ ...found, role }));
      draft.put(keys.account(account), encode({ ...record, admins }));
    });
  }

  /** Returns the new key; the old one is invalid from then on. NOT_FOUND. */
  regenerateKey(account: string, user: string): Promise<{ readonly key: string }> {
    return this.#commit((draft) => {
      const { record, found } = userAt(draft, account, user);
      draft.delete(keys.key(found.keyHash));
      const { key, hash } = generateKey();
      draft.put(keys.key(hash), encode({ incarnation: record.incarnation, user }));
      draft.put(keys.user(record.incarnation, user), encode({ ...found, keyHash: hash }));
      return { key };
    });
  }

  #addUser(draft: Draft, account: string, record: AccountRecord, user: string, role: UserRole): string {
    const { key, hash } = generateKey();
    draft.put(keys.key(hash), encode({ incarnation: record.incarnation, user }));
    draft.put(keys.user(record.incarnation, user), encode({ role, createdAt: this.#clock(), keyHash: hash } satisfies UserRecord));
    const admins = record.admins + (role === "admin" ? 1 : 0);
    draft.put(keys.account(account), encode({ ...record, users: record.users + 1, admins }));
    return key;
  }

  #springUp(draft: Draft, account: string): AccountRecord {
    if (!this.#keyless && account !== DEFAULT_ACCOUNT) throw notFound("account", account);
    const record = this.#newAccount(draft, checkIdentifier("account_id", account));
    draft.put(keys.account(account), encode(record));
    return record;
  }

  #newAccount(draft: Draft, account: string): AccountRecord {
    const incarnation = (decode<number>(draft.get(keys.lastIncarnation)) ?? 0) + 1;
    draft.put(keys.lastIncarnation, encode(incarnation));
    draft.put(keys.incarnation(incarnation), encode({ account } satisfies IncarnationRecord));
    return { incarnation, createdAt: this.#clock(), listed: false, users: 0, admins: 0 };
  }

  #commit<T>(decide: (draft: Draft) => T): Promise<T> {
    return this.#kv.transact((read) => {
      const draft = new Draft(read);
      const result = decide(draft);
      return draft.finish(() => result);
    });
  }

  async *#all(prefix: string): AsyncIterable<[key: string, value: Uint8Array]> {
    const whole = prefixRange(prefix, PAGE);
    for (let gte = whole.gte; ; ) {
      const page = await this.#kv.range({ ...whole, gte });
      yield* page;
      if (page.length < PAGE) return;
      gte = after(page.at(-1)![0]);
    }
  }
}

/** Reads a role as a caller wrote it. */
export function checkRole(role: string): UserRole {
  if (role !== "admin" && role !== "user") throw invalidArgument("role", "must be admin or user");
  return role;
}

const accountAt = (read: Pick<KvReader, "get">, account: string) => decode<AccountRecord>(read.get(keys.account(account)));

const placeOf = ({ incarnation, createdAt }: AccountRecord): AccountPlace => ({ incarnation, createdAt });

function listedAccount(read: Pick<KvReader, "get">, account: string): AccountRecord {
  const record = accountAt(read, account);
  if (!record?.listed) throw notFound("account", account);
  return record;
}

function userAt(
  read: Pick<KvReader, "get">,
  account: string,
  user: string,
): { readonly record: AccountRecord; readonly found: UserRecord } {
  const record = listedAccount(read, account);
  const found = decode<UserRecord>(read.get(keys.user(record.incarnation, user)));
  if (!found) throw notFound("user", user);
  return { record, found };
}

const lastAdmin = (user: string) => failedPrecondition(`user ${user}`, "the last administrator of an account cannot be removed or demoted");
