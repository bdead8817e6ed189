import { valueFor } from "../base/expect.ts";
import { type Trace, untraced } from "../base/trace.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { Job, NewJob, QueueName } from "../domain/job.ts";
import { ALL_JOBS, jobCounter, jobKey, jobsIn } from "../domain/job-keys.ts";
import type { Draft } from "../storage/draft.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { encodeRecord } from "../storage/records.ts";
import { Backlog, type BacklogOptions, counts } from "./backlog.ts";
import { DeadLetters } from "./dead-letters.ts";
import { Drain } from "./drain.ts";
import type { MayBegin } from "./fair-queue.ts";
import { JobIndex } from "./job-index.ts";
import { JOBS } from "./job-records.ts";
import { PendingJobs } from "./pending-jobs.ts";
import type { Watch, Watched } from "./watch.ts";

const PAGE = 1000;
/** Limit of origins: above it a second job is created instead of merging. */
const MAX_ORIGINS = 256;
/** Delay in ms after a failed claim (the store refused the write). */
const UNWRITTEN_MS = 1000;
const UNBOUNDED: BacklogOptions = { maxBytes: Number.POSITIVE_INFINITY, held: () => 0 };

/**
 * Durable jobs. A job is *pending* from the transaction that enqueues it, *claimed* while it runs, and
 * deleted in the transaction that settles it, together with the job's own writes. After a restart claimed
 * jobs are pending again, with their attempts counted; a job that cannot succeed becomes a dead letter.
 */
export class JobQueue {
  readonly drain = new Drain();
  readonly letters: DeadLetters;
  readonly backlog: Backlog;
  readonly #kv: Kv;
  readonly #clock: () => number;
  /** Numbers of jobs by workspace. */
  readonly #numbers = new Map<WorkspaceId, Numbers>();
  readonly #trace: Trace;
  readonly #pending = new PendingJobs();
  readonly #claimed = new Map<string, Job>();
  /** Pending jobs, also in their sublists, and claimed ones. */
  readonly #jobs = new JobIndex();
  readonly #same = new Map<string, string>();
  /** Jobs that were running when an earlier process died and have not been started since. */
  readonly #suspects = new Map<string, Job>();
  #wake: () => void = () => undefined;

  private constructor(kv: Kv, clock: () => number, limits: BacklogOptions, trace: Trace) {
    this.backlog = new Backlog(limits);
    this.#kv = kv;
    this.#clock = clock;
    this.letters = new DeadLetters(kv, clock);
    this.#trace = trace;
  }

  static async open(kv: Kv, clock: () => number, limits = UNBOUNDED, trace = untraced): Promise<JobQueue> {
    const queue = new JobQueue(kv, clock, limits, trace);
    for await (const page of pairPages(kv, prefixRange(ALL_JOBS, PAGE)))
      for (const [key, value] of page) queue.#resumed(JOBS.decode(value, key));
    return queue;
  }

  /** Called whenever a job may have become ready. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  /**
   * Writes a job with the change that causes it; an equal one that has not started takes over the origins
   * instead.
   */
  enqueue(draft: Draft, { waitingBytes = 0, ...job }: NewJob): void {
    const merged = job.sameAs !== undefined && this.#merge(draft, job);
    if (merged) return;
    const bytes = encodeRecord(job.payload).byteLength + waitingBytes;
    const trace = this.#trace.current();
    const made: Job = {
      ...job,
      bytes,
      sequence: this.#numbersOf(job.workspace).take(draft),
      attempts: 0,
      dueAt: job.dueAt ?? 0,
      ...(trace !== undefined && { trace }),
    };
    draft.put(jobKey(made), encodeRecord(made));
    draft.onApply(() => {
      this.#added(made);
      this.#wake();
    });
  }

  /**
   * RESOURCE_EXHAUSTED if the change would exceed an account's backlog. Call it at the end of changes that
   * callers request; follow-up jobs are never refused.
   */
  admit(draft: KvReader, workspace: WorkspaceId): void {
    let [jobs, bytes] = [0, 0];
    for (const key of draft.touched(jobsIn(workspace))) {
      for (const [job, step] of [
        [JOBS.read(draft, key), 1] as const,
        [JOBS.read(this.#kv, key), -1] as const,
      ]) {
        if (!job || !counts(job)) continue;
        jobs += step;
        bytes += step * (job.bytes ?? 0);
      }
    }
    this.backlog.check(workspace, { jobs, bytes });
  }

  /**
   * Claims the next job of a queue that may run now: its attempt is counted durably. Jobs of workspaces that
   * may not begin one are skipped.
   */
  async claim(queue: QueueName, mayBegin: MayBegin = anyMay): Promise<Job | undefined> {
    const now = this.#clock();
    const job = this.#pending.next(queue, now, mayBegin);
    return job && this.#claim(job, now);
  }

  /**
   * A job that was running when an earlier process died; it runs alone: if this process dies too, the job is
   * the cause.
   */
  get suspect(): Job | undefined {
    for (const [key, job] of this.#suspects) {
      const isPending = this.#jobs.get(key)?.claimed === false;
      if (isPending && job.dueAt <= this.#clock()) return job;
      this.#suspects.delete(key);
    }
    return undefined;
  }

  /** Claims a job of `suspect`. */
  claimSuspect(job: Job): Promise<Job | undefined> {
    this.#suspects.delete(jobKey(job));
    return this.#claim(job, this.#clock());
  }

  async #claim(job: Job, now: number): Promise<Job | undefined> {
    const claimed: Job = { ...job, attempts: job.attempts + 1, claimed: true };
    const key = jobKey(job);
    this.#forget(job);
    this.#setClaimed(key, claimed);
    this.drain.claimed(job);
    const count = this.#kv.transact(
      (read) => {
        // an earlier transaction may have merged origins into it
        const stored = JOBS.read(read, key);
        const latest = { ...claimed, origins: stored?.origins ?? claimed.origins };
        return { ops: [{ key, value: encodeRecord(latest) }], apply: () => this.#setClaimed(key, latest) };
      },
      { sync: false },
    );
    try {
      await count;
    } catch (error) {
      // it did not start, so the attempt does not count
      this.#setClaimed(key, job);
      this.putBack(job, now + UNWRITTEN_MS);
      throw error;
    }
    return this.#claimed.get(key);
  }

  /** Ends a claimed job, in the change with its effect. */
  settle(draft: Draft, job: Job): void {
    draft.delete(jobKey(job));
    draft.onApply(() => this.#ended(job, undefined));
  }

  /** Ends a claimed job that wrote nothing. */
  async finish(job: Job): Promise<void> {
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: undefined }],
      apply: () => this.#ended(job, undefined),
    }));
  }

  /** Claimed jobs of one queue and workspace; counted from the call of `claim`. */
  underWay(queue: QueueName, workspace: WorkspaceId): number {
    let count = 0;
    for (const job of this.#claimed.values()) if (job.queue === queue && job.workspace === workspace) count++;
    return count;
  }

  isClaimed(job: Job): boolean {
    return this.#claimed.has(jobKey(job));
  }

  /**
   * Returns a claimed job when the store refuses writes; its record stays claimed, which the next start
   * treats the same.
   */
  putBack(job: Job, dueAt: number): void {
    const key = jobKey(job);
    const latest = this.#claimed.get(key);
    if (!latest) return;
    const waiting: Job = { ...latest, dueAt, claimed: false };
    this.#claimed.delete(key);
    this.#place(waiting);
    this.drain.returned(waiting);
    this.#wake();
  }

  /** Marks running jobs at an orderly stop, so that the next start does not treat them as suspects. */
  async release(): Promise<void> {
    const release = (key: string) =>
      this.#kv.transact((read) => {
        const stored = JOBS.read(read, key);
        const released = stored?.claimed && { ...stored, attempts: stored.attempts - 1, claimed: false };
        return {
          ops: released ? [{ key, value: encodeRecord(released) }] : [],
          apply: () => undefined,
        };
      });
    await Promise.all([...this.#claimed.keys()].map(release));
  }

  /** Returns a claimed job for another attempt at `dueAt` (Unix time in ms). */
  async retry(job: Job, dueAt: number): Promise<void> {
    const waiting: Job = { ...job, dueAt, claimed: false };
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: encodeRecord(waiting) }],
      apply: () => {
        this.#claimed.delete(jobKey(job));
        this.#place(waiting);
        this.drain.returned(waiting);
      },
    }));
  }

  /** Ends a claimed job permanently: it is not retried, and its reason can be read. */
  async deadLetter(job: Job, reason: string): Promise<void> {
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: undefined }, this.letters.write(job, reason)],
      apply: () => this.#ended(job, reason),
    }));
    await this.letters.trim(job.workspace);
  }

  /**
   * Dead-letters work that failed outside of the queue, in a change: a retry queues the job. The caller then
   * has `letters.trim` called.
   */
  deadLetterOf(draft: Draft, { waitingBytes: _, ...job }: NewJob, attempts: number, reason: string): void {
    const sequence = this.#numbersOf(job.workspace).take(draft);
    const { key, value } = this.letters.write({ ...job, sequence, attempts, dueAt: 0 }, reason);
    draft.put(key, value);
  }

  /** Removes the pending jobs of a workspace that is being deleted; running ones continue. */
  async cancel(workspace: WorkspaceId): Promise<void> {
    const jobs = [...this.jobs()].filter((job) => job.workspace === workspace && !this.isClaimed(job));
    await this.#kv.transact(() => ({
      ops: jobs.map((job) => ({ key: jobKey(job), value: undefined })),
      apply: () => this.#cancelled(jobs),
    }));
  }

  /** Removes what is left of a workspace in deletion once its jobs have ended. */
  async forget(workspace: WorkspaceId): Promise<void> {
    await this.letters.drop(workspace);
    await this.#kv.transact(() => ({
      ops: [{ key: jobCounter(workspace), value: undefined }],
      apply: () => void this.#numbers.delete(workspace),
    }));
  }

  /**
   * Removes and returns a user's jobs, in the change that removes the user. Running ones are not restarted.
   */
  cancelOf(draft: Draft, workspace: WorkspaceId, user: string): readonly Job[] {
    const jobs = [...this.jobs()].filter((job) => job.workspace === workspace && job.owner?.user === user);
    for (const job of jobs) draft.delete(jobKey(job));
    draft.onApply(() => this.#cancelled(jobs));
    return jobs;
  }

  #cancelled(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (!this.#forget(job)) continue;
      this.#jobs.delete(jobKey(job));
      this.drain.cancelled(job);
      this.backlog.ended(job);
    }
  }

  /**
   * Follows jobs (see Watch). A waiting caller ends the delay of jobs that gather changes, except in a
   * `patient` watch.
   */
  watch(watched: Watched, { patient = false } = {}): Watch {
    const jobs =
      watched !== "everything" && "origin" in watched
        ? [...this.#jobs.ofOrigin(watched.origin)]
        : [...this.#jobs.all()];
    const watch = this.drain.watch(watched, jobs, patient);
    if (!patient) this.#hurry(jobs.filter((job) => watch.covers(job)));
    return watch;
  }

  /** Due time of a job that may gather further changes: now if a caller waits for it. */
  dueAfter(delayMs: number, job: Pick<Job, "queue" | "workspace" | "origins">): number {
    return this.drain.isAwaited(job) ? 0 : this.#clock() + delayMs;
  }

  #hurry(jobs: readonly Job[]): void {
    const pending = jobs.filter(({ claimed }) => !claimed);
    for (const job of pending) this.#place(job);
    if (pending.length > 0) this.#wake();
  }

  /** The earliest due time in ms of the queue; undefined if it has no waiting jobs. */
  nextDue(queue: QueueName, mayBegin: MayBegin = anyMay): number | undefined {
    return this.#pending.nextDue(queue, mayBegin);
  }

  jobs(): Iterable<Job> {
    return this.#jobs.all();
  }

  #numbersOf(workspace: WorkspaceId): Numbers {
    const numbers = this.#numbers.get(workspace) ?? new Numbers(this.#kv, jobCounter(workspace), 1);
    this.#numbers.set(workspace, numbers);
    return numbers;
  }

  #merge(draft: Draft, job: Omit<NewJob, "waitingBytes">): boolean {
    const key = this.#same.get(sameKey(job));
    const waiting = key === undefined ? undefined : JOBS.read(draft, key);
    if (!key || !waiting || waiting.claimed) return false;
    const origins = [...new Set([...waiting.origins, ...job.origins])];
    if (origins.length > MAX_ORIGINS) return false;
    const dueAt = Math.min(waiting.dueAt, job.dueAt ?? 0);
    if (origins.length === waiting.origins.length && dueAt === waiting.dueAt) return true;
    const merged: Job = { ...waiting, origins, dueAt };
    draft.put(key, encodeRecord(merged));
    draft.onApply(() => {
      if (this.#claimed.has(key)) {
        this.drain.merged(valueFor(this.#claimed, key), merged, true);
        return;
      }
      this.#place(merged);
      this.drain.merged(waiting, merged, false);
      this.#wake();
    });
    return true;
  }

  /** A job of an earlier process. A running one is suspected of having killed it. */
  #resumed(job: Job): void {
    const resumed: Job = { ...job, claimed: false, ...(job.claimed && { lost: (job.lost ?? 0) + 1 }) };
    this.#added(resumed);
    // imports run long and are often resumed: they are neither suspects nor run alone
    if (resumed.lost !== undefined && job.queue !== "import") this.#suspects.set(jobKey(resumed), resumed);
  }

  #added(job: Job): void {
    this.#place(job);
    this.backlog.added(job);
    if (job.sameAs !== undefined) this.#same.set(sameKey(job), jobKey(job));
    this.drain.added(job);
  }

  /** Awaited jobs are due at once unless they failed before. */
  #place(job: Job): void {
    const isAwaited = this.drain.isAwaited(job);
    const placed = isAwaited && job.attempts === 0 ? { ...job, dueAt: 0 } : job;
    this.#pending.put(isAwaited ? "awaited" : job.class, placed);
    this.#jobs.put(jobKey(job), placed);
  }

  #setClaimed(key: string, job: Job): void {
    this.#claimed.set(key, job);
    this.#jobs.put(key, job);
  }

  #forget(job: Job): boolean {
    if (job.sameAs !== undefined && this.#same.get(sameKey(job)) === jobKey(job))
      this.#same.delete(sameKey(job));
    return this.#pending.delete(job);
  }

  #ended(job: Job, error: string | undefined): void {
    const latest = this.#claimed.get(jobKey(job));
    if (!latest) return;
    this.#claimed.delete(jobKey(job));
    this.#jobs.delete(jobKey(job));
    this.backlog.ended(latest);
    this.drain.settled(latest, error);
  }
}

const anyMay: MayBegin = () => true;

const sameKey = (job: Pick<Job, "queue" | "workspace" | "sameAs">): string =>
  `${job.queue}/${job.workspace}/${job.sameAs}`;
