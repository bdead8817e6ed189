import type { WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import { endedWaits } from "./ended-waits.ts";

/** Maximum number of errors kept per watch; further ones are only counted. */
const MAX_ERRORS = 100;

/** Job results of one queue since the watch began. */
export interface Tally {
  processed: number;
  errorCount: number;
  readonly errors: { message: string }[];
}

/**
 * The jobs of one request, of one workspace, or all. `errorsFor`: the user who sees the errors; those of other
 * users' jobs are replaced, because they name private files. Undefined: all errors are shown.
 */
export type Watched =
  | { readonly origin: string }
  | { readonly workspace: WorkspaceId; readonly errorsFor?: string | undefined }
  | "everything";

/** Replaces the error of another user's job. */
const OF_OTHERS = "a job of another user failed";

/**
 * Watches a set of jobs. Create it before the transaction that enqueues the jobs; call `release` at the end.
 */
export class Watch {
  readonly semantic: Tally = { processed: 0, errorCount: 0, errors: [] };
  readonly embedding: Tally = { processed: 0, errorCount: 0, errors: [] };
  pending = 0;
  inProgress = 0;
  readonly patient: boolean;
  readonly watched: Watched;
  /** Called when a watched job has ended or was removed. */
  onSettled: (() => void) | undefined;
  readonly #release: (watch: Watch) => void;
  readonly #waiting = new Set<(error?: Error) => void>();
  /** Why the jobs can no longer be watched. */
  #lost: Error | undefined;

  /** `patient`: no caller waits for the jobs. */
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
   * Resolves once no watched job is outstanding. Rejects with the signal's reason, or with the error passed
   * to `lose`.
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

  /** Ends all waits with an error, because the jobs move to another server. */
  lose(error: Error): void {
    this.#lost = error;
    this.#endAll(error);
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
    const message = this.#showsErrorOf(job) ? error : OF_OTHERS;
    if (tally.errors.length < MAX_ERRORS) tally.errors.push({ message });
  }

  #showsErrorOf({ owner }: Pick<Job, "owner">): boolean {
    if (this.watched === "everything" || "origin" in this.watched) return true;
    const { errorsFor } = this.watched;
    return errorsFor === undefined || owner === undefined || owner.user === errorsFor;
  }

  check(): void {
    this.onSettled?.();
    if (this.outstanding === 0) this.#endAll();
  }

  /** Ends all current waits, even if jobs are added before the callers resume. */
  #endAll(error?: Error): void {
    const ending = [...this.#waiting];
    this.#waiting.clear();
    for (const end of ending) endedWaits.add(() => end(error));
  }
}
