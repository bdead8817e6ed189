import type { LostAccess } from "../../accounts/account-changes.ts";
import { Budget, type Lease } from "../../base/budget.ts";
import { overBudget } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { DueSteps } from "../../jobs/due-steps.ts";
import { endOfChanges } from "../../workspace/changes/change-log.ts";
import { Keys } from "../../workspace/keys.ts";
import { listWebhooks, type StoredWebhook, type WebhookRef } from "../../workspace/webhooks/webhooks.ts";
import { type DeliveryCounts, type DeliveryDeps, deliverNext, type Hook } from "./deliver.ts";

/** Maximum number of webhooks per user and per account. */
const MAX_OF_USER = 16;
const MAX_OF_ACCOUNT = 64;
/**
 * Maximum number of concurrent deliveries, per account and in total; greater than the maximum per user, so
 * that slow webhooks do not delay other users.
 */
const MAX_UNDER_WAY_OF_ACCOUNT = 32;
const MAX_UNDER_WAY = 256;
/** Maximum number of concurrent tests, which are separate from deliveries. */
const MAX_TESTS = { perKey: 4, total: 32 };
/** Delay in ms in which further changes are added to a message. */
const GATHER_MS = 100;
/** Delay in ms before a retry after an internal error. */
const FAULT_PAUSE_MS = 60_000;

/**
 * The webhooks of all accounts. Each has at most one delivery in progress, so that its changes arrive in
 * order; accounts take turns, and so do the webhooks of an account.
 */
export class Webhooks {
  readonly counts: DeliveryCounts = { delivered: 0, failed: 0, givenUp: 0, changes: 0 };
  readonly #deps: DeliveryDeps;
  readonly #hooks = new Map<string, Hook>();
  readonly #ofWorkspace = new Map<WorkspaceId, Set<Hook>>();
  readonly #steps: DueSteps<Hook>;
  readonly #tests = new Budget<number>(MAX_TESTS, overBudget("tests of webhooks", "tests"));

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#steps = new DueSteps({
      clock: deps.clock,
      perWorkspace: MAX_UNDER_WAY_OF_ACCOUNT,
      total: MAX_UNDER_WAY,
      step: (hook, signal) => this.#step(hook, signal),
      current: (key) => {
        const hook = this.#hooks.get(key);
        return hook?.isPaused ? undefined : hook;
      },
    });
  }

  /** Loads the stored webhooks of workspaces. Does not open workspaces without new changes. */
  async adopt(workspaces: readonly WorkspaceId[]): Promise<void> {
    for (const workspace of workspaces) {
      const found = await listWebhooks(this.#deps.kv, workspace);
      const end = found.length === 0 ? undefined : await endOfChanges(this.#deps.kv, new Keys(workspace));
      for (const stored of found) {
        const ref = { workspace, user: stored.record.user, id: stored.record.id };
        // created meanwhile, or adopted by an attempt that failed later
        if (this.#hooks.has(keyOf(ref))) continue;
        const hook = this.#add(ref);
        hook.isPaused = stored.record.paused !== undefined;
        if (isBehind(stored, end?.next ?? 0)) this.#steps.plan(hook, 0);
      }
    }
    this.#steps.pump();
  }

  /** Stops sending for a workspace. The server that adopts it repeats interrupted deliveries. */
  drop(workspace: WorkspaceId): void {
    for (const hook of [...(this.#ofWorkspace.get(workspace) ?? [])]) this.leave(hook);
  }

  /** Number of webhooks by state. */
  get states(): { readonly active: number; readonly paused: number } {
    let paused = 0;
    for (const { isPaused } of this.#hooks.values()) if (isPaused) paused++;
    return { active: this.#hooks.size - paused, paused };
  }

  get underWay(): number {
    return this.#steps.underWay;
  }

  /** Plans deliveries after a commit that changed the tree. */
  changed(workspace: WorkspaceId): void {
    const hooks = this.#ofWorkspace.get(workspace);
    if (!hooks) return;
    const dueAt = this.#deps.clock() + GATHER_MS;
    for (const hook of hooks) if (!hook.isPaused) this.#steps.plan(hook, dueAt);
    this.#steps.pump();
  }

  /** Registers a webhook before it is stored. Throws RESOURCE_EXHAUSTED if there are too many. */
  enter(ref: WebhookRef): void {
    const hooks = [...(this.#ofWorkspace.get(ref.workspace) ?? [])];
    const ofUser = hooks.filter(({ user }) => user === ref.user).length;
    if (ofUser >= MAX_OF_USER)
      throw overBudget(
        "webhooks of the user",
        "webhooks",
      )({ of: "key", used: ofUser, more: 1, limit: MAX_OF_USER });
    if (hooks.length >= MAX_OF_ACCOUNT)
      throw overBudget(
        "webhooks",
        "webhooks",
      )({ of: "key", used: hooks.length, more: 1, limit: MAX_OF_ACCOUNT });
    this.#add(ref);
  }

  /** Schedules a step for a webhook that was changed or resumed. */
  wake(ref: WebhookRef, isPaused: boolean): void {
    const hook = this.#hooks.get(keyOf(ref));
    if (!hook) return;
    hook.isPaused = isPaused;
    if (isPaused) return;
    this.#steps.plan(hook, 0);
    this.#steps.pump();
  }

  /** Removes a webhook and aborts its delivery in progress. */
  leave(ref: WebhookRef): void {
    const key = keyOf(ref);
    const hook = this.#hooks.get(key);
    if (!hook) return;
    this.#hooks.delete(key);
    const others = this.#ofWorkspace.get(ref.workspace);
    others?.delete(hook);
    if (others?.size === 0) this.#ofWorkspace.delete(ref.workspace);
    this.#steps.leave(hook, "the webhook has ended");
  }

  /** Removes the webhooks of removed users and accounts. A replaced key or role has no effect. */
  lost({ what, incarnation, user }: LostAccess): void {
    if (what !== "account" && what !== "user") return;
    for (const hook of [...(this.#ofWorkspace.get(incarnation) ?? [])])
      if (what === "account" || hook.user === user) this.leave(hook);
  }

  /** Reserves a concurrent test. Throws RESOURCE_EXHAUSTED if too many tests of the account are running. */
  enterTest(workspace: WorkspaceId): Pick<Lease, "release"> {
    return this.#tests.take(workspace, 1);
  }

  /** Starts no further delivery and aborts those in progress; the next start continues them. */
  close(): Promise<void> {
    return this.#steps.close();
  }

  #add(ref: WebhookRef): Hook {
    const hook: Hook = { ...ref, key: keyOf(ref), isPaused: false };
    this.#hooks.set(hook.key, hook);
    const others = this.#ofWorkspace.get(ref.workspace);
    if (others) others.add(hook);
    else this.#ofWorkspace.set(ref.workspace, new Set([hook]));
    return hook;
  }

  async #step(hook: Hook, signal: AbortSignal): Promise<number | undefined> {
    try {
      return await deliverNext(this.#deps, this.counts, hook, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      this.#deps.log.error(
        { err: error, workspace: hook.workspace, webhook: hook.id },
        "a webhook step failed and will be retried",
      );
      return this.#deps.clock() + FAULT_PAUSE_MS;
    }
  }
}

const keyOf = ({ workspace, user, id }: WebhookRef): string => `${workspace}/${user}/${id}`;

const isBehind = ({ record, progress }: StoredWebhook, end: number): boolean =>
  record.paused === undefined &&
  (progress.next < end || progress.batch !== undefined || progress.again.length > 0);
