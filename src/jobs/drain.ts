import type { Job, QueueName } from "../domain/job.ts";
import { Watch, type Watched } from "./watch.ts";
import { Watches } from "./watches.ts";

export interface Counts {
  pending: number;
  inProgress: number;
  processed: number;
  errors: number;
}

/** Counts jobs for those who wait and for observers: a fold of what the queue does, in memory. */
export class Drain {
  readonly #watches = new Watches();
  readonly #counts = new Map<string, Counts>();

  /** `jobs`: those among which there may be some to be followed. */
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

  /** Whether somebody waits for such a job. */
  isAwaited(job: Pick<Job, "queue" | "workspace" | "origins">): boolean {
    for (const watch of this.#watches.covering(job)) if (!watch.patient) return true;
    return false;
  }

  /** Jobs of one queue and workspace since the start of the process. */
  counts(queue: QueueName, workspace: number): Counts {
    const key = `${queue}/${workspace}`;
    let counts = this.#counts.get(key);
    if (!counts) {
      counts = { pending: 0, inProgress: 0, processed: 0, errors: 0 };
      this.#counts.set(key, counts);
    }
    return counts;
  }

  /** Jobs of one queue over all workspaces. */
  total(queue: QueueName): Counts {
    const sum: Counts = { pending: 0, inProgress: 0, processed: 0, errors: 0 };
    for (const [key, counts] of this.#counts) {
      if (!key.startsWith(`${queue}/`)) continue;
      sum.pending += counts.pending;
      sum.inProgress += counts.inProgress;
      sum.processed += counts.processed;
      sum.errors += counts.errors;
    }
    return sum;
  }

  added(job: Job): void {
    this.counts(job.queue, job.workspace).pending++;
    for (const watch of this.#watches.covering(job)) watch.pending++;
  }

  /** A job took over further origins, while it was pending or just when it was claimed. */
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

  /** A claimed job goes back to wait for its next attempt. */
  returned(job: Job): void {
    this.#move(job, -1);
  }

  /** A claimed job ended; the jobs it led to have been added before. */
  settled(job: Job, error: string | undefined): void {
    const counts = this.counts(job.queue, job.workspace);
    counts.inProgress--;
    if (error === undefined) counts.processed++;
    else counts.errors++;
    for (const watch of this.#watches.covering(job)) {
      watch.inProgress--;
      watch.settled(job, error);
      watch.check();
    }
  }

  /** A pending job was cancelled. */
  cancelled(job: Job): void {
    this.counts(job.queue, job.workspace).pending--;
    for (const watch of this.#watches.covering(job)) {
      watch.pending--;
      watch.check();
    }
  }

  #move(job: Job, step: 1 | -1): void {
    const counts = this.counts(job.queue, job.workspace);
    counts.pending -= step;
    counts.inProgress += step;
    for (const watch of this.#watches.covering(job)) {
      watch.pending -= step;
      watch.inProgress += step;
    }
  }
}
