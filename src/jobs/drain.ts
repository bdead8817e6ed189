import type { Job, QueueName } from "../domain/job.ts";

/** Errors kept of one watch; further ones are counted only. */
const MAX_ERRORS = 100;

/** What became of the jobs of one queue since a watch began. */
export interface Tally {
  processed: number;
  errorCount: number;
  readonly errors: { message: string }[];
}

export interface Counts {
  pending: number;
  inProgress: number;
  processed: number;
  errors: number;
}

type Watched = { readonly origin: string } | { readonly workspace: number } | "everything";

/** Follows a set of jobs from its creation on. Create it before the transaction that enqueues, `release` it at the end. */
export class Watch {
  readonly semantic: Tally = { processed: 0, errorCount: 0, errors: [] };
  readonly embedding: Tally = { processed: 0, errorCount: 0, errors: [] };
  pending = 0;
  inProgress = 0;
  readonly patient: boolean;
  readonly #watched: Watched;
  readonly #release: (watch: Watch) => void;
  readonly #waiting = new Set<() => void>();

  /** `patient`: it follows along, nobody waits for it. */
  constructor(watched: Watched, { patient }: { readonly patient: boolean }, release: (watch: Watch) => void) {
    this.patient = patient;
    this.#watched = watched;
    this.#release = release;
  }

  covers(job: Pick<Job, "queue" | "workspace" | "origins">): boolean {
    if (job.queue === "purge") return false;
    if (this.#watched === "everything") return true;
    return "origin" in this.#watched ? job.origins.includes(this.#watched.origin) : job.workspace === this.#watched.workspace;
  }

  get outstanding(): number {
    return this.pending + this.inProgress;
  }

  /** Resolves once nothing is outstanding, at once where nothing is; `signal` ends the wait with its reason. */
  drained(signal: AbortSignal): Promise<void> {
    if (this.outstanding === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", stop);
        finish();
      };
      const done = () => end(resolve);
      const stop = () => end(() => reject(signal.reason));
      if (signal.aborted) return reject(signal.reason);
      this.#waiting.add(done);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  release(): void {
    this.#release(this);
  }

  settled(job: Job, error: string | undefined): void {
    const tally = job.queue === "embedding" ? this.embedding : this.semantic;
    if (error === undefined) {
      if (job.queue !== "import") tally.processed++;
      return;
    }
    tally.errorCount++;
    if (tally.errors.length < MAX_ERRORS) tally.errors.push({ message: error });
  }

  check(): void {
    if (this.outstanding === 0) for (const done of [...this.#waiting]) done();
  }
}

/** Counts jobs for those who wait and for observers: a fold of what the queue does, in memory. */
export class Drain {
  readonly #watches = new Set<Watch>();
  readonly #counts = new Map<string, Counts>();

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
    for (const watch of this.#watches) if (!watch.patient && watch.covers(job)) return true;
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
    for (const watch of this.#watches) if (watch.covers(job)) watch.pending++;
  }

  /** A job took over further origins, while it was pending or just when it was claimed. */
  merged(before: Job, job: Job, inProgress: boolean): void {
    for (const watch of this.#watches) {
      if (!watch.covers(job) || watch.covers(before)) continue;
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
    for (const watch of this.#watches) {
      if (!watch.covers(job)) continue;
      watch.inProgress--;
      watch.settled(job, error);
      watch.check();
    }
  }

  /** A pending job was cancelled. */
  cancelled(job: Job): void {
    this.counts(job.queue, job.workspace).pending--;
    for (const watch of this.#watches) {
      if (!watch.covers(job)) continue;
      watch.pending--;
      watch.check();
    }
  }

  #move(job: Job, step: 1 | -1): void {
    const counts = this.counts(job.queue, job.workspace);
    counts.pending -= step;
    counts.inProgress += step;
    for (const watch of this.#watches) {
      if (!watch.covers(job)) continue;
      watch.pending -= step;
      watch.inProgress += step;
    }
  }
}
