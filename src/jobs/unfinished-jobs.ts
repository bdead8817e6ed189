import type { WorkspaceId } from "../domain/ids.ts";
import type { Job, QueueName } from "../domain/job.ts";
import { jobKey } from "../domain/job-keys.ts";
import { Backlog, type BacklogOptions } from "./backlog.ts";
import { Drain } from "./drain.ts";
import type { MayBegin } from "./fair-queue.ts";
import { JobIndex } from "./job-index.ts";
import type { Watched } from "./job-watch.ts";
import { PendingJobs } from "./pending-jobs.ts";

/**
 * State and counts of the unfinished jobs of held workspaces, in memory. Every change here follows a change
 * of a record.
 */
export class UnfinishedJobs {
  readonly drain = new Drain();
  readonly backlog: Backlog;
  readonly #pending = new PendingJobs();
  readonly #claimed = new Map<string, Job>();
  /** All unfinished jobs, pending or claimed. */
  readonly #jobs = new JobIndex();
  readonly #same = new Map<string, string>();
  /** Jobs that were running when an earlier process died and have not started since. */
  readonly #suspects = new Map<string, Job>();

  constructor(limits: BacklogOptions) {
    this.backlog = new Backlog(limits);
  }

  all(): Iterable<Job> {
    return this.#jobs.all();
  }

  of(workspace: WorkspaceId): Job[] {
    return [...this.#jobs.ofWorkspace(workspace)];
  }

  /** The jobs that a watch covers. */
  watched(watched: Watched): Job[] {
    if (watched === "everything") return [...this.all()];
    return "origin" in watched ? [...this.#jobs.ofOrigin(watched.origin)] : this.of(watched.workspace);
  }

  /** Keys of the jobs that a watch may cover; the set may change during iteration. */
  keysOf(watched: Watched): Iterable<string> {
    return this.#jobs.keys(watched);
  }

  claimed(): Iterable<Job> {
    return this.#claimed.values();
  }

  /** Undefined if the job is not claimed. */
  latestClaimed(key: string): Job | undefined {
    return this.#claimed.get(key);
  }

  next(queue: QueueName, now: number, mayBegin: MayBegin): Job | undefined {
    return this.#pending.next(queue, now, mayBegin);
  }

  nextDue(queue: QueueName, mayBegin: MayBegin): number | undefined {
    return this.#pending.nextDue(queue, mayBegin);
  }

  /** Key of the last job enqueued with this `sameAs`. */
  keyOfSame(job: Pick<Job, "queue" | "workspace" | "sameAs">): string | undefined {
    return this.#same.get(sameKey(job));
  }

  /** The first suspect that is due; suspects that are not due stop being suspects. */
  suspect(now: number): Job | undefined {
    for (const [key, job] of this.#suspects) {
      const isPending = this.#jobs.get(key)?.claimed === false;
      if (isPending && job.dueAt <= now) return job;
      this.#suspects.delete(key);
    }
    return undefined;
  }

  added(job: Job): void {
    this.place(job);
    this.backlog.added(job);
    if (job.sameAs !== undefined) this.#same.set(sameKey(job), jobKey(job));
    this.drain.added(job);
  }

  /**
   * Adds a job left by an earlier process or another server. A running job is suspected of having crashed
   * that process. No effect if the job is known.
   */
  resumed(job: Job): void {
    if (this.#jobs.get(jobKey(job))) return;
    const resumed: Job = { ...job, claimed: false, ...(job.claimed && { lost: (job.lost ?? 0) + 1 }) };
    this.added(resumed);
    // imports run long and are often interrupted, so they are never suspects
    if (resumed.lost !== undefined && job.queue !== "import") this.#suspects.set(jobKey(resumed), resumed);
  }

  /** Puts a pending job into its sublist. Awaited jobs are due at once, unless they failed before. */
  place(job: Job): void {
    const isAwaited = this.drain.isAwaited(job);
    const placed = isAwaited && job.attempts === 0 ? { ...job, dueAt: 0 } : job;
    this.#pending.put(isAwaited ? "awaited" : job.class, placed);
    this.#jobs.put(jobKey(job), placed);
  }

  /** Puts a pending job into the sublist where it belongs now; returns whether it is pending. */
  placeAgain(key: string): boolean {
    const job = this.#jobs.get(key);
    if (!job || this.#claimed.has(key)) return false;
    this.place(job);
    return true;
  }

  /** Adds origins to a job; returns whether it is pending. */
  merged(before: Job, merged: Job): boolean {
    const isClaimed = this.#claimed.has(jobKey(merged));
    if (!isClaimed) this.place(merged);
    this.drain.merged(before, merged, isClaimed);
    return !isClaimed;
  }

  claim(job: Job, claimed: Job): void {
    this.#suspects.delete(jobKey(job));
    this.#forget(job);
    this.#setClaimed(claimed);
    this.drain.claimed(job);
  }

  /** Updates a claimed job; no effect on others. */
  updateClaimed(job: Job): void {
    if (this.#claimed.has(jobKey(job))) this.#setClaimed(job);
  }

  /** Returns a claimed job to the pending ones; no effect on others. */
  returned(waiting: Job): void {
    if (!this.#claimed.delete(jobKey(waiting))) return;
    this.place(waiting);
    this.drain.returned(waiting);
  }

  /** Removes a claimed job that has ended; no effect on others. */
  ended(job: Job, error: string | undefined): void {
    const latest = this.#claimed.get(jobKey(job));
    if (!latest) return;
    this.#claimed.delete(jobKey(job));
    this.#jobs.delete(jobKey(job));
    this.backlog.ended(latest);
    this.drain.settled(latest, error);
  }

  /** Removes the given jobs that are pending. */
  cancelled(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (!this.#forget(job)) continue;
      this.#jobs.delete(jobKey(job));
      this.drain.cancelled(job);
      this.backlog.ended(job);
    }
  }

  /** Forgets the jobs of a workspace that is no longer held, and ends the waits for them. */
  dropped(workspace: WorkspaceId): void {
    const jobs = this.of(workspace);
    for (const job of jobs) {
      const key = jobKey(job);
      this.#forget(job);
      this.#claimed.delete(key);
      this.#suspects.delete(key);
      this.#jobs.delete(key);
      this.backlog.ended(job);
    }
    this.drain.dropped(workspace, jobs);
  }

  #setClaimed(job: Job): void {
    this.#claimed.set(jobKey(job), job);
    this.#jobs.put(jobKey(job), job);
  }

  #forget(job: Job): boolean {
    if (job.sameAs !== undefined && this.#same.get(sameKey(job)) === jobKey(job))
      this.#same.delete(sameKey(job));
    return this.#pending.delete(job);
  }
}

const sameKey = (job: Pick<Job, "queue" | "workspace" | "sameAs">): string =>
  `${job.queue}/${job.workspace}/${job.sameAs}`;
