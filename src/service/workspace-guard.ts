import type { AccountCache } from "../accounts/account-cache.ts";
import { sameHash } from "../accounts/api-keys.ts";
import type { Claims } from "../accounts/authenticate.ts";
import { Budget } from "../base/budget.ts";
import { before } from "../base/deadline.ts";
import { sha256 } from "../base/sha256.ts";
import { unavailable } from "../domain/errors.ts";
import { DEFAULT_ACCOUNT, isAccountId, type WorkspaceId } from "../domain/ids.ts";
import type { Directory } from "../storage/account-directory.ts";
import type { Member, Members, Stores } from "../storage/stores.ts";

/** Maximum time in ms for finding and taking a workspace. */
const TAKE_MS = 8000;
/**
 * Maximum number of waiting calls, per network of the caller and in total: unknown keys must not fill the
 * memory, and a few addresses must not block callers with a key.
 */
const MAX_WAITING = { perKey: 128, total: 256 } as const;
/** Replaces the network for look-ups by account name. */
const BY_NAME = "by name";
/** Maximum number of cached workspaces of other servers. */
const MAX_ELSEWHERE = 10_000;
/** Lifetime in ms of cached unknown keys, and their maximum number; guessed keys then cause fewer queries. */
const UNKNOWN_MS = 5000;
const MAX_UNKNOWN = 10_000;

interface Deps {
  readonly stores: Pick<Stores, "take" | "holding" | "entering">;
  readonly directory: Pick<Directory, "incarnationOf" | "incarnationOfKey">;
  readonly records: Pick<AccountCache, "account" | "key">;
  /** Undefined if no other server uses the store. */
  readonly members?: Pick<Members, "living"> | undefined;
  /** Undefined if no keys are configured. */
  readonly rootApiKey: string | undefined;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

/** A workspace that another server owns, with that server. */
export interface ElsewherePlace {
  readonly workspace: WorkspaceId;
  readonly owner: Member;
}

/** A workspace held by this server, with its turn. */
export interface HeldPlace {
  readonly workspace: WorkspaceId;
  readonly turn: number;
}

/** Location of a call's workspace; undefined if the call has none. */
export type CallPlace = HeldPlace | ElsewherePlace | undefined;

/** How to look up the workspace of a caller. */
interface Wanted {
  /** Unique per key or account. */
  readonly id: string;
  /** The workspace, if this server knows it. */
  readonly known: WorkspaceId | undefined;
  readonly find: () => Promise<WorkspaceId | undefined>;
}

/**
 * For a store with several servers: finds the workspace of a call before authentication, takes it if no
 * living server has it, and checks that it was held until the call is answered.
 */
export class WorkspaceGuard {
  readonly #deps: Deps;
  readonly #rootHash: string | undefined;
  readonly #now: () => number;
  /** Time until which a key counts as unknown, by the key's hash; oldest first. */
  readonly #unknown = new Map<string, number>();
  /** Workspaces owned by other servers, by caller; oldest first. */
  readonly #elsewhere = new Map<string, ElsewherePlace>();
  readonly #waiting = new Budget<string>(MAX_WAITING, () =>
    unavailable("too many calls wait for the store; try again later"),
  );

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rootHash = deps.rootApiKey === undefined ? undefined : sha256(deps.rootApiKey);
    this.#now = deps.now ?? (() => performance.now());
  }

  /**
   * Resolves once this server holds the caller's workspace, or the caller has none. Rejects with UNAVAILABLE
   * if another server has it or the store does not respond.
   */
  enter(claims: Claims, network: string): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    return heldHere(this.locate(claims, network));
  }

  /** Like `enter`, for an account. A malformed account name has no workspace. */
  enterAccount(name: string): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    return heldHere(this.locateAccount(name));
  }

  /**
   * Like `enter`, but returns the owner if it is another server. The result may be outdated: see `forget`.
   */
  locate(claims: Claims, network: string): Promise<CallPlace> | CallPlace {
    const wanted = this.#wantedOf(claims);
    return wanted && this.#locate(wanted, network);
  }

  /** Like `locate`, for an account. */
  locateAccount(name: string): Promise<CallPlace> | CallPlace {
    const wanted = this.#ofAccount(name);
    return wanted && this.#locate(wanted, BY_NAME);
  }

  /** Drops the cached location of a caller's workspace, because that server does not have the workspace. */
  forget(claims: Claims): void {
    const id = this.#wantedOf(claims)?.id;
    if (id !== undefined) this.#elsewhere.delete(id);
  }

  /** Like `forget`, for an account. */
  forgetAccount(name: string): void {
    this.#elsewhere.delete(`account ${name}`);
  }

  /** Whether a workspace was held without interruption since it was entered. Synchronous. */
  holds({ workspace, turn }: HeldPlace): boolean {
    return this.#deps.stores.holding(workspace) === turn;
  }

  /** Undefined if the caller has no workspace: without a key, or with an account that cannot exist. */
  #wantedOf(claims: Claims): Wanted | undefined {
    const account = () => this.#ofAccount(claims.account || DEFAULT_ACCOUNT);
    if (this.#rootHash === undefined) return account();
    if (claims.key === undefined) return undefined;
    const hash = sha256(claims.key);
    if (sameHash(hash, this.#rootHash)) return account();
    return {
      id: `key ${hash}`,
      known: this.#deps.records.key(hash)?.incarnation,
      find: async () => {
        if ((this.#unknown.get(hash) ?? 0) > this.#now()) return undefined;
        const found = await this.#deps.directory.incarnationOfKey(hash);
        if (found === undefined) this.#noteUnknown(hash);
        return found;
      },
    };
  }

  #ofAccount(name: string): Wanted | undefined {
    if (!isAccountId(name)) return undefined;
    const known = this.#deps.records.account(name)?.incarnation;
    return { id: `account ${name}`, known, find: () => this.#deps.directory.incarnationOf(name) };
  }

  #locate({ id, known, find }: Wanted, network: string): Promise<CallPlace> | CallPlace {
    const { stores, members } = this.#deps;
    if (known !== undefined) {
      const turn = stores.entering(known);
      if (turn !== undefined) return { workspace: known, turn };
    }
    const elsewhere = this.#elsewhere.get(id);
    if (elsewhere) {
      const isLiving = members?.living.some(({ number }) => number === elsewhere.owner.number);
      if (isLiving && stores.holding(elsewhere.workspace) === undefined) return elsewhere;
      this.#elsewhere.delete(id);
    }
    const waiting = this.#waiting.take(network, 1);
    const late = unavailable("the store does not answer in time; try again later");
    return before(abortedAfter(TAKE_MS, late), this.#take(id, find)).finally(() => waiting.release());
  }

  async #take(id: string, find: () => Promise<WorkspaceId | undefined>): Promise<CallPlace> {
    const workspace = await find();
    if (workspace === undefined) return undefined;
    const owner = await this.#deps.stores.take(workspace);
    if (owner) {
      const place = { workspace, owner };
      this.#elsewhere.set(id, place);
      forgetOldest(this.#elsewhere, MAX_ELSEWHERE);
      return place;
    }
    const turn = this.#deps.stores.holding(workspace);
    if (turn === undefined) throw unavailable("the account is moving between servers; try again");
    return { workspace, turn };
  }

  #noteUnknown(hash: string): void {
    this.#unknown.delete(hash);
    this.#unknown.set(hash, this.#now() + UNKNOWN_MS);
    forgetOldest(this.#unknown, MAX_UNKNOWN);
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

function heldHere(
  found: Promise<CallPlace> | CallPlace,
): Promise<HeldPlace | undefined> | HeldPlace | undefined {
  return found instanceof Promise ? found.then(throwIfElsewhere) : throwIfElsewhere(found);
}

function throwIfElsewhere(place: CallPlace): HeldPlace | undefined {
  if (place && "owner" in place)
    throw unavailable("the account is at another server, which is unreachable; try again");
  return place;
}

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms).unref();
  return controller.signal;
}
