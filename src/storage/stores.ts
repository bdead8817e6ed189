import { KeyedLock } from "../base/concurrency/keyed-lock.ts";
import { present } from "../base/expect.ts";
import { unavailable } from "../domain/errors.ts";
import { HeldWorkspaces } from "../domain/held-workspaces.ts";
import type { AccountId, WorkspaceId } from "../domain/ids.ts";
import type { Directory } from "./account-directory.ts";
import type { Kv } from "./kv.ts";
import type { ServerFacts } from "./server-facts.ts";

/** A server that may hold workspaces. */
export interface Member {
  /** Never reused for another server. */
  readonly number: number;
  readonly url: string;
}

/** A member as recorded in the store. */
export interface MemberState extends Member {
  /** Seconds until its lease expires if it is not renewed. */
  readonly leaseSeconds: number;
  /** Whether it hands over all its accounts and accepts no others. */
  readonly isDraining: boolean;
  /** Number of its accounts, and the first ones by name. */
  readonly accountCount: number;
  readonly accounts: readonly string[];
}

/** Why an account is handed over to another server. */
export type HandOverReason = "move" | "drain" | "balance" | "stop" | "failover";

/**
 * "wanted": the next owner has no copy yet; "loaded": it has one, and the owner has not given the account up
 * yet; then "given".
 */
export type HandOverState = "wanted" | "loaded" | "given";

/** An account that is being handed over to another server. */
export interface HandOver {
  /** Name of the account; undefined if it was deleted and its records are being removed. */
  readonly account: AccountId | undefined;
  /** Number of the owner; undefined if nobody owns the account. */
  readonly from: number | undefined;
  /** Number of the next owner. */
  readonly to: number;
  readonly state: HandOverState;
  readonly reason: HandOverReason;
}

/** Decides which server should own which workspace. */
export interface Placing {
  /** Starts or cancels draining a server. Returns false if there is no such server. */
  drain(member: number, isDraining: boolean): Promise<boolean>;
  /**
   * Requests the hand-over of a workspace to a server. "there": the server already owns it; "absent": there
   * is no such server, or it is draining.
   */
  move(workspace: WorkspaceId, member: number): Promise<"requested" | "there" | "absent">;
  /** The unfinished hand-overs, oldest first, up to a maximum number. */
  handOvers(limit: number): Promise<readonly HandOver[]>;
}

/** The servers of a store. */
export interface Members {
  /** Number of this server. It changes when the server has lost its lease. */
  readonly self: number;
  /** Running servers as of the last lease renewal, this one included. */
  readonly living: readonly Member[];
  /** Seconds until this server stops answering if its lease is not renewed. */
  readonly sureSeconds: number;
  /** Calls `listener` after each refresh of the living members. */
  onRefresh(listener: (living: readonly Member[]) => void): void;
  /** Publishes the URL at which other servers reach this one. */
  announce(url: string): Promise<void>;
  /** Reads all members from the store, with at most `limit` accounts of each. */
  states(limit: number): Promise<readonly MemberState[]>;
}

export type Taken =
  | { readonly owner: Member }
  /** Number of times the workspace was taken, including this time. */
  | { readonly turn: number };

export interface OwnershipEvents {
  /** This server no longer holds a workspace. */
  lost(workspace: WorkspaceId): void;
  /** Another server has ended without giving up a workspace; this server should take it. */
  free(workspace: WorkspaceId): Promise<unknown>;
}

/** Decides which server holds which workspace. */
export interface Ownership {
  /** Returns the workspaces that this server holds from the start, with their turns (see Taken). */
  start(events: OwnershipEvents): Promise<"everything" | ReadonlyMap<WorkspaceId, number>>;
  /**
   * Whether no other server can have taken the workspaces of this one. If false, this server has lost all of
   * them before the call returns.
   */
  isSure(): boolean;
  /**
   * Takes a workspace that no living server holds; resolves once its records can be read. A draining server
   * gives it to another one, unless it `isNew`.
   */
  take(workspace: WorkspaceId, isNew?: boolean): Promise<Taken>;
  /** Loads the records of a workspace that another server holds, so that taking it will be short. */
  prepare(workspace: WorkspaceId): Promise<void>;
  /** Gives up a workspace after its pending changes are written, to a member if it is still running. */
  give(workspace: WorkspaceId, to?: number): Promise<void>;
  /**
   * Workspaces that this server does not hold, and whose records here are of no use: they were deleted,
   * or have changed too much since.
   */
  outdated?(): Promise<readonly WorkspaceId[]>;
  /**
   * Removes the records of a workspace from the local copy if it is still outdated. `dropFiles` runs first,
   * because after a crash the workspace is found by its records.
   */
  dropCopy?(workspace: WorkspaceId, dropFiles: () => Promise<void>): Promise<void>;
  /** Whether this server holds the server records; exactly one server of a store does. */
  readonly hasServerRecords: boolean;
}

/** The components that keep state of held workspaces in memory. */
export interface Holder {
  /** Loads the state of a workspace, or of all, before anything else is done for it. */
  adopt(of: WorkspaceId | "everything"): Promise<void>;
  /** Resumes the work of workspaces that are now held. Reports its own errors. */
  resume(of: WorkspaceId | "everything"): Promise<void>;
  /** Ends the work of a workspace that is being given up, while writes are still possible. */
  leave(workspace: WorkspaceId): Promise<void>;
  /** Drops the state of a workspace, which can no longer be read from memory or written. Never throws. */
  drop(workspace: WorkspaceId): void;
}

/** Stores of workspaces: their records, and which of them this server holds. */
export class Stores {
  /** Records of held workspaces. */
  readonly kv: Kv;
  readonly facts: ServerFacts;
  readonly directory: Directory;
  readonly #ownership: Ownership;
  readonly #held = new HeldWorkspaces();
  readonly #turns = new Map<WorkspaceId, number>();
  /** Workspaces that are being given up, in which no new work may begin. */
  readonly #leaving = new Set<WorkspaceId>();
  readonly #lock = new KeyedLock();
  /** Workspaces being adopted, and whether they were lost meanwhile. */
  readonly #adopting = new Map<WorkspaceId, { isLost: boolean }>();
  #holder: Holder | undefined;

  constructor(parts: {
    readonly kv: Kv;
    readonly facts: ServerFacts;
    readonly directory: Directory;
    readonly ownership: Ownership;
  }) {
    this.kv = parts.kv;
    this.facts = parts.facts;
    this.#ownership = parts.ownership;
    const { directory } = parts;
    this.directory = {
      incarnationOf: (account) => directory.incarnationOf(account),
      incarnationOfKey: (hash) => directory.incarnationOfKey(hash),
      accounts: (after, limit) => directory.accounts(after, limit),
      newIncarnation: async () => {
        const workspace = await directory.newIncarnation();
        await this.#lock.run(String(workspace), () => this.#take(workspace, true));
        return workspace;
      },
    };
  }

  /**
   * Adopts and returns the workspaces that this server holds from the start; the caller then makes the holder
   * resume them.
   */
  async start(holder: Holder): Promise<readonly (WorkspaceId | "everything")[]> {
    this.#holder = holder;
    /** Workspaces lost during the start, perhaps before they were adopted; undefined after the start. */
    let lost: Set<WorkspaceId> | undefined = new Set();
    const isLost = (workspace: WorkspaceId) => lost?.has(workspace) ?? false;
    const found = await this.#ownership.start({
      lost: (workspace) => {
        lost?.add(workspace);
        this.#lose(workspace);
      },
      free: (workspace) => this.take(workspace),
    });
    if (found === "everything") {
      await holder.adopt(found);
      this.#held.adopt(found);
      return [found];
    }
    const held: WorkspaceId[] = [];
    const adopt = async (workspace: WorkspaceId, turn: number) => {
      // a workspace lost meanwhile is taken like any other, and may be held again already
      if (isLost(workspace) || this.#held.has(workspace)) return;
      try {
        await this.#adopt(workspace, turn);
        held.push(workspace);
      } catch (error) {
        if (!isLost(workspace)) throw error;
      }
    };
    for (const [workspace, turn] of found)
      await this.#lock.run(String(workspace), () => adopt(workspace, turn));
    lost = undefined;
    return held;
  }

  /**
   * Takes a workspace if no living server holds it, adopts it and resumes its work. Otherwise returns the
   * member that holds it.
   */
  async take(workspace: WorkspaceId): Promise<Member | undefined> {
    if (this.entering(workspace) !== undefined) return undefined;
    return this.#lock.run(String(workspace), () => this.#take(workspace));
  }

  /**
   * Loads a workspace that another server holds, so that taking it later is short. No effect if this server
   * holds it.
   */
  prepare(workspace: WorkspaceId): Promise<void> {
    return this.#lock.run(String(workspace), async () => {
      if (this.holding(workspace) === undefined) await this.#ownership.prepare(workspace);
    });
  }

  /**
   * Removes what this server has of workspaces that it does not hold and cannot use again: texts that were
   * deleted or forgotten on another server must not stay on its disk. `dropFiles`: removes the files of their
   * records.
   */
  async dropOutdated(dropFiles: (workspace: WorkspaceId) => Promise<void>): Promise<void> {
    for (const workspace of (await this.#ownership.outdated?.()) ?? [])
      await this.#lock.run(String(workspace), async () => {
        if (this.#held.has(workspace)) return;
        await this.#ownership.dropCopy?.(workspace, () => dropFiles(workspace));
      });
  }

  /**
   * Gives up a workspace once its work has ended; `to`: the member that gets it. No effect if it is not held.
   */
  give(workspace: WorkspaceId, to?: number): Promise<void> {
    return this.#lock.run(String(workspace), async () => {
      if (!this.#held.has(workspace)) return;
      this.#leaving.add(workspace);
      try {
        await this.#known.leave(workspace);
      } finally {
        this.#lose(workspace);
        await this.#ownership.give(workspace, to);
      }
    });
  }

  /** Like `holding`, but undefined while the workspace is being given up: new work then waits in `take`. */
  entering(workspace: WorkspaceId): number | undefined {
    return this.#leaving.has(workspace) ? undefined : this.holding(workspace);
  }

  /**
   * The turn in which a workspace is currently held. Synchronous, so that it can be compared before and after
   * an operation.
   */
  holding(workspace: WorkspaceId): number | undefined {
    return this.#ownership.isSure() && this.#held.has(workspace)
      ? (this.#turns.get(workspace) ?? 1)
      : undefined;
  }

  /** Whether this server writes the server records; exactly one server of a store does. */
  get hasServerRecords(): boolean {
    return this.#ownership.hasServerRecords;
  }

  async #take(workspace: WorkspaceId, isNew = false): Promise<Member | undefined> {
    if (this.holding(workspace) !== undefined) return undefined;
    const taken = await this.#ownership.take(workspace, isNew);
    if ("owner" in taken) return taken.owner;
    await this.#adopt(workspace, taken.turn);
    await this.#known.resume(workspace);
    return undefined;
  }

  /** Starts serving a workspace that this server took; gives it up on failure. */
  async #adopt(workspace: WorkspaceId, turn: number): Promise<void> {
    const adopting = { isLost: false };
    this.#adopting.set(workspace, adopting);
    try {
      await this.#known.adopt(workspace);
      if (adopting.isLost) throw unavailable("the account is moving to another server; try again");
    } catch (error) {
      this.#known.drop(workspace);
      await this.#ownership.give(workspace).catch(() => undefined);
      throw error;
    } finally {
      this.#adopting.delete(workspace);
    }
    this.#turns.set(workspace, turn);
    this.#held.adopt(workspace);
  }

  #lose(workspace: WorkspaceId): void {
    const adopting = this.#adopting.get(workspace);
    if (adopting) adopting.isLost = true;
    if (!this.#held.has(workspace)) return;
    this.#held.drop(workspace);
    this.#leaving.delete(workspace);
    this.#turns.delete(workspace);
    this.#known.drop(workspace);
  }

  get #known(): Holder {
    return present(this.#holder, "holder of the stores");
  }
}
