declare const brand: unique symbol;

/** A value that no other of the same primitive type can stand in for; at run time it is the primitive. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The number of one life of an account, 0 for none; that of a deleted account is never given again. */
export type WorkspaceId = Branded<number, "workspace">;

/** Only for numbers out of records and keys, and for the allocation of a new one. */
export const workspaceId = (number: number): WorkspaceId => number as WorkspaceId;

/** Stands for an account that was never written, and for the server where it pays itself. */
export const NO_WORKSPACE = workspaceId(0);

/** Which user of a name: each registration of an account has another number. */
export type UserIncarnation = Branded<number, "user">;

export const userIncarnation = (number: number): UserIncarnation => number as UserIncarnation;

/** A user without a registration, and those of earlier versions. */
export const NO_USER = userIncarnation(0);
