import type { AccountCache } from "../accounts/account-cache.ts";
import { sameHash } from "../accounts/api-keys.ts";
import type { Claims } from "../accounts/authenticate.ts";
import { before } from "../base/deadline.ts";
import { sha256 } from "../base/sha256.ts";
import { unavailable } from "../domain/errors.ts";
import { DEFAULT_ACCOUNT, isAccountId, type WorkspaceId } from "../domain/ids.ts";
import type { Directory } from "../storage/directory.ts";
import type { Stores } from "../storage/stores.ts";

/** Time in ms in which a workspace is found and taken. */
const TAKE_MS = 8000;
/** Calls that wait for it, so that unknown keys cannot fill the memory. */
const MAX_WAITING = 256;
/** How long in ms, and how many unknown keys are remembered: whoever guesses asks the store less. */
const UNKNOWN_MS = 5000;
const MAX_UNKNOWN = 10_000;

interface Deps {
  readonly stores: Pick<Stores, "take" | "holding">;
  readonly directory: Pick<Directory, "incarnationOf" | "incarnationOfKey">;
  readonly records: Pick<AccountCache, "account" | "key">;
  /** Undefined: the server needs no keys. */
  readonly rootApiKey: string | undefined;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
}

/** A workspace, and the turn in which this server holds it. */
export interface HeldPlace {
  readonly workspace: WorkspaceId;
  readonly turn: number;
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
    if (this.#rootHash === undefined) return this.enterAccount(claims.account || DEFAULT_ACCOUNT);
    if (claims.key === undefined) return undefined;
    const hash = sha256(claims.key);
    if (sameHash(hash, this.#rootHash)) return this.enterAccount(claims.account || DEFAULT_ACCOUNT);
    const known = this.#deps.records.key(hash)?.incarnation;
    return this.#enter(known, async () => {
      if ((this.#unknown.get(hash) ?? 0) > this.#now()) return undefined;
      const found = await this.#deps.directory.incarnationOfKey(hash);
      if (found === undefined) this.#noteUnknown(hash);
      return found;
    });
  }

  /** As `enter`, for an account. A name that no account can have has no workspace. */
  enterAccount(name: string): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    if (!isAccountId(name)) return undefined;
    const known = this.#deps.records.account(name)?.incarnation;
    return this.#enter(known, () => this.#deps.directory.incarnationOf(name));
  }

  /** Whether a workspace was held all the time since it was entered. Synchronous. */
  holds({ workspace, turn }: HeldPlace): boolean {
    return this.#deps.stores.holding(workspace) === turn;
  }

  #enter(
    known: WorkspaceId | undefined,
    find: () => Promise<WorkspaceId | undefined>,
  ): Promise<HeldPlace | undefined> | HeldPlace | undefined {
    if (known !== undefined) {
      const turn = this.#deps.stores.holding(known);
      if (turn !== undefined) return { workspace: known, turn };
    }
    if (this.#waiting >= MAX_WAITING) throw unavailable("too many calls wait for the store; try again later");
    this.#waiting++;
    const late = unavailable("the store does not answer in time; try again later");
    return before(abortedAfter(TAKE_MS, late), this.#take(find)).finally(() => this.#waiting--);
  }

  async #take(find: () => Promise<WorkspaceId | undefined>): Promise<HeldPlace | undefined> {
    const workspace = await find();
    if (workspace === undefined) return undefined;
    const owner = await this.#deps.stores.take(workspace);
    if (owner) throw unavailable(`the account is served by ${owner.url}; call that server`);
    const turn = this.#deps.stores.holding(workspace);
    if (turn === undefined) throw unavailable("the account is moving between servers; try again");
    return { workspace, turn };
  }

  #noteUnknown(hash: string): void {
    this.#unknown.delete(hash);
    this.#unknown.set(hash, this.#now() + UNKNOWN_MS);
    for (const oldest of this.#unknown.keys()) {
      if (this.#unknown.size <= MAX_UNKNOWN) return;
      this.#unknown.delete(oldest);
    }
  }
}

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms).unref();
  return controller.signal;
}
