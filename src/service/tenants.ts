import type { AccountPlace, Registry } from "../accounts/registry.ts";
import { accountDeleted } from "../accounts/standing.ts";
import { userNames } from "../accounts/user-names.ts";
import { append } from "../base/append.ts";
import type { Caller } from "../domain/caller.ts";
import { NO_WORKSPACE, type UserIncarnation, type WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import { chunkCounts } from "../index/chunk-counts.ts";
import { Keys } from "../workspace/keys.ts";
import { trimRetries } from "../workspace/requests/retries.ts";
import type { WorkspaceStores } from "../workspace/shared-state.ts";
import { clearStages } from "../workspace/tree/builder.ts";
import { type Owner, ownerOf } from "../workspace/tree/locate.ts";
import { countedBytes } from "../workspace/tree/stored-bytes.ts";
import { Workspace } from "../workspace/workspace.ts";

/** A workspace as one caller sees it. */
export interface Tenant {
  readonly workspace: Workspace;
  readonly owner: Owner;
}

/** Opens the workspace of a caller, once per incarnation. */
export class Tenants {
  readonly #registry: Registry;
  readonly #stores: WorkspaceStores;
  readonly #agentScope: "user" | "account";
  readonly #opening = new Map<number, Promise<Workspace>>();
  /**
   * Workspaces in memory. The cache holds those that were used last; another one lives on while somebody uses
   * it, so that there are never two of an incarnation, and is opened again after that.
   */
  readonly #live = new Map<number, WeakRef<Workspace>>();
  readonly #gone = new FinalizationRegistry<number>((incarnation) => {
    if (this.#live.get(incarnation)?.deref() === undefined) this.#live.delete(incarnation);
  });

  constructor(registry: Registry, stores: WorkspaceStores, agentScope: "user" | "account") {
    this.#registry = registry;
    this.#stores = stores;
    this.#agentScope = agentScope;
  }

  /**
   * For operations that change nothing: an account that was never written appears empty and is not created.
   */
  async reading(caller: Caller): Promise<Tenant> {
    const account = this.#placeOf(caller);
    return this.#tenant(caller, account?.incarnation ?? NO_WORKSPACE, account?.createdAt ?? 0);
  }

  /**
   * For operations that write: where no key is configured, and for `default`, the account springs into being.
   */
  async writing(caller: Caller): Promise<Tenant> {
    const account = this.#placeOf(caller) ?? (await this.#registry.ensureAccount(caller.account));
    return this.#tenant(caller, account.incarnation, account.createdAt);
  }

  /** The workspace of a job, or undefined once its account is gone. */
  async ofIncarnation(incarnation: WorkspaceId): Promise<Workspace | undefined> {
    const account = this.#registry.accountOf(incarnation);
    return account && this.#workspace(incarnation, account.createdAt);
  }

  /**
   * The workspace of a job that is done for a user, as that user sees it; undefined once the account is gone,
   * though one of the same name may live. Every change is refused once the user is removed.
   */
  async ofJob(
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
    return { workspace: workspace.guardedBy(guard), owner: ownerOf(user, this.#agentScope) };
  }

  /** The users of a workspace who are registered under numbers; those who were removed are not among them. */
  userNames(
    incarnation: WorkspaceId,
    wanted: ReadonlySet<UserIncarnation>,
  ): Promise<ReadonlyMap<UserIncarnation, string>> {
    return userNames(this.#stores.kv, incarnation, wanted);
  }

  /** Whether a job's account and user still exist. */
  hasOwner({ workspace, owner }: Pick<Job, "workspace" | "owner">): boolean {
    if (this.#registry.accountOf(workspace) === undefined) return false;
    return owner === undefined || this.#registry.isCurrent(workspace, owner.user, owner.incarnation);
  }

  /** The workspace of an account, for its administration; undefined where the account was never made. */
  async ofAccount(account: string): Promise<Workspace | undefined> {
    const place = this.#registry.incarnationOf(account);
    return place && this.#workspace(place.incarnation, place.createdAt);
  }

  /**
   * Chunks by index partition: of the caller's account, or of all accounts, whose workspaces are not opened
   * for that.
   */
  async chunkCounts(
    of: Caller | "everything",
  ): Promise<{ readonly chunks: number; readonly indexed: number }[]> {
    const place = of === "everything" ? undefined : this.#registry.incarnationOf(of.account);
    const incarnations =
      of === "everything" ? await this.#registry.incarnations() : place ? [place.incarnation] : [];
    const counts: { readonly chunks: number; readonly indexed: number }[] = [];
    for (const incarnation of incarnations) {
      const loaded = this.#live.get(incarnation)?.deref()?.index.counts() ?? [];
      append(counts, await chunkCounts(this.#stores.kv, new Keys(incarnation), loaded));
    }
    return counts;
  }

  /** Bytes that all accounts store, as their quotas count them; no workspace is opened for that. */
  async storedBytes(): Promise<number> {
    let bytes = 0;
    for (const incarnation of await this.#registry.incarnations())
      bytes += countedBytes(this.#stores.kv, new Keys(incarnation)) ?? 0;
    return bytes;
  }

  /** Ends a workspace whose account is being deleted: what is still under way cannot write any more. */
  forget(incarnation: WorkspaceId): void {
    const end = (workspace: Workspace) => {
      workspace.close();
      this.#stores.index.cache.forget(workspace);
    };
    const live = this.#live.get(incarnation)?.deref();
    if (live) end(live);
    else void this.#opening.get(incarnation)?.then(end, () => undefined);
  }

  /** Writes what makes the next start short. */
  async close(): Promise<void> {
    for (const live of this.#live.values()) {
      const workspace = live.deref();
      await workspace?.checkpoint();
      await workspace?.settle();
    }
  }

  /** Workspaces whose tables are in memory. */
  get opened(): number {
    return this.#live.size;
  }

  async #tenant(caller: Caller, incarnation: WorkspaceId, createdAt: number): Promise<Tenant> {
    const workspace = await this.#workspace(incarnation, createdAt);
    return {
      workspace: workspace.guardedBy(this.#registry.guardOf(incarnation, caller)),
      owner: ownerOf(caller, this.#agentScope),
    };
  }

  /**
   * UNAUTHENTICATED where the account that the caller was authenticated for is deleted: one of the same name
   * is another one.
   */
  #placeOf({ account, accountIncarnation }: Caller): AccountPlace | undefined {
    const place = this.#registry.incarnationOf(account);
    if (accountIncarnation !== undefined && accountIncarnation !== place?.incarnation)
      throw accountDeleted(account);
    return place;
  }

  async #workspace(incarnation: WorkspaceId, createdAt: number): Promise<Workspace> {
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
    const workspace = await Workspace.open(this.#stores, incarnation, createdAt);
    // what an import under construction left behind when the process ended
    await clearStages(workspace);
    await trimRetries(workspace);
    // blobs whose transaction never committed because the process was killed
    void workspace.contents.sweep().catch(() => undefined);
    this.#live.set(incarnation, new WeakRef(workspace));
    this.#gone.register(workspace, incarnation);
    return workspace;
  }
}
