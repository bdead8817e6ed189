import type { Caller, CallerKey } from "../domain/caller.ts";
import { permissionDenied, ServiceError } from "../domain/errors.ts";
import {
  type AccountId,
  isIdentifier,
  NO_USER,
  type UserIncarnation,
  type WorkspaceId,
} from "../domain/ids.ts";
import { checkAccountAdmin } from "../domain/permission.ts";
import type { KvReader } from "../storage/kv.ts";
import { accountKeys as keys, USER_RECORDS, type UserRecord } from "./account-records.ts";

type Reader = Pick<KvReader, "get">;

/** The user for whom a change is made. A user registered later under the same name is a different one. */
export type Standing = Pick<Caller, "user" | "userIncarnation" | "keyVersion" | "key"> &
  Partial<Pick<Caller, "role">>;

/** User incarnation (see Caller); 0 in records of earlier versions. */
export const userIncarnationOf = ({ incarnation }: UserRecord): UserIncarnation => incarnation ?? NO_USER;

/** Incarnation of the user currently registered with a name; undefined if none is. */
export function registrationOf(
  read: Reader,
  workspace: WorkspaceId,
  user: string,
): UserIncarnation | undefined {
  const record = isIdentifier(user) ? USER_RECORDS.read(read, keys.user(workspace, user)) : undefined;
  return record && userIncarnationOf(record);
}

/**
 * Checks that a user may still act in an account; runs at the commit point of every change for a user. Throws
 * UNAUTHENTICATED if the user was removed, or the request's key replaced or revoked; PERMISSION_DENIED if the
 * key is read-only, or the change was begun by an administrator who has lost that role.
 */
export function checkStanding(
  read: Reader,
  workspace: WorkspaceId,
  { user, userIncarnation: was, keyVersion, key, role }: Standing,
): void {
  if (key?.access === "read") throw mayOnlyRead(key);
  // the name was unregistered; a user registered since then takes over its data
  if (was === undefined) return;
  const record = USER_RECORDS.read(read, keys.user(workspace, user));
  if (!record || userIncarnationOf(record) !== was) throw userRemoved(user);
  if (keyVersion !== undefined && (record.keyVersion ?? 0) !== keyVersion) throw keyReplaced(user);
  if (key && !record.keys?.some(({ hash }) => hash === key.hash)) throw keyRevoked(user);
  if (role === "admin" && record.role !== "admin") throw roleTaken(user);
}

/**
 * Checks that a caller may still administer an account; runs at the commit point of changes by
 * administrators. Throws like `checkStanding`, and PERMISSION_DENIED if the role was revoked.
 */
export function checkAdministrator(
  read: Reader,
  place: { readonly account: AccountId; readonly incarnation: WorkspaceId },
  by: Caller,
): void {
  if (by.role === "root") return;
  const { account, incarnation } = place;
  if (by.accountIncarnation !== undefined && by.accountIncarnation !== incarnation)
    throw accountDeleted(account);
  checkStanding(read, incarnation, by);
  const role = USER_RECORDS.read(read, keys.user(incarnation, by.user))?.role ?? by.role;
  checkAccountAdmin({ ...by, role }, account);
}

export const userRemoved = (user: string) =>
  unauthenticated(`user ${user} was removed while the request was under way`);

export const keyReplaced = (user: string) =>
  unauthenticated(
    `the API key of user ${user} was replaced while the request was under way: send the new key`,
  );

const keyRevoked = (user: string) =>
  unauthenticated(`an API key of user ${user} was revoked while the request was under way`);

export const mayOnlyRead = ({ name }: CallerKey) =>
  permissionDenied(`API key ${name}`, "the key is read-only: use a key with write access");

export const roleTaken = (user: string) =>
  permissionDenied(user, "the user lost the role of an administrator while the request was under way");

export const accountDeleted = (account: AccountId) =>
  unauthenticated(`account ${account} was deleted while the request was under way`);

export const unauthenticated = (reason: string) => new ServiceError("UNAUTHENTICATED", reason, { reason });
