import type { AccountCache } from "../accounts/account-cache.ts";
import { sameHash } from "../accounts/api-keys.ts";
import type { Claims } from "../accounts/authenticate.ts";
import { before } from "../base/deadline.ts";
import { sha256 } from "../base/sha256.ts";
import { unavailable } from "../domain/errors.ts";
import { DEFAULT_ACCOUNT, isAccountId, type WorkspaceId } from "../domain/ids.ts";
import type { Directory } from "../storage/directory.ts";
import type { Member, Members, Stores } from "../storage/stores.ts";

/** Time in ms in which a workspace is found and taken. */
const TAKE_MS = 8000;
/** Calls that wait for it, so that unknown keys cannot fill the memory. */
const MAX_WAITING = 256;
/** Workspaces of other servers that are remembered by caller. */
const MAX_ELSEWHERE = 10_000;
/** How long in ms, and how many unknown keys are remembered: whoever guesses asks the store less. */
const UNKNOWN_MS = 5000;
const MAX_UNKNOWN = 10_000;

interface Deps {
  readonly stores: Pick<Stores, "take" | "holding" | "entering">;
  readonly directory: Pick<Directory, "incarnationOf" | "incarnationOfKey">;
  readonly records: Pick<AccountCache, "account" | "key">;
  /** Undefined: no other server can own a workspace. */
  readonly members?: Pick<Members, "living"> | undefined;
  /** Undefined: the server needs no keys. */
  readonly rootApiKey: string | undefined;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
}

/** A workspace, and the other server that owns it. */
export interface ElsewherePlace {
  readonly workspace: WorkspaceId;
  readonly owner: Member;
}

/** A workspace, and the turn in which this server holds it. */
export interface HeldPlace {
  readonly workspace: WorkspaceId;
  readonly turn: number;
}

/** Where the workspace of a call is; undefined if the call has none. */
export type CallPlace = HeldPlace | ElsewherePlace | undefined;

/** How the workspace of a caller is found. */
interface Wanted {
  /** Unique per key or account. */
  readonly id: string;
  /** The workspace, if this server knows it. */
  readonly known: WorkspaceId | undefined;
  readonly find: () => Promise<WorkspaceId | undefined>;
}

/**
 * Where several servers share a store: finds the workspace of a call before the call is authenticated, takes it
 * if no living server has it, and tells whether it is held all the time until the call is answered.
 */
export class WorkspaceGuard {
  readonly #deps: Deps;
  readonly #rootHash: string | undefined;
  readonly #now: () => number;
  /** By hash of a key: until when it is taken for unknown. The oldest first. */
  readonly #unknown = new Map<string, number>();
  /** By caller: workspaces that other servers own. The oldest first. */
  readonly #elsewhere = new Map<string, ElsewherePlace>();
  #waiting = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rootHash = deps.rootApiKey === undefined ? undefined : sha256(deps.rootApiKey);
    this.#now = deps.now ?? (() => performance.now());
  }

  /**
   * Resolves once the workspace of a caller is held here, if there is one. Rejects with UNAVAILABLE if another
   * server has it, or the store does not answer.
   */
  enter(claims: Claims): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    return heldHere(this.locate(claims));
  }

  /** As `enter`, for an account. A name that no account can have has no workspace. */
  enterAccount(name: string): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    return heldHere(this.locateAccount(name));
  }

  /** As `enter`, but returns the owner if it is another server. May be outdated: see `forget`. */
  locate(claims: Claims): Promise<CallPlace> | CallPlace {
    const wanted = this.#wantedOf(claims);
    return wanted && this.#locate(wanted);
  }

  /** As `locate`, for an account. */
  locateAccount(name: string): Promise<CallPlace> | CallPlace {
    const wanted = this.#ofAccount(name);
    return wanted && this.#locate(wanted);
  }

  /** Forgets where the workspace of a caller is, because its supposed owner does not have it. */
  forget(claims: Claims): void {
    const id = this.#wantedOf(claims)?.id;
    if (id !== undefined) this.#elsewhere.delete(id);
  }

  /** As `forget`, for an account. */
  forgetAccount(name: string): void {
    this.#elsewhere.delete(`account ${name}`);
  }

  /** Whether a workspace was held all the time since it was entered. Synchronous. */
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

  #locate({ id, known, find }: Wanted): Promise<CallPlace> | CallPlace {
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
    if (this.#waiting >= MAX_WAITING) throw unavailable("too many calls wait for the store; try again later");
    this.#waiting++;
    const late = unavailable("the store does not answer in time; try again later");
    return before(abortedAfter(TAKE_MS, late), this.#take(id, find)).finally(() => this.#waiting--);
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
    throw unavailable("the account is at another server, which could not be asked; try again");
  return place;
}

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms).unref();
  return controller.signal;
}
