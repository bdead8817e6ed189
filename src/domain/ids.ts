declare const brand: unique symbol;

/** A value that no other of the same primitive type can replace; at run time it is the primitive. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The number of one life of an account, 0 for none; numbers of deleted accounts are not reused. */
export type WorkspaceId = Branded<number, "workspace">;

/** Only for numbers from records and keys, and to allocate a new one. */
export const workspaceId = (number: number): WorkspaceId => number as WorkspaceId;

/** An account that was never written, and the server as the payer of its own calls. */
export const NO_WORKSPACE = workspaceId(0);

/** Which user of a name: each registration of an account has another number. */
export type UserIncarnation = Branded<number, "user">;

export const userIncarnation = (number: number): UserIncarnation => number as UserIncarnation;

/** A user without a registration, and those of earlier versions. */
export const NO_USER = userIncarnation(0);
