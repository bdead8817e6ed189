import type { Clock } from "../base/clock.ts";
import type { Caller, CallerKey } from "../domain/caller.ts";
import { alreadyExists, notFound, ServiceError } from "../domain/errors.ts";
import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { KvReader } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import type { AccountChanges } from "./account-changes.ts";
import { ownUserAt } from "./account-lookup.ts";
import { type AdditionalKey, accountKeys as keys, MAIN_KEY, type UserRecord } from "./account-records.ts";
import { generateKey } from "./api-keys.ts";

/** Maximum number of additional keys per user, because all are in one record. */
export const MAX_KEYS = 50;

/** A validated request for a key. `expiresAt`: Unix time in ms. */
export type NewKey = Pick<AdditionalKey, "name" | "access" | "agent" | "expiresAt">;

/** An API key without its secret. Times are Unix time in ms. */
export interface KeyListing extends Omit<AdditionalKey, "hash" | "access"> {
  readonly access: CallerKey["access"] | "all";
}

interface Listed {
  readonly incarnation: WorkspaceId;
  /** The main key, then additional keys by name, including expired ones. */
  readonly keys: readonly KeyListing[];
}

/**
 * Additional API keys of users, for applications and agents, with fewer rights than the user. They are stored
 * in the user's record, so that removing the user removes them.
 */
export class UserKeys {
  readonly #kv: Pick<KvReader, "get">;
  readonly #changes: AccountChanges;
  readonly #clock: Clock;

  constructor(kv: Pick<KvReader, "get">, changes: AccountChanges, clock: Clock) {
    this.#kv = kv;
    this.#changes = changes;
    this.#clock = clock;
  }

  /**
   * Creates a key and returns it. Throws NOT_FOUND, ALREADY_EXISTS, RESOURCE_EXHAUSTED. `by`: an
   * administrator or the user (see ownUserAt).
   */
  create(
    account: AccountId,
    user: string,
    wanted: NewKey,
    by?: Caller,
  ): Promise<{ readonly key: string; readonly listing: KeyListing }> {
    return this.#changes.commit((draft) => {
      const { record, found } = ownUserAt(draft, account, user, by);
      const known = livingKeys(found, this.#clock());
      if (wanted.name === MAIN_KEY || known.some(({ name }) => name === wanted.name))
        throw alreadyExists("API key", wanted.name);
      if (known.length >= MAX_KEYS) throw tooManyKeys(user);
      const { key, hash } = generateKey();
      const made: AdditionalKey = { ...wanted, hash, createdAt: this.#clock() };
      for (const { hash } of found.keys ?? [])
        if (!known.some((one) => one.hash === hash)) draft.delete(keys.key(hash));
      draft.put(keys.key(hash), encodeRecord({ incarnation: record.incarnation, user }));
      draft.put(
        keys.user(record.incarnation, user),
        encodeRecord({ ...found, keys: [...known, made] } satisfies UserRecord),
      );
      return { key, listing: listingOf(made) };
    });
  }

  /** Lists the keys of a user. Throws NOT_FOUND for an unknown user. */
  list(account: AccountId, user: string, by?: Caller): Listed {
    const { record, found } = ownUserAt(this.#kv, account, user, by);
    const main = { name: MAIN_KEY, access: "all", createdAt: found.createdAt } as const;
    const additional = [...(found.keys ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)).map(listingOf);
    return { incarnation: record.incarnation, keys: [main, ...additional] };
  }

  /** Revokes a key; calls and streams that use it end. Throws NOT_FOUND for an unknown user or key. */
  revoke(account: AccountId, user: string, name: string, by?: Caller): Promise<unknown> {
    return this.#changes.ending("key", (draft) => {
      const { record, found } = ownUserAt(draft, account, user, by);
      const revoked = found.keys?.find((key) => key.name === name);
      if (!found.keys || !revoked) throw notFound("API key", name);
      draft.delete(keys.key(revoked.hash));
      const left = found.keys.filter((key) => key !== revoked);
      draft.put(
        keys.user(record.incarnation, user),
        encodeRecord({ ...found, keys: left } satisfies UserRecord),
      );
      return { incarnation: record.incarnation, user };
    });
  }
}

/** Record keys for all API keys of a user. */
export const keyRecordsOf = (incarnation: WorkspaceId, user: string, record: UserRecord): string[] => [
  keys.key(record.keyHash),
  ...(record.keys ?? []).map(({ hash }) => keys.key(hash)),
  keys.keyUses(incarnation, user),
];

export const hasExpired = ({ expiresAt }: Pick<CallerKey, "expiresAt">, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/**
 * Keys that have not expired; only these count towards MAX_KEYS, and a new key may reuse the name of an
 * expired one.
 */
const livingKeys = ({ keys = [] }: UserRecord, now: number): AdditionalKey[] =>
  keys.filter((key) => !hasExpired(key, now));

function tooManyKeys(user: string): ServiceError {
  const reason = `a user can have at most ${MAX_KEYS} additional keys: first revoke one`;
  const resource = `API keys of ${user}`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${resource}: ${reason}`, { resource, reason });
}

const listingOf = ({ hash: _, ...listing }: AdditionalKey): KeyListing => listing;
