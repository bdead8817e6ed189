import { unavailable } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { type Job, QUEUES, type QueueName } from "../domain/job.ts";
import { Watch, type Watched } from "./job-watch.ts";
import { Watches } from "./job-watches.ts";

export interface Counts {
  pending: number;
  inProgress: number;
  processed: number;
  errors: number;
}

/** Maximum number of queue and workspace pairs with counts; a new pair replaces an idle one. */
export const MAX_COUNTED = 40_000;
const MAX_LOOKED = 16;

const NONE: Readonly<Counts> = { pending: 0, inProgress: 0, processed: 0, errors: 0 };

/** Counts jobs in memory, from the queue's events, for callers that wait and for observers. */
export class Drain {
  readonly #watches = new Watches();
  /** Job counts since the start of the process, by queue and workspace. */
  readonly #totals = new Map<QueueName, Counts>();
  readonly #counts = new Map<string, Counts>();

  /** `jobs`: candidates for the watch. */
  watch(watched: Watched, jobs: Iterable<Job>, patient: boolean): Watch {
    const watch = new Watch(watched, { patient }, (ended) => this.#watches.delete(ended));
    for (const job of jobs) {
      if (!watch.covers(job)) continue;
      if (job.claimed) watch.inProgress++;
      else watch.pending++;
    }
    this.#watches.add(watch);
    return watch;
  }

  /** Whether a caller waits for a job with these properties. */
  isAwaited(job: Pick<Job, "queue" | "workspace" | "origins">): boolean {
    for (const watch of this.#watches.covering(job)) if (!watch.patient) return true;
    return false;
  }

  /**
   * Job counts of one queue and workspace. Counts of finished jobs are dropped after many other workspaces
   * had jobs.
   */
  counts(queue: QueueName, workspace: WorkspaceId): Readonly<Counts> {
    return this.#counts.get(`${queue}/${workspace}`) ?? NONE;
  }

  /** Job counts of one queue over all workspaces since the start. */
  total(queue: QueueName): Readonly<Counts> {
    return this.#totals.get(queue) ?? NONE;
  }

  added(job: Job): void {
    this.#count(job, { pending: 1 });
    for (const watch of this.#watches.covering(job)) watch.pending++;
  }

  /** A job took over more origins, while pending or when claimed. */
  merged(before: Job, job: Job, inProgress: boolean): void {
    for (const watch of this.#watches.covering(job)) {
      if (watch.covers(before)) continue;
      if (inProgress) watch.inProgress++;
      else watch.pending++;
    }
  }

  claimed(job: Job): void {
    this.#move(job, 1);
  }

  /** A claimed job is pending again until its next attempt. */
  returned(job: Job): void {
    this.#move(job, -1);
  }

  /** A claimed job has ended. Jobs that it enqueued were added before. */
  settled(job: Job, error: string | undefined): void {
    this.#count(job, { inProgress: -1, ...(error === undefined ? { processed: 1 } : { errors: 1 }) });
    for (const watch of this.#watches.covering(job)) {
      watch.inProgress--;
      watch.settled(job, error);
      watch.check();
    }
  }

  cancelled(job: Job): void {
    this.#count(job, { pending: -1 });
    for (const watch of this.#watches.covering(job)) {
      watch.pending--;
      watch.check();
    }
  }

  /** The unfinished jobs of a workspace move to another server: callers waiting for them get UNAVAILABLE. */
  dropped(workspace: WorkspaceId, jobs: readonly Job[]): void {
    const moved = unavailable("the account has moved to another server; try again");
    const checked = new Set<Watch>();
    for (const job of jobs) {
      this.#count(job, job.claimed ? { inProgress: -1 } : { pending: -1 });
      for (const watch of this.#watches.covering(job)) {
        if (job.claimed) watch.inProgress--;
        else watch.pending--;
        checked.add(watch);
      }
    }
    for (const watch of checked) {
      if (watch.watched === "everything") watch.check();
      else watch.lose(moved);
    }
    for (const queue of QUEUES) this.#counts.delete(`${queue}/${workspace}`);
  }

  #move(job: Job, step: 1 | -1): void {
    this.#count(job, { pending: -step, inProgress: step });
    for (const watch of this.#watches.covering(job)) {
      watch.pending -= step;
      watch.inProgress += step;
    }
  }

  #count({ queue, workspace }: Job, change: Partial<Counts>): void {
    const key = `${queue}/${workspace}`;
    const counts = this.#counts.get(key) ?? { ...NONE };
    const total = this.#totals.get(queue) ?? { ...NONE };
    for (const name of ["pending", "inProgress", "processed", "errors"] as const) {
      counts[name] += change[name] ?? 0;
      total[name] += change[name] ?? 0;
    }
    this.#totals.set(queue, total);
    this.#counts.set(key, counts);
    if (this.#counts.size > MAX_COUNTED) this.#forgetOneAtRest();
  }

  #forgetOneAtRest(): void {
    let looked = 0;
    for (const [key, counts] of this.#counts) {
      this.#counts.delete(key);
      if (counts.pending === 0 && counts.inProgress === 0) return;
      this.#counts.set(key, counts);
      if (++looked === MAX_LOOKED) return;
    }
  }
}
