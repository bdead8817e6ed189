import { tooMuchWaits } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";

/** Maximum number of waiting jobs per account. */
const MAX_WAITING_JOBS = 100_000;

export interface BacklogOptions {
  /** Maximum number of waiting bytes per account. */
  readonly maxBytes: number;
  /** Waiting bytes of a workspace outside the queues: its uploads. */
  readonly held: (workspace: WorkspaceId) => number;
}

export interface QueuedWork {
  readonly jobs: number;
  readonly bytes: number;
}

const NOTHING: QueuedWork = { jobs: 0, bytes: 0 };

/** Whether a job counts toward the backlog. Purge jobs do not: they free space. */
export const counts = ({ queue }: Pick<Job, "queue">): boolean => queue !== "purge";

/** Backlog per account: the sum over its job records, recomputed on restart. */
export class Backlog {
  readonly #options: BacklogOptions;
  readonly #waiting = new Map<number, QueuedWork>();
  #bytes = 0;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Waiting bytes in the jobs of all accounts. */
  get bytes(): number {
    return this.#bytes;
  }

  of(workspace: WorkspaceId): QueuedWork {
    return this.#waiting.get(workspace) ?? NOTHING;
  }

  /**
   * Waiting jobs and bytes of an account, including uploads, with their limits. `maxBytes` may be infinite.
   */
  usage(workspace: WorkspaceId): QueuedWork & { readonly maxJobs: number; readonly maxBytes: number } {
    const { maxBytes, held } = this.#options;
    const { jobs, bytes } = this.of(workspace);
    return { jobs, bytes: bytes + held(workspace), maxJobs: MAX_WAITING_JOBS, maxBytes };
  }

  added(job: Job): void {
    this.#move(job, 1);
  }

  ended(job: Job): void {
    this.#move(job, -1);
  }

  /** Throws RESOURCE_EXHAUSTED if adding `more` would exceed the account's limit. */
  check(workspace: WorkspaceId, more: QueuedWork): void {
    const { maxBytes, held } = this.#options;
    const { jobs, bytes } = this.of(workspace);
    const queued = bytes + held(workspace);
    if (more.bytes > 0 && queued + more.bytes > maxBytes)
      throw tooMuchWaits("bytes", queued, more.bytes, maxBytes);
    if (more.jobs > 0 && jobs + more.jobs > MAX_WAITING_JOBS)
      throw tooMuchWaits("jobs", jobs, more.jobs, MAX_WAITING_JOBS);
  }

  #move(job: Job, step: 1 | -1): void {
    if (!counts(job)) return;
    const { jobs, bytes } = this.of(job.workspace);
    const now = { jobs: jobs + step, bytes: bytes + step * (job.bytes ?? 0) };
    this.#bytes += step * (job.bytes ?? 0);
    if (now.jobs === 0) this.#waiting.delete(job.workspace);
    else this.#waiting.set(job.workspace, now);
  }
}
