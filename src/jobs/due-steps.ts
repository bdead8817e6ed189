import type { Clock } from "../base/clock.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { FairQueue } from "./fair-queue.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** An item whose work is done in steps at due times. */
export interface Stepped {
  readonly key: string;
  readonly workspace: WorkspaceId;
}

interface StepRules<T extends Stepped> {
  readonly clock: Clock;
  /** Maximum number of concurrent steps, per workspace and in total. */
  readonly perWorkspace: number;
  readonly total: number;
  /**
   * Runs one step of an item. Returns the due time of the next step (0: at once); undefined: none until one
   * is planned. Must not throw.
   */
  readonly step: (item: T, signal: AbortSignal) => Promise<number | undefined>;
  /** The current item of a key; undefined if it needs no more steps. */
  readonly current: (key: string) => T | undefined;
}

interface Turn<T> {
  readonly workspace: WorkspaceId;
  readonly dueAt: number;
  readonly item: T;
}

interface Running {
  readonly leave: AbortController;
  /** Due time of a step that was requested during the current one. */
  dueAt: number;
}

/**
 * Runs steps when they are due. Each item has at most one step in progress; steps are distributed round robin
 * over workspaces, then over each workspace's items.
 */
export class DueSteps<T extends Stepped> {
  readonly #rules: StepRules<T>;
  readonly #queue = new FairQueue<Turn<T>>();
  /** Due time of queued steps, by key. */
  readonly #queued = new Map<string, number>();
  readonly #running = new Map<string, Running>();
  readonly #underWay = new Map<WorkspaceId, number>();
  readonly #steps = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(rules: StepRules<T>) {
    this.#rules = rules;
  }

  get underWay(): number {
    return this.#running.size;
  }

  /** Plans a step unless an earlier one is planned. Call `pump` afterwards. */
  plan(item: T, dueAt: number): void {
    const { key, workspace } = item;
    const running = this.#running.get(key);
    if (running) {
      running.dueAt = Math.min(running.dueAt, dueAt);
      return;
    }
    if ((this.#queued.get(key) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
    this.#queued.set(key, dueAt);
    this.#queue.put(key, { workspace, dueAt, item });
  }

  /** Starts the due steps. */
  pump(): void {
    if (this.#stop.signal.aborted) return;
    const { clock, perWorkspace, total } = this.#rules;
    const mayBegin = (workspace: WorkspaceId) => (this.#underWay.get(workspace) ?? 0) < perWorkspace;
    while (this.#running.size < total) {
      const turn = this.#queue.next(clock(), mayBegin);
      if (!turn) break;
      this.#queue.delete(turn.item.key, turn.workspace);
      this.#queued.delete(turn.item.key);
      this.#begin(turn.item);
    }
    clearTimeout(this.#timer);
    const due = this.#running.size < total ? this.#queue.nextDue(mayBegin) : undefined;
    if (due === undefined) return;
    const waitMs = Math.min(MAX_TIMER_MS, Math.max(1, due - clock()));
    this.#timer = setTimeout(() => this.pump(), waitMs).unref();
  }

  /** Drops the planned step of an item and aborts its step in progress. */
  leave({ key, workspace }: Stepped, why: string): void {
    this.#queue.delete(key, workspace);
    this.#queued.delete(key);
    this.#running.get(key)?.leave.abort(new Error(why));
  }

  /** Starts no further steps and aborts those in progress. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort(new Error("the server is stopping"));
    await Promise.allSettled(this.#steps);
  }

  #begin(item: T): void {
    const { key, workspace } = item;
    const running: Running = { leave: new AbortController(), dueAt: Number.POSITIVE_INFINITY };
    this.#running.set(key, running);
    this.#underWay.set(workspace, (this.#underWay.get(workspace) ?? 0) + 1);
    const signal = AbortSignal.any([running.leave.signal, this.#stop.signal]);
    const step = this.#rules.step(item, signal).then((due) => {
      this.#steps.delete(step);
      this.#running.delete(key);
      const left = (this.#underWay.get(workspace) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(workspace);
      else this.#underWay.set(workspace, left);
      const dueAt = Math.min(running.dueAt, due ?? Number.POSITIVE_INFINITY);
      // the workspace may have been given up and taken again in the meantime
      const current = this.#rules.current(key);
      if (current && dueAt < Number.POSITIVE_INFINITY) this.plan(current, dueAt);
      // yield to the event loop between steps: requests have priority
      setImmediate(() => this.pump());
    });
    this.#steps.add(step);
  }
}
