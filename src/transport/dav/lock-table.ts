import { randomBytes } from "node:crypto";
import type { LostAccess } from "../../accounts/account-changes.ts";
import type { Caller } from "../../domain/caller.ts";
import { overBudget, ServiceError } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { Path } from "../../domain/uri.ts";

/** Maximum number of locks per user, per account and in total, and of shared locks on one path. */
export const MAX_LOCKS = { perPlace: 16, perUser: 250, perAccount: 1000, total: 10_000 } as const;
/** Lifetime of a lock in seconds without a refresh: default and maximum. */
export const LOCK_SECONDS = { usual: 600, most: 3600 } as const;
/** Maximum bytes of a client's description of the lock owner. */
export const MAX_OWNER_BYTES = 2048;

const TOKEN_BYTES = 16;

/** Namespace of locks: the workspace and, for agent spaces, the owner, who is not part of the path. */
export interface LockSpace {
  readonly workspace: WorkspaceId;
  readonly space: string;
}

export interface DavLock {
  /** A URI (see `newToken`). */
  readonly token: string;
  readonly path: Path;
  readonly isShared: boolean;
  /** Whether the lock covers everything below the path. */
  readonly isDeep: boolean;
  /** XML from the client. */
  readonly owner: string;
  readonly holder: Pick<Caller, "user" | "userIncarnation">;
  /** Lifetime in seconds after the last refresh. */
  seconds: number;
  /** Expiry in ms of the table's clock. */
  ends: number;
}

/** Locks of one workspace by path. */
type WorkspaceLocks = Map<string, DavLock[]>;

/**
 * Write locks (RFC 4918, section 6), in memory only: they end on timeout, when the server stops, or when
 * their user is removed. They bind only WebDAV callers.
 */
export class LockTable {
  readonly #workspaces = new Map<WorkspaceId, WorkspaceLocks>();
  /** Monotonic time in ms. */
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Locks that apply to a path: those on it, and deep locks on its parents. */
  covering(at: LockSpace, path: Path): DavLock[] {
    const places = this.#workspaces.get(at.workspace);
    if (places === undefined) return [];
    const found: DavLock[] = [];
    for (let depth = 0; depth <= path.length; depth++)
      for (const lock of this.#live(at, places, keyOf(at, path.slice(0, depth))))
        if (lock.isDeep || depth === path.length) found.push(lock);
    return found;
  }

  /** Locks on exactly this path. */
  at(at: LockSpace, path: Path): readonly DavLock[] {
    const places = this.#workspaces.get(at.workspace);
    return places === undefined ? [] : this.#live(at, places, keyOf(at, path));
  }

  /** Locks below a path. */
  below(at: LockSpace, path: Path): DavLock[] {
    const places = this.#workspaces.get(at.workspace);
    const inside = `${keyOf(at, path)}/`;
    return [...(places?.keys() ?? [])]
      .filter((key) => key.startsWith(inside))
      .flatMap((key) => (places === undefined ? [] : this.#live(at, places, key)));
  }

  /**
   * Adds a lock; the caller has checked for conflicts. At the limit of the account or of the server, removes
   * a lock of the user or account with the most locks, so that nobody can keep others from locking. Throws
   * RESOURCE_EXHAUSTED if that is the caller, and at the limits per user and per path.
   */
  add(at: LockSpace, lock: DavLock): void {
    let { all, own } = counted(this.#placesOf(at.workspace), lock.holder);
    if (all >= MAX_LOCKS.perAccount || own >= MAX_LOCKS.perUser) {
      this.#sweep(at.workspace);
      ({ all, own } = counted(this.#placesOf(at.workspace), lock.holder));
    }
    if (this.#count >= MAX_LOCKS.total)
      for (const workspace of this.#workspaces.keys()) this.#sweep(workspace);
    // one user must not use up the locks of the whole account
    if (own >= MAX_LOCKS.perUser) throw tooMany("the user has", MAX_LOCKS.perUser);
    if (this.at(at, lock.path).length >= MAX_LOCKS.perPlace)
      throw tooMany("the place has", MAX_LOCKS.perPlace);
    if (all >= MAX_LOCKS.perAccount) {
      if (!this.#evict(at.workspace, own))
        throw full({ of: "key", used: all, more: 1, limit: MAX_LOCKS.perAccount });
      all--;
    }
    if (this.#count >= MAX_LOCKS.total && !this.#evictFromLargest(all))
      throw full({ of: "all", used: this.#count, more: 1, limit: MAX_LOCKS.total });
    const key = keyOf(at, lock.path);
    const places = this.#placesOf(at.workspace);
    places.set(key, [...(places.get(key) ?? []), lock]);
    this.#workspaces.set(at.workspace, places);
    this.#count++;
  }

  /** Lifetime and expiry of a lock that starts now. */
  ending(seconds: number): Pick<DavLock, "seconds" | "ends"> {
    return { seconds, ends: this.#now() + seconds * 1000 };
  }

  refresh(lock: DavLock, seconds: number): void {
    Object.assign(lock, this.ending(seconds));
  }

  remove(at: LockSpace, lock: DavLock): void {
    const key = keyOf(at, lock.path);
    this.#keep(at.workspace, key, (one) => one !== lock);
  }

  /** Removes the locks on a path and below it, after the node was removed or moved. */
  removeTree(at: LockSpace, path: Path): void {
    const key = keyOf(at, path);
    for (const place of [...(this.#workspaces.get(at.workspace)?.keys() ?? [])])
      if (place === key || place.startsWith(`${key}/`)) this.#keep(at.workspace, place, () => false);
  }

  /** Removes the locks of a deleted account or a removed user. A new key or role does not affect locks. */
  forget({ what, incarnation: workspace, user }: LostAccess): void {
    if (what !== "account" && what !== "user") return;
    for (const place of [...(this.#workspaces.get(workspace)?.keys() ?? [])])
      this.#keep(workspace, place, ({ holder }) => what === "user" && holder.user !== user);
  }

  #live({ workspace }: LockSpace, places: WorkspaceLocks, key: string): readonly DavLock[] {
    const locks = places.get(key);
    if (locks === undefined) return [];
    const now = this.#now();
    if (locks.every(({ ends }) => ends > now)) return locks;
    this.#keep(workspace, key, ({ ends }) => ends > now);
    return places.get(key) ?? [];
  }

  #placesOf(workspace: WorkspaceId): WorkspaceLocks {
    return this.#workspaces.get(workspace) ?? new Map();
  }

  /** Removes a lock from the account with the most locks; false if none has more than `own`. */
  #evictFromLargest(own: number): boolean {
    let largest: WorkspaceId | undefined;
    let most = own;
    for (const [workspace, places] of this.#workspaces) {
      let count = 0;
      for (const locks of places.values()) count += locks.length;
      if (count > most) [largest, most] = [workspace, count];
    }
    return largest !== undefined && this.#evict(largest, 0);
  }

  /**
   * Removes one lock of the user with the most locks in a workspace: the first to expire. False if nobody has
   * more than `own`.
   */
  #evict(workspace: WorkspaceId, own: number): boolean {
    const byHolder = new Map<string, DavLock[]>();
    for (const locks of this.#placesOf(workspace).values())
      for (const lock of locks) {
        const { user, userIncarnation } = lock.holder;
        const holder = `${userIncarnation} ${user}`;
        const others = byHolder.get(holder);
        if (others) others.push(lock);
        else byHolder.set(holder, [lock]);
      }
    const [most = []] = [...byHolder.values()].sort((a, b) => b.length - a.length);
    if (most.length <= own) return false;
    const first = most.reduce((a, b) => (b.ends < a.ends ? b : a));
    for (const [place, locks] of this.#placesOf(workspace))
      if (locks.includes(first)) this.#keep(workspace, place, (one) => one !== first);
    return true;
  }

  #sweep(workspace: WorkspaceId): void {
    const now = this.#now();
    for (const place of [...(this.#workspaces.get(workspace)?.keys() ?? [])])
      this.#keep(workspace, place, ({ ends }) => ends > now);
  }

  #keep(workspace: WorkspaceId, key: string, stays: (lock: DavLock) => boolean): void {
    const places = this.#workspaces.get(workspace);
    const locks = places?.get(key);
    if (places === undefined || locks === undefined) return;
    const left = locks.filter(stays);
    this.#count -= locks.length - left.length;
    if (left.length > 0) places.set(key, left);
    else places.delete(key);
    if (places.size === 0) this.#workspaces.delete(workspace);
  }
}

/**
 * A token that is never reused: a URI, as RFC 4918, section 6.5 requires, and short, because some clients
 * have little room for it in headers.
 */
export const newToken = (): string => `ctxlock:${randomBytes(TOKEN_BYTES).toString("base64url")}`;

const full = overBudget("locks", "locks");

/** Number of locks of an account and of one of its users. */
function counted(places: WorkspaceLocks, holder: DavLock["holder"]): { all: number; own: number } {
  let [all, own] = [0, 0];
  for (const locks of places.values())
    for (const lock of locks) {
      all++;
      if (isHeldBy(lock, holder)) own++;
    }
  return { all, own };
}

function tooMany(who: string, limit: number): ServiceError {
  const reason = `${who} ${limit}, as many as may be`;
  const message = `locks: ${reason}: release one of them`;
  return new ServiceError("RESOURCE_EXHAUSTED", message, { resource: "locks", reason, unit: "locks", limit });
}

/** Key of a path. Segments are never empty, so a key is a prefix of another only if a slash follows. */
function keyOf({ space }: LockSpace, path: Path): string {
  const isAgents = path[0] === "agent" && path.length > 1 && path[1] !== "skills";
  return ["", ...(isAgents ? ["agent", `${space}:`, ...path.slice(1)] : path)].join("/");
}

/** Whether the caller created the lock. */
export const isHeldBy = ({ holder }: DavLock, { user, userIncarnation }: DavLock["holder"]): boolean =>
  holder.user === user && holder.userIncarnation === userIncarnation;

/** Seconds from a Timeout header: its first valid value. */
export function timeoutOf(header: string | undefined): number {
  const value =
    header === undefined ? null : /(?:^|[\s,])(?:Second-(\d{1,15})|(Infinite))/i.exec(header.slice(0, 200));
  if (value === null) return LOCK_SECONDS.usual;
  if (value[1] === undefined) return LOCK_SECONDS.most;
  return Math.max(1, Math.min(LOCK_SECONDS.most, Number(value[1])));
}
