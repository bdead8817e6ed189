import type { AccountPlace, Registry } from "../accounts/registry.ts";
import { accountDeleted, checkAdministrator, registrationOf } from "../accounts/standing.ts";
import { userNames } from "../accounts/user-names.ts";
import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import type { Caller, Role } from "../domain/caller.ts";
import { notFound, unavailable } from "../domain/errors.ts";
import { type AccountId, NO_WORKSPACE, type UserIncarnation, type WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import { chunkCounts } from "../index/chunk-counts.ts";
import type { KvReader } from "../storage/kv.ts";
import type { Stores } from "../storage/stores.ts";
import { ViewerAccess } from "../workspace/access/viewer-access.ts";
import { Keys } from "../workspace/keys.ts";
import { trimFirstAnswers } from "../workspace/requests/first-answers.ts";
import { clearStages } from "../workspace/tree/builder.ts";
import { agentsOf, type Owner, ownerOf } from "../workspace/tree/locate.ts";
import { countedBytes } from "../workspace/tree/stored-bytes.ts";
import { Workspace } from "../workspace/workspace.ts";
import {
  type ChangeGuard,
  type ClosedBecause,
  closedError,
  type WorkspaceStores,
} from "../workspace/workspace-parts.ts";
import { highestShares, nearQuotas, type QuotaShare } from "./quota-usage.ts";

/** A workspace as accessed by one caller. */
export interface Tenant {
  readonly workspace: Workspace;
  readonly owner: Owner;
}

/** The subset of stores that takes and gives up workspaces. */
type HeldStores = Pick<Stores, "take" | "give" | "holding">;

/** Opens the workspace of a caller, once per incarnation. */
export class Tenants {
  readonly #registry: Registry;
  readonly #held: HeldStores;
  readonly #stores: WorkspaceStores;
  readonly #agentScope: "user" | "account";
  readonly #opening = new Map<number, Promise<Workspace>>();
  /**
   * Open workspaces. The cache holds the most recently used; an evicted workspace stays here while in use, so
   * that an incarnation never has two handles.
   */
  readonly #live = new Map<number, WeakRef<Workspace>>();
  readonly #gone = new FinalizationRegistry<number>((incarnation) => {
    if (this.#live.get(incarnation)?.deref() === undefined) this.#live.delete(incarnation);
  });

  /** Nearly exhausted quotas, as of the last `countStored`. */
  #nearQuota: readonly QuotaShare[] = [];

  constructor(registry: Registry, held: HeldStores, stores: WorkspaceStores, agentScope: "user" | "account") {
    this.#registry = registry;
    this.#held = held;
    this.#stores = stores;
    this.#agentScope = agentScope;
  }

  /** For read operations: an account that was never written appears empty and is not created. */
  async openOrEmpty(caller: Caller): Promise<Tenant> {
    const account = this.#placeOf(caller);
    return this.#tenant(caller, account?.incarnation ?? NO_WORKSPACE, account?.createdAt ?? 0);
  }

  /** For write operations: creates the account if there is no root key, or for `default`. */
  async openOrCreate(caller: Caller): Promise<Tenant> {
    const account = this.#placeOf(caller) ?? (await this.#registry.ensureAccount(caller.account));
    return this.#tenant(caller, account.incarnation, account.createdAt);
  }

  /** The workspace of a job; undefined if its account is gone. */
  async ofIncarnation(incarnation: WorkspaceId): Promise<Workspace | undefined> {
    const account = this.#registry.accountOf(incarnation);
    return account && this.#workspace(incarnation, account.createdAt);
  }

  /**
   * The workspace of a job, with the access of its user, or of the additional key that started the job;
   * undefined if the account was deleted, even if another has the same name now. Refuses all changes once the
   * user is removed.
   */
  async openForJob(
    { workspace: incarnation, owner }: Pick<Job, "workspace" | "owner">,
    of: Pick<Caller, "user" | "agent">,
  ) {
    const workspace = await this.ofIncarnation(incarnation);
    if (!workspace) return undefined;
    const guard = this.#registry.guardOf(incarnation, {
      user: of.user,
      ...(owner?.incarnation !== undefined && { userIncarnation: owner.incarnation }),
    });
    const user = { ...of, ...(owner?.incarnation !== undefined && { userIncarnation: owner.incarnation }) };
    const role = owner?.isKeyed ? "user" : this.#roleOf(incarnation, of.user);
    return this.#as(workspace, { ...user, role }, guard);
  }

  /** The user of a job as a caller with the user's current role; undefined if the account was deleted. */
  callerOf(
    { workspace: accountIncarnation, owner }: Pick<Job, "workspace" | "owner">,
    of: Pick<Caller, "user" | "agent">,
  ): Caller | undefined {
    const account = this.#registry.accountOf(accountIncarnation)?.account;
    if (account === undefined) return undefined;
    const user = { ...of, ...(owner?.incarnation !== undefined && { userIncarnation: owner.incarnation }) };
    const role = this.#roleOf(accountIncarnation, of.user);
    return { ...user, role, account, accountIncarnation, accountNamed: true, keyless: false };
  }

  /** Names of a workspace's users by incarnation, without removed users. */
  userNames(
    incarnation: WorkspaceId,
    wanted: ReadonlySet<UserIncarnation>,
  ): Promise<ReadonlyMap<UserIncarnation, string>> {
    return userNames(this.#stores.kv, incarnation, wanted);
  }

  /** Incarnation of the user currently registered with a name. Throws NOT_FOUND if there is none. */
  registrationOf(
    read: Pick<KvReader, "get">,
    { incarnation }: Pick<Workspace, "incarnation">,
    user: string,
  ): UserIncarnation {
    const found = registrationOf(read, incarnation, user);
    if (found === undefined) throw notFound("user", user);
    return found;
  }

  /** Throws unless the caller may still administer `account`; the workspace must be that account's. */
  checkAdministrator(
    read: Pick<KvReader, "get">,
    account: AccountId,
    { incarnation }: Pick<Workspace, "incarnation">,
    by: Caller,
  ): void {
    checkAdministrator(read, { account, incarnation }, by);
  }

  /**
   * Access of a user with an agent to a workspace; for an unregistered name, that of everyone. `keyRole`:
   * role of an additional key, which may be lower than that of the user.
   */
  accessOf(workspace: Workspace, user: string, agent: string, keyRole?: Role): ViewerAccess {
    const { incarnation } = workspace;
    const userIncarnation = registrationOf(workspace.kv, incarnation, user);
    const role = keyRole ?? (userIncarnation === undefined ? "user" : this.#roleOf(incarnation, user));
    return this.#accessOf(workspace, {
      user,
      agent,
      role,
      ...(userIncarnation !== undefined && { userIncarnation }),
    });
  }

  /** Whether a job's account and user still exist. */
  hasOwner({ workspace, owner }: Pick<Job, "workspace" | "owner">): boolean {
    if (this.#registry.accountOf(workspace) === undefined) return false;
    return owner === undefined || this.#registry.isCurrent(workspace, owner.user, owner.incarnation);
  }

  /** The workspace of an account, for administrators; undefined if the account does not exist. */
  async ofAccount(account: AccountId): Promise<Workspace | undefined> {
    const place = this.#registry.incarnationOf(account);
    return place && this.#workspace(place.incarnation, place.createdAt);
  }

  /**
   * Chunk counts by index partition, of the caller's account or of all accounts held by this server. Does not
   * open workspaces.
   */
  async chunkCounts(
    of: Caller | "everything",
  ): Promise<{ readonly chunks: number; readonly indexed: number }[]> {
    const place = of === "everything" ? undefined : this.#registry.incarnationOf(of.account);
    const incarnations =
      of === "everything" ? await this.#heldIncarnations() : place ? [place.incarnation] : [];
    const counts: { readonly chunks: number; readonly indexed: number }[] = [];
    for (const incarnation of incarnations) {
      const loaded = this.#live.get(incarnation)?.deref()?.index.counts() ?? [];
      append(counts, await chunkCounts(this.#stores.kv, new Keys(incarnation), loaded));
    }
    return counts;
  }

  /**
   * Computes the stored bytes of all accounts held by this server, as counted for quotas, and updates
   * `nearQuota`. Does not open workspaces.
   */
  async countStored(): Promise<number> {
    const { kv, quotas } = this.#stores;
    const shares: QuotaShare[] = [];
    let bytes = 0;
    const yielder = new EventLoopYielder();
    for (const incarnation of await this.#heldIncarnations()) {
      await yielder.yieldIfDue();
      const keys = new Keys(incarnation);
      bytes += countedBytes(kv, keys) ?? 0;
      const account = this.#registry.accountOf(incarnation)?.account;
      if (account !== undefined && quotas) append(shares, nearQuotas(kv, keys, account, quotas(incarnation)));
    }
    this.#nearQuota = highestShares(shares);
    return bytes;
  }

  /** Highest quota shares of accounts that nearly exhaust a quota; at most 100. */
  get nearQuota(): readonly QuotaShare[] {
    return this.#nearQuota;
  }

  /** Takes a workspace. Throws UNAVAILABLE if another server holds it. */
  async take(incarnation: WorkspaceId): Promise<void> {
    const owner = await this.#held.take(incarnation);
    if (owner) throw unavailable(`the account is served by another server: send the request to ${owner.url}`);
  }

  /** Releases a workspace cleanly: its work ends, then another server may take it. */
  release(incarnation: WorkspaceId): Promise<void> {
    return this.#held.give(incarnation);
  }

  /** Writes checkpoints of a workspace that is given up, so that it opens faster next time. */
  async leave(incarnation: WorkspaceId): Promise<void> {
    const live = this.#live.get(incarnation)?.deref();
    await live?.checkpoint();
    await live?.settle();
  }

  /** Closes a workspace that this server no longer holds; running calls can no longer write. */
  drop(incarnation: WorkspaceId): void {
    this.#end(incarnation, "moved");
    this.#live.delete(incarnation);
  }

  /** Closes the workspace of a deleted account; running work can no longer write. */
  forget(incarnation: WorkspaceId): void {
    this.#end(incarnation, "deleted");
  }

  #end(incarnation: WorkspaceId, why: ClosedBecause): void {
    const end = (workspace: Workspace) => {
      workspace.close(why);
      this.#stores.index.cache.forget(workspace);
    };
    const live = this.#live.get(incarnation)?.deref();
    if (live) end(live);
    else void this.#opening.get(incarnation)?.then(end, () => undefined);
  }

  /** Writes checkpoints that shorten the next start. */
  async close(): Promise<void> {
    for (const live of this.#live.values()) {
      const workspace = live.deref();
      await workspace?.checkpoint();
      await workspace?.settle();
    }
  }

  /** Number of workspaces in memory. */
  get opened(): number {
    return this.#live.size;
  }

  async #heldIncarnations(): Promise<readonly WorkspaceId[]> {
    const all = await this.#registry.incarnations();
    return all.filter((incarnation) => this.#held.holding(incarnation) !== undefined);
  }

  async #tenant(caller: Caller, incarnation: WorkspaceId, createdAt: number): Promise<Tenant> {
    const workspace = await this.#workspace(incarnation, createdAt);
    return this.#as(workspace, caller, this.#registry.guardOf(incarnation, caller));
  }

  /** The workspace with the access of a user. Grants are checked again with every change. */
  #as(
    workspace: Workspace,
    user: Pick<Caller, "user" | "userIncarnation" | "agent" | "role">,
    guard: ChangeGuard,
  ): Tenant {
    const access = this.#accessOf(workspace, user);
    const owner = ownerOf(user, this.#agentScope, access);
    const checked: ChangeGuard = (read) => {
      guard(read);
      access.recheck(read);
    };
    return { workspace: workspace.guardedBy(checked, owner.author), owner };
  }

  /** Role of a user; ROOT for an unregistered name. */
  #roleOf(incarnation: WorkspaceId, user: string): Role {
    return this.#registry.records.user(incarnation, user)?.role ?? "root";
  }

  #accessOf(
    workspace: Workspace,
    user: Pick<Caller, "user" | "userIncarnation" | "agent" | "role">,
  ): ViewerAccess {
    const who = { ...user, sharesAgents: this.#agentScope === "account" };
    return new ViewerAccess(workspace, who, { agentsOf: agentsOf(user, this.#agentScope) });
  }

  /** Throws UNAUTHENTICATED if the authenticated account was deleted, even if another has the same name. */
  #placeOf({ account, accountIncarnation }: Caller): AccountPlace | undefined {
    const place = this.#registry.incarnationOf(account);
    if (accountIncarnation !== undefined && accountIncarnation !== place?.incarnation)
      throw accountDeleted(account);
    return place;
  }

  async #workspace(incarnation: WorkspaceId, createdAt: number): Promise<Workspace> {
    const isHeld = incarnation === NO_WORKSPACE || this.#held.holding(incarnation) !== undefined;
    if (!isHeld) await this.take(incarnation);
    const workspace = this.#live.get(incarnation)?.deref() ?? (await this.#opened(incarnation, createdAt));
    this.#stores.index.cache.touch(workspace);
    return workspace;
  }

  #opened(incarnation: WorkspaceId, createdAt: number): Promise<Workspace> {
    let opening = this.#opening.get(incarnation);
    if (!opening) {
      opening = this.#load(incarnation, createdAt).finally(() => this.#opening.delete(incarnation));
      this.#opening.set(incarnation, opening);
    }
    return opening;
  }

  async #load(incarnation: WorkspaceId, createdAt: number): Promise<Workspace> {
    const turn = this.#held.holding(incarnation);
    const workspace = await Workspace.open(this.#stores, incarnation, createdAt);
    // leftovers of imports that were being built when the process ended
    await clearStages(workspace);
    await trimFirstAnswers(workspace);
    // blobs without a committed transaction, because the process was killed
    void workspace.contents.sweep().catch(() => undefined);
    if (this.#held.holding(incarnation) !== turn) {
      workspace.close("moved");
      throw closedError("moved");
    }
    this.#live.set(incarnation, new WeakRef(workspace));
    this.#gone.register(workspace, incarnation);
    return workspace;
  }
}
