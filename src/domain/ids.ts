declare const brand: unique symbol;

/** A primitive type that other values of the same primitive cannot replace; only exists at compile time. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/;

export const IDENTIFIER_RULE =
  "must be 1 to 64 characters of A-Z a-z 0-9 _ . @ - and start with a letter or digit";

/** Checks the rule for names of accounts, users, agents and sessions. */
export const isIdentifier = (value: string): boolean => IDENTIFIER.test(value);

/** Name of an account. Names in requests are plain strings until they are checked. */
export type AccountId = Branded<string, "account">;

export const isAccountId = (value: unknown): value is AccountId =>
  typeof value === "string" && isIdentifier(value);

/** Converts a name from a key or a constant. Throws Error if it is malformed. */
export function accountId(name: string): AccountId {
  if (!isAccountId(name)) throw new Error(`${JSON.stringify(name)} is not the name of an account`);
  return name;
}

export const DEFAULT_ACCOUNT = accountId("default");

/** Number of one incarnation of an account; 0 for none. Numbers of deleted accounts are not reused. */
export type WorkspaceId = Branded<number, "workspace">;

/** Converts a number from a record or key, or a newly allocated one. */
export const workspaceId = (number: number): WorkspaceId => number as WorkspaceId;

/** Stands for an account that was never written, and for the server as the payer of its own calls. */
export const NO_WORKSPACE = workspaceId(0);

/** Number of a registration; a later user of the same name has a different one. */
export type UserIncarnation = Branded<number, "user">;

export const userIncarnation = (number: number): UserIncarnation => number as UserIncarnation;

/** A user without a registration, or from an earlier version. */
export const NO_USER = userIncarnation(0);
