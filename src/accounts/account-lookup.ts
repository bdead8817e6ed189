import type { Caller } from "../domain/caller.ts";
import { failedPrecondition, notFound } from "../domain/errors.ts";
import { type AccountId, isAccountId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import {
  ACCOUNT_RECORDS,
  type AccountRecord,
  accountKeys as keys,
  USER_RECORDS,
  type UserRecord,
} from "./account-records.ts";
import { accountDeleted, checkAdministrator, checkStanding } from "./standing.ts";

export const accountAt = (read: Pick<KvReader, "get">, account: AccountId) =>
  ACCOUNT_RECORDS.read(read, keys.account(account));

/** The account name in a request. Throws NOT_FOUND for a malformed name, which no account can have. */
export function namedAccount(name: string): AccountId {
  if (!isAccountId(name)) throw notFound("account", name);
  return name;
}

/** A listed account. Throws NOT_FOUND. `by`: the administrator who asks (see checkAdministrator). */
export function listedAccount(read: Pick<KvReader, "get">, account: AccountId, by?: Caller): AccountRecord {
  const record = accountAt(read, account);
  if (!record?.listed) throw notFound("account", account);
  if (by) checkAdministrator(read, { account, incarnation: record.incarnation }, by);
  return record;
}

/** A registered user with the account. Throws NOT_FOUND if either is unknown. */
export function userAt(
  read: Pick<KvReader, "get">,
  account: AccountId,
  user: string,
  by?: Caller,
): { readonly record: AccountRecord; readonly found: UserRecord } {
  const record = listedAccount(read, account, by);
  const found = USER_RECORDS.read(read, keys.user(record.incarnation, user));
  if (!found) throw notFound("user", user);
  return { record, found };
}

/** Like `userAt`, but users may also ask for themselves. */
export function ownUserAt(
  read: Pick<KvReader, "get">,
  account: AccountId,
  user: string,
  by?: Caller,
): ReturnType<typeof userAt> {
  if (by?.role !== "user" || by.account !== account || by.user !== user)
    return userAt(read, account, user, by);
  const found = userAt(read, account, user);
  if (by.accountIncarnation !== found.record.incarnation) throw accountDeleted(account);
  checkStanding(read, found.record.incarnation, by);
  return found;
}

export const lastAdmin = (user: string) =>
  failedPrecondition(
    `user ${user}`,
    "the last administrator of an account cannot be removed or demoted: first make another user an admin",
  );
