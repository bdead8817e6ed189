import type { Log } from "../base/log.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { lighter, type MemberLoad, spread } from "./member-load.ts";
import type { HandOverReason, HandOverState, Stores } from "./stores.ts";

/** Pause in ms between rounds: while hand-overs are in progress, and otherwise. */
const BUSY_PAUSE_MS = 50;
const PAUSE_MS = 500;
/** Maximum time in ms that a hand-over waits for uploads, which exist only on their server. */
const UPLOADS_MS = 10_000;
/** Maximum number of hand-overs that a draining server prepares concurrently. */
const MAX_DRAINING = 8;
/**
 * Number of account counts during which an imbalance must persist, and minimum and maximum pause in ms
 * between two counts; each count reads all accounts of the store.
 */
const BALANCE_LOOKS = 10;
const MIN_LOOK_MS = 500;
const MAX_LOOK_MS = 10_000;
/** Time in ms after the arrival of an account during which it is not handed over again for balance. */
const SETTLED_MS = 10 * 60_000;

/** Reasons for which a running server hands over accounts. */
export const HAND_OVER_REASONS = ["move", "drain", "balance"] as const satisfies readonly HandOverReason[];

/** A hand-over with this server as the owner or the next owner. */
export interface DueHandOver {
  readonly workspace: WorkspaceId;
  readonly from: number | null;
  readonly to: number;
  readonly state: HandOverState;
  readonly reason: HandOverReason;
  /** Whether the next owner is running and not draining. */
  readonly isAble: boolean;
}

/** The hand-overs of a store. */
export interface HandOverQueue {
  /** Number of this server. */
  readonly self: number;
  /** Whether this server is draining, as of the latest `due`. */
  readonly isDraining: boolean;
  /** Hand-overs with this server as the owner or the next owner. */
  due(): Promise<readonly DueHandOver[]>;
  /** Replaces an earlier request for the workspace. */
  request(workspace: WorkspaceId, to: number, reason: HandOverReason): Promise<void>;
  /** Reports that this server, the next owner, has loaded a copy. */
  loaded(workspace: WorkspaceId): Promise<void>;
  /** Ends or cancels a hand-over. */
  end(workspace: WorkspaceId, to: number): Promise<void>;
  loads(): Promise<readonly MemberLoad[]>;
  /** Accounts of this server that may be handed over, newest first. */
  movable(): Promise<readonly WorkspaceId[]>;
}

interface Deps {
  readonly stores: Pick<Stores, "take" | "prepare" | "give" | "holding">;
  readonly queue: HandOverQueue;
  /** Whether a workspace has uploads that are not imported yet; a hand-over would lose them. */
  readonly hasUploads: (workspace: WorkspaceId) => boolean;
  /** Whether jobs of a workspace are running; the next owner would restart them. */
  readonly hasJobs: (workspace: WorkspaceId) => boolean;
  /** How long an imbalance must persist before accounts are handed over; undefined: they never are. */
  readonly balanceMs: number | undefined;
  readonly log: Log;
  readonly now?: () => number;
}

/**
 * Hands workspaces over between servers, one at a time: the next owner loads a copy, the owner finishes its
 * work and gives the workspace up, and the next owner takes it. A draining server hands over all workspaces;
 * a server with too many accounts hands over some.
 */
export class Placement {
  readonly #deps: Deps;
  readonly #now: () => number;
  /** Hand-overs made by this server, by reason. */
  readonly counts = new Map<HandOverReason, number>();
  /** Start of the wait for uploads, by workspace. */
  readonly #waitingSince = new Map<WorkspaceId, number>();
  /** Arrival time of workspaces at this server. */
  readonly #came = new Map<WorkspaceId, number>();
  #unevenSince: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  get isDraining(): boolean {
    return this.#deps.queue.isDraining;
  }

  start(): void {
    this.#running = this.#round()
      .catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, "hand-overs wait: the store does not answer");
        return false;
      })
      .then((hasAdvanced) => {
        if (this.#isClosed) return;
        this.#timer = setTimeout(() => this.start(), hasAdvanced ? BUSY_PAUSE_MS : PAUSE_MS).unref();
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Performs the due steps; returns whether any hand-over advanced. */
  async #round(): Promise<boolean> {
    const { queue } = this.#deps;
    const due = await queue.due();
    const { self } = queue;
    let hasAdvanced = false;
    const advance = async (step: Promise<boolean>) => {
      if (await step) hasAdvanced = true;
    };
    // workspaces without a server come first, preparations last
    for (const one of due) if (one.to === self && one.from === self) await advance(this.#arrive(one));
    for (const one of due) if (one.to !== self && one.from === self) await advance(this.#depart(one));
    for (const one of due)
      if (one.to === self && one.from !== self && one.state === "wanted") await advance(this.#load(one));
    const leaving = due.filter(({ from, to }) => from === self && to !== self);
    if (queue.isDraining) await advance(this.#drain(leaving));
    else if (leaving.length === 0) await advance(this.#balance());
    return hasAdvanced;
  }

  /** Takes workspaces that were given to this server. */
  async #arrive({ workspace, to }: DueHandOver): Promise<boolean> {
    const { stores, queue } = this.#deps;
    return this.#tried("taking an account", workspace, async () => {
      await stores.take(workspace);
      this.#came.set(workspace, this.#now());
      await queue.end(workspace, to);
      return true;
    });
  }

  async #load({ workspace, to }: DueHandOver): Promise<boolean> {
    const { stores, queue } = this.#deps;
    return this.#tried("loading an account", workspace, async () => {
      if (queue.isDraining) await queue.end(workspace, to);
      else {
        await stores.prepare(workspace);
        await queue.loaded(workspace);
      }
      return true;
    });
  }

  /** Gives a workspace to the next owner, which has loaded a copy. */
  async #depart({ workspace, to, state, reason, isAble }: DueHandOver): Promise<boolean> {
    const { stores, queue } = this.#deps;
    return this.#tried("handing over an account", workspace, async () => {
      if (!isAble || state === "given") {
        await queue.end(workspace, to);
        return true;
      }
      if (state !== "loaded") return false;
      if (this.#mustWait(workspace)) return false;
      this.#waitingSince.delete(workspace);
      if (reason === "balance" && this.#isBusy(workspace)) {
        await queue.end(workspace, to);
        return true;
      }
      // the workspace was lost meanwhile, by an expired lease or an unknown outcome
      if (stores.holding(workspace) === undefined) await stores.take(workspace);
      await stores.give(workspace, to);
      this.#came.delete(workspace);
      this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
      return true;
    });
  }

  #isBusy(workspace: WorkspaceId): boolean {
    return this.#deps.hasUploads(workspace) || this.#deps.hasJobs(workspace);
  }

  /** Whether a workspace still waits for uploads. */
  #mustWait(workspace: WorkspaceId): boolean {
    if (!this.#deps.hasUploads(workspace)) return false;
    const since = this.#waitingSince.get(workspace) ?? this.#now();
    this.#waitingSince.set(workspace, since);
    return this.#now() - since < UPLOADS_MS;
  }

  async #drain(leaving: readonly DueHandOver[]): Promise<boolean> {
    const { queue } = this.#deps;
    const free = MAX_DRAINING - leaving.length;
    if (free <= 0) return false;
    const going = new Set(leaving.map(({ workspace }) => workspace));
    const next = (await queue.movable()).filter((workspace) => !going.has(workspace)).slice(0, free);
    if (next.length === 0) return false;
    const others = (await queue.loads()).filter(({ number }) => number !== queue.self);
    for (const [i, to] of spread(others, next.length).entries()) {
      const workspace = next[i];
      if (workspace !== undefined) await queue.request(workspace, to, "drain");
    }
    return others.length > 0;
  }

  async #balance(): Promise<boolean> {
    const { queue, balanceMs } = this.#deps;
    const now = this.#now();
    if (balanceMs === undefined) return false;
    const pauseMs = Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, balanceMs / BALANCE_LOOKS));
    if (now - this.#lookedAt < pauseMs) return false;
    this.#lookedAt = now;
    const to = lighter(await queue.loads(), queue.self);
    if (to === undefined) {
      this.#unevenSince = undefined;
      return false;
    }
    this.#unevenSince ??= now;
    if (now - this.#unevenSince < balanceMs) return false;
    for (const [workspace, came] of this.#came) if (now - came >= SETTLED_MS) this.#came.delete(workspace);
    const going = (await queue.movable()).find(
      (workspace) => !this.#came.has(workspace) && !this.#isBusy(workspace),
    );
    if (going === undefined) return false;
    await queue.request(going, to, "balance");
    return true;
  }

  async #tried(what: string, workspace: WorkspaceId, step: () => Promise<boolean>): Promise<boolean> {
    try {
      return await step();
    } catch (error) {
      this.#deps.log.warn({ err: error, workspace }, `${what} failed; it is tried again`);
      return false;
    }
  }
}
