declare const brand: unique symbol;

/** A value that no other of the same primitive type can replace; at run time it is the primitive. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/;

export const IDENTIFIER_RULE = "must be 1 to 64 of A-Z a-z 0-9 _ . @ - and start with a letter or digit";

/** The rule for names of accounts, users, agents and sessions. */
export const isIdentifier = (value: string): boolean => IDENTIFIER.test(value);

/** The name of an account. Names in requests are strings until they are checked. */
export type AccountId = Branded<string, "account">;

export const isAccountId = (value: unknown): value is AccountId =>
  typeof value === "string" && isIdentifier(value);

/** For names from keys and constants. Throws an Error for a malformed one. */
export function accountId(name: string): AccountId {
  if (!isAccountId(name)) throw new Error(`${JSON.stringify(name)} is no name of an account`);
  return name;
}

export const DEFAULT_ACCOUNT = accountId("default");

/** The number of one life of an account, 0 for none; numbers of deleted accounts are not reused. */
export type WorkspaceId = Branded<number, "workspace">;

/** Only for numbers from records and keys, and to allocate a new one. */
export const workspaceId = (number: number): WorkspaceId => number as WorkspaceId;

/** An account that was never written, and the server as the payer of its own calls. */
export const NO_WORKSPACE = workspaceId(0);

/** Number of a registration: a later user of the same name has another one. */
export type UserIncarnation = Branded<number, "user">;

export const userIncarnation = (number: number): UserIncarnation => number as UserIncarnation;

/** A user without a registration, and those of earlier versions. */
export const NO_USER = userIncarnation(0);
