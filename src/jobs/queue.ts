import { valueFor } from "../base/expect.ts";
import { type Trace, untraced } from "../base/trace.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { ALL_JOBS, type Job, jobKey, type NewJob, type QueueName, workspaceOfJobKey } from "../domain/job.ts";
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
/** A job that gathers more origins than this is left as it is and a second one is made. */
const MAX_ORIGINS = 256;
/** Delay in ms after a failed claim (the store refused the write). */
const UNWRITTEN_MS = 1000;
const UNBOUNDED: BacklogOptions = { maxBytes: Number.POSITIVE_INFINITY, held: () => 0 };

/**
 * Durable jobs. A job is *pending* from the transaction that enqueues it, *claimed* while it runs, and gone
 * with the transaction that settles it, which holds what the job wrote too. After a restart claimed jobs are
 * pending again with their attempts counted; one that cannot succeed becomes a dead letter.
 */
export class JobQueue {
  readonly drain = new Drain();
  readonly letters: DeadLetters;
  readonly backlog: Backlog;
  readonly #kv: Kv;
  readonly #clock: () => number;
  readonly #numbers: Numbers;
  readonly #trace: Trace;
  readonly #pending = new PendingJobs();
  readonly #claimed = new Map<string, Job>();
  /** The pending ones as their lines hold them, and the claimed ones. */
  readonly #jobs = new JobIndex();
  readonly #same = new Map<string, string>();
  /** Jobs that were under way when an earlier process died and have not been begun since. */
  readonly #suspects = new Map<string, Job>();
  #wake: () => void = () => undefined;

  private constructor(kv: Kv, clock: () => number, limits: BacklogOptions, trace: Trace) {
    this.backlog = new Backlog(limits);
    this.#kv = kv;
    this.#clock = clock;
    this.letters = new DeadLetters(kv, clock);
    this.#trace = trace;
    this.#numbers = new Numbers(kv, "qn", 1);
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
   * Writes a job with the change that causes it; one that says the same and has not started takes over the
   * origins instead.
   */
  enqueue(draft: Draft, { waitingBytes = 0, ...job }: NewJob): void {
    const merged = job.sameAs !== undefined && this.#merge(draft, job);
    if (merged) return;
    const bytes = encodeRecord(job.payload).byteLength + waitingBytes;
    const trace = this.#trace.current();
    const made: Job = {
      ...job,
      bytes,
      sequence: this.#numbers.take(draft),
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
   * RESOURCE_EXHAUSTED where the change that is being decided would leave an account with too much waiting.
   * To be asked at the end of changes that callers ask for; what jobs lead to is not refused.
   */
  admit(draft: KvReader, workspace: WorkspaceId): void {
    let [jobs, bytes] = [0, 0];
    for (const key of draft.touched(ALL_JOBS)) {
      if (workspaceOfJobKey(key) !== workspace) continue;
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
   * The next job of a queue that may run now, claimed: its attempt is counted and survives a kill. Jobs of
   * workspaces that may not begin one are passed over.
   */
  async claim(queue: QueueName, mayBegin: MayBegin = anyMay): Promise<Job | undefined> {
    const now = this.#clock();
    const job = this.#pending.next(queue, now, mayBegin);
    return job && this.#claim(job, now);
  }

  /**
   * A job that was under way when an earlier process died, to be run alone: if that one dies too, the job is
   * at fault.
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
        // origins may have been merged by a transaction that was decided before this one
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

  /** Ends a claimed job with the change that holds its effect. */
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

  /** Jobs of one queue and workspace that are claimed; counted from the moment in which `claim` is called. */
  underWay(queue: QueueName, workspace: WorkspaceId): number {
    let count = 0;
    for (const job of this.#claimed.values()) if (job.queue === queue && job.workspace === workspace) count++;
    return count;
  }

  isClaimed(job: Job): boolean {
    return this.#claimed.has(jobKey(job));
  }

  /**
   * Gives a claimed job back where nothing can be written just now; its record still says claimed, which
   * means the same to the next start.
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

  /**
   * Marks the jobs that are still under way when the server stops in order, so that the next start does not
   * hold it against them.
   */
  async release(): Promise<void> {
    await this.#kv.transact((read) => {
      const claimed = [...this.#claimed.keys()].flatMap((key) => {
        const stored = JOBS.read(read, key);
        return stored?.claimed
          ? [{ key, value: encodeRecord({ ...stored, attempts: stored.attempts - 1, claimed: false }) }]
          : [];
      });
      return { ops: claimed, apply: () => undefined };
    });
  }

  /** Gives a claimed job back for another attempt at `dueAt` (Unix time in ms). */
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

  /** Ends a claimed job for good: it will not be tried again, its reason can be read. */
  async deadLetter(job: Job, reason: string): Promise<void> {
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: undefined }, this.letters.write(job, reason)],
      apply: () => this.#ended(job, reason),
    }));
    await this.letters.trim(job.workspace);
  }

  /** Removes the pending jobs of a workspace that is going away; those under way go on. */
  async cancel(workspace: WorkspaceId): Promise<void> {
    const jobs = [...this.jobs()].filter((job) => job.workspace === workspace && !this.isClaimed(job));
    await this.#kv.transact(() => ({
      ops: jobs.map((job) => ({ key: jobKey(job), value: undefined })),
      apply: () => this.#cancelled(jobs),
    }));
  }

  /**
   * Removes the jobs that are done for a user with the change that removes the user, and answers them. Those
   * under way are not begun again.
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
   * Follows jobs (see Watch). Jobs that wait for further changes do not while somebody waits for them; a
   * `patient` watch does not hurry anything.
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

  /** Due time of a job that may wait for further changes: now if a caller waits for it. */
  dueAfter(delayMs: number, job: Pick<Job, "queue" | "workspace" | "origins">): number {
    return this.drain.isAwaited(job) ? 0 : this.#clock() + delayMs;
  }

  #hurry(jobs: readonly Job[]): void {
    const pending = jobs.filter(({ claimed }) => !claimed);
    for (const job of pending) this.#place(job);
    if (pending.length > 0) this.#wake();
  }

  /**
   * The earliest time in ms at which a waiting job of the queue becomes due, or undefined where none waits.
   */
  nextDue(queue: QueueName, mayBegin: MayBegin = anyMay): number | undefined {
    return this.#pending.nextDue(queue, mayBegin);
  }

  jobs(): Iterable<Job> {
    return this.#jobs.all();
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

  /** A job that an earlier process left. One that was under way has been lost with it. */
  #resumed(job: Job): void {
    const resumed: Job = { ...job, claimed: false, ...(job.claimed && { lost: (job.lost ?? 0) + 1 }) };
    this.#added(resumed);
    // imports take long and are resumed often: they neither stand for a fault nor hold up all others
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
