import type { Clock } from "../base/clock.ts";
import { type Caller, checkIdentifier } from "../domain/caller.ts";
import { alreadyExists, invalidArgument, notFound, ServiceError, unavailable } from "../domain/errors.ts";
import {
  type AccountId,
  DEFAULT_ACCOUNT,
  type UserIncarnation,
  userIncarnation,
  type WorkspaceId,
} from "../domain/ids.ts";
import type { Directory, DirectoryEntry } from "../storage/account-directory.ts";
import type { Draft } from "../storage/draft.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { AccountCache } from "./account-cache.ts";
import { AccountChanges, type LostAccess } from "./account-changes.ts";
import { accountAt, lastAdmin, listedAccount, userAt } from "./account-lookup.ts";
import { AccountQuotas } from "./account-quotas.ts";
import {
  ACCOUNT_RECORDS,
  type AccountRecord,
  type IncarnationRecord,
  accountKeys as keys,
  USER_RECORDS,
  type UserRecord,
  type UserRole,
} from "./account-records.ts";
import { generateKey } from "./api-keys.ts";
import { checkStanding, type Standing, userIncarnationOf, userRemoved } from "./standing.ts";
import { keyRecordsOf, UserKeys } from "./user-keys.ts";

/** Location of an account's data. Times are Unix time in ms. */
export interface AccountPlace {
  readonly incarnation: WorkspaceId;
  readonly createdAt: number;
}

export interface AccountListing {
  readonly account: AccountId;
  readonly createdAt: number;
  readonly users: number;
}

export interface UserListing {
  readonly user: string;
  readonly role: UserRole;
}

/** Additional writes in the transaction that changes an account. */
export type Along = (draft: Draft, incarnation: WorkspaceId) => void;

const PAGE = 1000;
const PAGE_BYTES = 1024 * 1024;
/** Users whose records are removed per transaction: each may have 50 keys, with a record each. */
const USERS_PER_CHANGE = 100;
/** Maximum number of users of an account: ListUsers returns all of them in one answer. */
const MAX_USERS = 100_000;
/** Maximum number of tracked removals; more than can happen during one request or job. */
const MAX_REMOVALS = 100_000;

/**
 * Accounts, their users and keys. Checks run at the commit point, so that two requests cannot both pass one.
 */
export class Registry {
  /** Decoded records, which every call reads. */
  readonly records: AccountCache;
  /** Additional API keys of users. */
  readonly keys: UserKeys;
  readonly quotas: AccountQuotas;
  readonly #kv: Kv;
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #keyless: boolean;
  readonly #changes: AccountChanges;
  /** Number of removals per user name since the start, for callers that act for an unregistered name. */
  readonly #removals = new Map<string, number>();

  /** `keyless`: no root key is configured, so that the first write creates an account. */
  constructor(kv: Kv, directory: Directory, clock: Clock, keyless: boolean) {
    this.records = new AccountCache(kv);
    this.#changes = new AccountChanges(kv, this.records);
    this.keys = new UserKeys(kv, this.#changes, clock);
    this.quotas = new AccountQuotas(this.records, this.#changes);
    this.#kv = kv;
    this.#directory = directory;
    this.#clock = clock;
    this.#keyless = keyless;
  }

  /** `listener` is called after each change that removes a caller's access. */
  onLost(listener: (lost: LostAccess) => void): void {
    this.#changes.onLost(listener);
  }

  /**
   * A guard that rejects changes for a user once the user is removed or the key replaced (see checkStanding).
   */
  guardOf(incarnation: WorkspaceId, standing: Standing): (read: Pick<KvReader, "get">) => void {
    const name = nameOf(incarnation, standing.user);
    const removals = this.#removals.get(name);
    return (read) => {
      checkStanding(read, incarnation, standing);
      if (this.#removals.get(name) !== removals) throw userRemoved(standing.user);
    };
  }

  /** Whether the currently registered user is `was` (undefined: none was registered). */
  isCurrent(incarnation: WorkspaceId, user: string, was: UserIncarnation | undefined): boolean {
    if (was === undefined) return true;
    const record = this.records.user(incarnation, user);
    return record !== undefined && userIncarnationOf(record) === was;
  }

  /** The existing account with this name; undefined if it was never created or written. */
  incarnationOf(account: AccountId): AccountPlace | undefined {
    const record = this.records.account(account);
    return record && placeOf(record);
  }

  /** The existing account of an incarnation; undefined once it is deleted. */
  accountOf(incarnation: WorkspaceId): (AccountPlace & { readonly account: AccountId }) | undefined {
    const account = this.records.incarnation(incarnation)?.account;
    const place = account === undefined ? undefined : this.incarnationOf(account);
    return place && account !== undefined ? { account, ...place } : undefined;
  }

  /**
   * Returns the account that is about to be written. If it is missing, creates it, unlisted, if there is no
   * root key or it is `default`; otherwise throws NOT_FOUND.
   */
  async ensureAccount(account: AccountId): Promise<AccountPlace> {
    const next = await this.#nextFor(account, () => this.#checkMaySpringUp(account));
    return this.#changes.commit((draft) =>
      placeOf(accountAt(draft, account) ?? this.#springUp(draft, account, next)),
    );
  }

  /**
   * Creates a listed account and returns the key of its first ADMIN. An account that so far exists only
   * through writes becomes listed and keeps its data. Throws ALREADY_EXISTS for an account that is listed.
   */
  async createAccount(account: AccountId, admin: string, along?: Along): Promise<{ readonly key: string }> {
    checkIdentifier("admin_user_id", admin);
    const next = await this.#nextFor(account);
    return this.#changes.commit((draft) => {
      const found = accountAt(draft, account);
      if (found?.listed) throw alreadyExists("account", account);
      const record = {
        ...(found ?? this.#newAccount(draft, account, next)),
        createdAt: this.#clock(),
        listed: true,
      };
      const key = this.#addUser(draft, account, record, admin, "admin");
      along?.(draft, record.incarnation);
      return { key };
    });
  }

  /** Listed accounts, sorted by id. */
  async listAccounts(): Promise<AccountListing[]> {
    const listings: AccountListing[] = [];
    for await (const { account, record } of this.#entries()) {
      const { createdAt, listed, users } = ACCOUNT_RECORDS.decode(record, keys.account(account));
      if (listed) listings.push({ account, createdAt, users });
    }
    return listings;
  }

  /** Incarnations of all accounts, including accounts created by a first write. */
  async incarnations(): Promise<WorkspaceId[]> {
    const found: WorkspaceId[] = [];
    for await (const { incarnation } of this.#entries()) found.push(incarnation);
    return found;
  }

  /** All accounts, ordered by name. */
  async *#entries(): AsyncIterable<DirectoryEntry> {
    for (let after = ""; ; ) {
      const page = await this.#directory.accounts(after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.account ?? "";
    }
  }

  /**
   * Deletes an account: name, keys and data become inaccessible at once; its data is purged later (see
   * `deletions`). Throws NOT_FOUND for an unknown account.
   */
  deleteAccount(account: AccountId, along?: Along): Promise<{ readonly incarnation: WorkspaceId }> {
    return this.#changes.ending("account", (draft) => {
      const { incarnation } = listedAccount(draft, account);
      draft.delete(keys.account(account));
      draft.delete(keys.incarnation(incarnation));
      draft.put(keys.deletion(incarnation), encodeRecord({}));
      along?.(draft, incarnation);
      return { incarnation };
    });
  }

  /** Incarnations of deleted accounts whose data may not be purged yet: `of` or all. */
  async deletions(of: WorkspaceId | "everything"): Promise<WorkspaceId[]> {
    if (of !== "everything") return this.#kv.get(keys.deletion(of)) ? [of] : [];
    const found: WorkspaceId[] = [];
    for await (const [key] of this.#all(keys.deletions)) found.push(keys.incarnationOfDeletion(key));
    return found;
  }

  /**
   * Must be called once all other data of a deleted incarnation is purged. Removes its users and keys, and
   * the incarnation from `deletions`. Idempotent.
   */
  async finishDeletion(incarnation: WorkspaceId): Promise<void> {
    if (this.accountOf(incarnation)) throw new Error(`incarnation ${incarnation} is not deleted`);
    const users = keys.users(incarnation);
    for (;;) {
      const page = await this.#kv.range(prefixRange(users, USERS_PER_CHANGE));
      await this.#changes.commit((draft) => {
        for (const [key, value] of page) {
          const user = key.slice(users.length);
          const found = USER_RECORDS.decode(value, key);
          for (const record of keyRecordsOf(incarnation, user, found)) draft.delete(record);
          draft.delete(key);
        }
        if (page.length < USERS_PER_CHANGE)
          for (const key of [keys.tokens(incarnation), keys.deletion(incarnation)]) draft.delete(key);
      });
      if (page.length < USERS_PER_CHANGE) return;
    }
  }

  /**
   * Registers a user and returns the key. Throws NOT_FOUND (account), ALREADY_EXISTS. `by`: the administrator
   * who asks (see checkAdministrator).
   */
  registerUser(
    account: AccountId,
    user: string,
    role: UserRole,
    by?: Caller,
  ): Promise<{ readonly key: string }> {
    return this.#changes.commit((draft) => {
      checkIdentifier("user_id", user);
      const record = listedAccount(draft, account, by);
      if (draft.get(keys.user(record.incarnation, user))) throw alreadyExists("user", user);
      if (record.users >= MAX_USERS) throw tooManyUsers(account);
      return { key: this.#addUser(draft, account, record, user, role) };
    });
  }

  /** Users of an account, sorted by id. Throws NOT_FOUND for an unknown account. */
  async listUsers(account: AccountId): Promise<UserListing[]> {
    const prefix = keys.users(listedAccount(this.#kv, account).incarnation);
    const listings: UserListing[] = [];
    for await (const [key, value] of this.#all(prefix))
      listings.push({ user: key.slice(prefix.length), role: USER_RECORDS.decode(value, key).role });
    return listings;
  }

  /**
   * Removes a user and the user's keys; `along` removes the data. Afterwards nothing is done for this user,
   * and a later user of the same name is a different one. Throws NOT_FOUND, and FAILED_PRECONDITION for the
   * last ADMIN.
   */
  removeUser(
    account: AccountId,
    user: string,
    along?: Along,
    by?: Caller,
  ): Promise<{ readonly incarnation: WorkspaceId; readonly userIncarnation: UserIncarnation }> {
    return this.#changes.ending("user", (draft) => {
      const { record, found } = userAt(draft, account, user, by);
      const admins = record.admins - (found.role === "admin" ? 1 : 0);
      if (admins === 0) throw lastAdmin(user);
      draft.delete(keys.user(record.incarnation, user));
      for (const key of keyRecordsOf(record.incarnation, user, found)) draft.delete(key);
      draft.put(keys.account(account), encodeRecord({ ...record, users: record.users - 1, admins }));
      const { incarnation } = record;
      this.#noteRemoval(incarnation, user);
      along?.(draft, incarnation);
      return { incarnation, user, userIncarnation: userIncarnationOf(found) };
    });
  }

  /**
   * Changes the role of a user; no effect if it is unchanged. Throws NOT_FOUND, and FAILED_PRECONDITION for
   * the last ADMIN.
   */
  async setRole(account: AccountId, user: string, role: UserRole): Promise<void> {
    const change = (draft: Draft) => {
      const { record, found } = userAt(draft, account, user);
      const { incarnation } = record;
      if (found.role === role) return { incarnation, user };
      const admins = record.admins + (role === "admin" ? 1 : -1);
      if (admins === 0) throw lastAdmin(user);
      draft.put(keys.user(incarnation, user), encodeRecord({ ...found, role }));
      draft.put(keys.account(account), encodeRecord({ ...record, admins }));
      return { incarnation, user };
    };
    await (role === "admin" ? this.#changes.commit(change) : this.#changes.ending("role", change));
  }

  /**
   * Replaces the main key of a user and returns the new one; the old key is invalid at once. Throws
   * NOT_FOUND.
   */
  regenerateKey(account: AccountId, user: string, by?: Caller): Promise<{ readonly key: string }> {
    return this.#changes.ending("key", (draft) => {
      const { record, found } = userAt(draft, account, user, by);
      draft.delete(keys.key(found.keyHash));
      const { key, hash } = generateKey();
      draft.put(keys.key(hash), encodeRecord({ incarnation: record.incarnation, user }));
      draft.put(
        keys.user(record.incarnation, user),
        encodeRecord({
          ...found,
          keyHash: hash,
          keyVersion: (found.keyVersion ?? 0) + 1,
        } satisfies UserRecord),
      );
      return { incarnation: record.incarnation, user, key };
    });
  }

  #addUser(draft: Draft, account: AccountId, record: AccountRecord, user: string, role: UserRole): string {
    const { key, hash } = generateKey();
    draft.put(keys.key(hash), encodeRecord({ incarnation: record.incarnation, user }));
    const incarnation = userIncarnation((record.registered ?? 0) + 1);
    const made: UserRecord = { role, createdAt: this.#clock(), keyHash: hash, incarnation };
    draft.put(keys.user(record.incarnation, user), encodeRecord(made));
    const admins = record.admins + (role === "admin" ? 1 : 0);
    draft.put(
      keys.account(account),
      encodeRecord({ ...record, users: record.users + 1, admins, registered: incarnation }),
    );
    return key;
  }

  /** Reserves an incarnation for a new account before the transaction; undefined if the account exists. */
  async #nextFor(account: AccountId, check = () => undefined): Promise<WorkspaceId | undefined> {
    if ((await this.#directory.incarnationOf(account)) !== undefined) return undefined;
    check();
    return this.#directory.newIncarnation();
  }

  #checkMaySpringUp(account: AccountId): undefined {
    if (!this.#keyless && account !== DEFAULT_ACCOUNT) throw notFound("account", account);
    return undefined;
  }

  #springUp(draft: Draft, account: AccountId, next: WorkspaceId | undefined): AccountRecord {
    const record = this.#newAccount(draft, account, next);
    draft.put(keys.account(account), encodeRecord(record));
    return record;
  }

  #newAccount(draft: Draft, account: AccountId, next: WorkspaceId | undefined): AccountRecord {
    // the account existed when the incarnation would have been reserved
    if (next === undefined) throw unavailable(`account ${account} was just deleted; try again`);
    draft.put(keys.incarnation(next), encodeRecord({ account } satisfies IncarnationRecord));
    return { incarnation: next, createdAt: this.#clock(), listed: false, users: 0, admins: 0 };
  }

  /**
   * Counted before the change is written, so that decisions after the commit see it. If the write fails, too
   * much is refused, but never too little.
   */
  #noteRemoval(incarnation: WorkspaceId, user: string): void {
    const name = nameOf(incarnation, user);
    const removals = (this.#removals.get(name) ?? 0) + 1;
    this.#removals.delete(name);
    this.#removals.set(name, removals);
    for (const oldest of this.#removals.keys()) {
      if (this.#removals.size <= MAX_REMOVALS) return;
      this.#removals.delete(oldest);
    }
  }

  async *#all(prefix: string): AsyncIterable<[key: string, value: Uint8Array]> {
    const range = { ...prefixRange(prefix, PAGE), maxBytes: PAGE_BYTES };
    for await (const page of pairPages(this.#kv, range)) yield* page;
  }
}

/** Parses the role in a request. */
export function checkRole(role: string): UserRole {
  if (role !== "admin" && role !== "user") throw invalidArgument("role", "must be admin or user");
  return role;
}

const placeOf = ({ incarnation, createdAt }: AccountRecord): AccountPlace => ({ incarnation, createdAt });

const nameOf = (incarnation: WorkspaceId, user: string): string => `${incarnation}/${user}`;

function tooManyUsers(account: AccountId): ServiceError {
  const resource = `users of account ${account}`;
  const reason = `an account can have at most ${MAX_USERS} users`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${resource}: ${reason}`, { resource, reason });
}
