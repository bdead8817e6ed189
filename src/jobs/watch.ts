import type { WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";

/** Limit of errors kept by one watch; further ones are only counted. */
const MAX_ERRORS = 100;

/** Outcome of a queue's jobs since a watch began. */
export interface Tally {
  processed: number;
  errorCount: number;
  readonly errors: { message: string }[];
}

/** The jobs of a request, of a workspace, or all. */
export type Watched = { readonly origin: string } | { readonly workspace: WorkspaceId } | "everything";

/**
 * Follows a set of jobs from its creation on. Create it before the transaction that enqueues, `release` it at
 * the end.
 */
export class Watch {
  readonly semantic: Tally = { processed: 0, errorCount: 0, errors: [] };
  readonly embedding: Tally = { processed: 0, errorCount: 0, errors: [] };
  pending = 0;
  inProgress = 0;
  readonly patient: boolean;
  readonly watched: Watched;
  /** Called when a job has ended or was removed. */
  onSettled: (() => void) | undefined;
  readonly #release: (watch: Watch) => void;
  readonly #waiting = new Set<(error?: Error) => void>();
  /** Why the watched jobs can no longer be followed. */
  #lost: Error | undefined;

  /** `patient`: progress is followed, but no caller waits. */
  constructor(watched: Watched, { patient }: { readonly patient: boolean }, release: (watch: Watch) => void) {
    this.patient = patient;
    this.watched = watched;
    this.#release = release;
  }

  covers(job: Pick<Job, "queue" | "workspace" | "origins">): boolean {
    // nobody waits for purges
    if (job.queue === "purge") return false;
    if (this.watched === "everything") return true;
    return "origin" in this.watched
      ? job.origins.includes(this.watched.origin)
      : job.workspace === this.watched.workspace;
  }

  get outstanding(): number {
    return this.pending + this.inProgress;
  }

  /**
   * Resolves once no job is outstanding, immediately if there is none; `signal` ends the wait with its
   * reason, and `lose` with its error.
   */
  drained(signal: AbortSignal): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    if (this.outstanding === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", stop);
        finish();
      };
      const done = (error?: Error) => end(error ? () => reject(error) : resolve);
      const stop = () => end(() => reject(signal.reason));
      if (signal.aborted) return reject(signal.reason);
      this.#waiting.add(done);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Ends all waits with an error: the jobs go on elsewhere. */
  lose(error: Error): void {
    this.#lost = error;
    for (const end of [...this.#waiting]) end(error);
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
    this.onSettled?.();
    if (this.outstanding === 0) for (const done of [...this.#waiting]) done();
  }
}
