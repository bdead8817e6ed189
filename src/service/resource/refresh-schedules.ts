import type { LostAccess } from "../../accounts/account-changes.ts";
import { overBudget } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { DueSteps } from "../../jobs/due-steps.ts";
import type { ScheduleRecord } from "../../workspace/schedules/records.ts";
import { listSchedules, type ScheduleRef } from "../../workspace/schedules/schedules.ts";
import { type RunCounts, type RunDeps, runNext, type Scheduled } from "./scheduled-run.ts";

/** Maximum number of schedules per user and per account. */
const MAX_OF_USER = 32;
const MAX_OF_ACCOUNT = 64;
/** Maximum number of concurrent source checks, per account and in total; imports run in their own queue. */
const MAX_UNDER_WAY_OF_ACCOUNT = 2;
const MAX_UNDER_WAY = 16;
/** Delay in ms before a retry after an internal error. */
const FAULT_PAUSE_MS = 60_000;

/**
 * The refresh schedules of all accounts. Checks are distributed round robin over accounts, then over each
 * account's schedules.
 */
export class RefreshSchedules {
  readonly counts: RunCounts = { updated: 0, unchanged: 0, failed: 0 };
  readonly #deps: RunDeps;
  readonly #all = new Map<string, Scheduled>();
  readonly #steps: DueSteps<Scheduled>;

  constructor(deps: RunDeps) {
    this.#deps = deps;
    this.#steps = new DueSteps({
      clock: deps.clock,
      perWorkspace: MAX_UNDER_WAY_OF_ACCOUNT,
      total: MAX_UNDER_WAY,
      step: (one, signal) => this.#step(one, signal),
      current: (key) => {
        const one = this.#all.get(key);
        return one?.isPaused ? undefined : one;
      },
    });
  }

  /** Loads the stored schedules of workspaces without opening the workspaces. */
  async adopt(workspaces: readonly WorkspaceId[]): Promise<void> {
    for (const workspace of workspaces)
      for (const { node, record } of await listSchedules(this.#deps.kv, workspace))
        this.changed({ workspace, node }, record);
  }

  /** Stops the schedules of a workspace. The server that adopts it repeats interrupted runs. */
  drop(workspace: WorkspaceId): void {
    for (const one of this.#of(workspace)) this.leave(one);
  }

  /** Number of schedules by state. */
  get states(): { readonly active: number; readonly paused: number } {
    let paused = 0;
    for (const { isPaused } of this.#all.values()) if (isPaused) paused++;
    return { active: this.#all.size - paused, paused };
  }

  /**
   * Registers a schedule before it is stored; returns false if it is already registered. Throws
   * RESOURCE_EXHAUSTED if there are too many.
   */
  enter(ref: ScheduleRef, user: string): boolean {
    if (this.#all.has(keyOf(ref))) return false;
    const others = this.#of(ref.workspace);
    const ofUser = others.filter((one) => one.user === user).length;
    const refuse = (what: string, used: number, limit: number) =>
      overBudget(what, "schedules")({ of: "key", used, more: 1, limit });
    if (ofUser >= MAX_OF_USER) throw refuse("refresh schedules of the user", ofUser, MAX_OF_USER);
    if (others.length >= MAX_OF_ACCOUNT) throw refuse("refresh schedules", others.length, MAX_OF_ACCOUNT);
    this.#add(ref, user);
    return true;
  }

  /** Plans the next run of a stored schedule. */
  changed(ref: ScheduleRef, { user, paused, task, isLocal, nextAt }: ScheduleRecord): void {
    // a concurrent call for the same schedule may have failed and unregistered it
    const one = this.#all.get(keyOf(ref)) ?? this.#add(ref, user);
    one.user = user;
    one.isPaused = paused !== undefined;
    if (one.isPaused) this.#still(one);
    // the first step of a local source starts watching it
    else this.#steps.plan(one, task !== undefined || isLocal ? 0 : nextAt);
    this.#steps.pump();
  }

  /** Removes a schedule. An import in progress completes. */
  leave(ref: ScheduleRef): void {
    const one = this.#all.get(keyOf(ref));
    if (!one) return;
    this.#all.delete(one.key);
    this.#still(one);
    this.#steps.leave(one, "the schedule has ended");
  }

  /** Removes the schedules of removed users and accounts. A replaced key or role has no effect. */
  lost({ what, incarnation, user }: LostAccess): void {
    if (what !== "account" && what !== "user") return;
    for (const one of this.#of(incarnation)) if (what === "account" || one.user === user) this.leave(one);
  }

  /** Starts no further runs and aborts source checks; they are repeated after the next start. */
  async close(): Promise<void> {
    await this.#steps.close();
    for (const one of this.#all.values()) this.#still(one);
  }

  #of(workspace: WorkspaceId): Scheduled[] {
    return [...this.#all.values()].filter((one) => one.workspace === workspace);
  }

  #add(ref: ScheduleRef, user: string): Scheduled {
    const key = keyOf(ref);
    const one: Scheduled = {
      ...ref,
      key,
      user,
      isPaused: false,
      isChanged: false,
      endWatch: undefined,
      onChange: (dueAt) => {
        this.#steps.plan(one, dueAt);
        this.#steps.pump();
      },
    };
    this.#all.set(key, one);
    return one;
  }

  /** Stops watching a local source. */
  #still(one: Scheduled): void {
    one.endWatch?.();
    one.endWatch = undefined;
  }

  async #step(one: Scheduled, signal: AbortSignal): Promise<number | undefined> {
    try {
      const due = await runNext(this.#deps, this.counts, one, signal);
      if (due === undefined && this.#all.get(one.key) === one && !one.isPaused) this.leave(one);
      return due;
    } catch (error) {
      if (signal.aborted) return undefined;
      const { workspace, node } = one;
      this.#deps.log.error({ err: error, workspace, node }, "a scheduled refresh failed and will be retried");
      return this.#deps.clock() + FAULT_PAUSE_MS;
    } finally {
      // the schedule was removed or paused while the watch was being started
      if (one.isPaused || this.#all.get(one.key) !== one) this.#still(one);
    }
  }
}

const keyOf = ({ workspace, node }: ScheduleRef): string => `${workspace}/${node}`;
