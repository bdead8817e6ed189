import { type Trace, untraced } from "../base/trace.ts";
import { HeldWorkspaces } from "../domain/held-workspaces.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { Job, NewJob, QueueName } from "../domain/job.ts";
import { ALL_JOBS, jobCounter, jobKey, jobsIn } from "../domain/job-keys.ts";
import type { Draft } from "../storage/draft.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { type Backlog, type BacklogOptions, counts } from "./backlog.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { Drain } from "./drain.ts";
import { ExpeditedJobs } from "./expedited-jobs.ts";
import type { MayBegin } from "./fair-queue.ts";
import { JOBS } from "./job-records.ts";
import type { Watch, Watched } from "./job-watch.ts";
import { UnfinishedJobs } from "./unfinished-jobs.ts";

const PAGE = 1000;
/** Jobs of a deleted workspace that are removed per transaction; there may be 100,000. */
const JOBS_PER_CHANGE = 5000;
/** Maximum number of origins of a job; above it, a second job is created instead of merging. */
const MAX_ORIGINS = 256;
/** Delay in ms after a failed claim, when the store refused the write. */
const UNWRITTEN_MS = 1000;
const UNBOUNDED: BacklogOptions = { maxBytes: Number.POSITIVE_INFINITY, held: () => 0 };

/**
 * Durable jobs. A job is *pending* from the transaction that enqueues it, *claimed* while it runs, and
 * deleted in the transaction that settles it, together with its own writes. After a restart, claimed jobs are
 * pending again and their attempts are counted; a job that cannot succeed becomes a dead letter. Only jobs of
 * adopted workspaces run.
 */
export class JobQueue {
  readonly letters: DeadLetters;
  readonly #kv: Kv;
  readonly #clock: () => number;
  readonly #held = new HeldWorkspaces();
  /** Next job numbers by workspace. */
  readonly #numbers = new Map<WorkspaceId, Numbers>();
  readonly #trace: Trace;
  readonly #jobs: UnfinishedJobs;
  readonly #expedited = new ExpeditedJobs({
    keysOf: (watched) => this.#jobs.keysOf(watched),
    place: (key) => this.#jobs.placeAgain(key),
    wake: () => this.#wake(),
  });
  #wake: () => void = () => undefined;

  constructor(kv: Kv, clock: () => number, limits = UNBOUNDED, trace = untraced) {
    this.#jobs = new UnfinishedJobs(limits);
    this.#kv = kv;
    this.#clock = clock;
    this.letters = new DeadLetters(kv, clock);
    this.#trace = trace;
  }

  get drain(): Drain {
    return this.#jobs.drain;
  }

  get backlog(): Backlog {
    return this.#jobs.backlog;
  }

  /** Loads the jobs left by an earlier process or another server, for one workspace or for all. */
  async adopt(of: WorkspaceId | "everything"): Promise<void> {
    this.#held.adopt(of);
    // a refused change may have read the next number while another server held the workspace
    if (of === "everything") this.#numbers.clear();
    else this.#numbers.delete(of);
    const range = prefixRange(of === "everything" ? ALL_JOBS : jobsIn(of), PAGE);
    for await (const page of pairPages(this.#kv, range))
      for (const [key, value] of page) this.#jobs.resumed(JOBS.decode(value, key));
    this.#wake();
  }

  /**
   * Forgets the jobs of a workspace that another server takes over. Writes nothing: running jobs are treated
   * as if their process had died, unless they were released.
   */
  drop(workspace: WorkspaceId): void {
    this.#held.drop(workspace);
    this.#numbers.delete(workspace);
    this.#jobs.dropped(workspace);
  }

  /** `wake` is called whenever a job may have become ready. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  /**
   * Enqueues a job in the transaction that causes it. If an equal job has not started, it takes over the
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
      sequence: this.#numbersOf(job.workspace).take(draft),
      attempts: 0,
      dueAt: job.dueAt ?? 0,
      ...(trace !== undefined && { trace }),
    };
    draft.put(jobKey(made), encodeRecord(made));
    draft.onDurable(() => {
      if (!this.#held.has(made.workspace)) return;
      this.#jobs.added(made);
      this.#wake();
    });
  }

  /**
   * Throws RESOURCE_EXHAUSTED if the transaction would exceed the account's backlog. Call it at the end of
   * changes requested by callers; follow-up jobs are never refused.
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
   * Claims the next job of a queue that may run now, and durably counts its attempt. Skips workspaces that
   * may not start a job.
   */
  async claim(queue: QueueName, mayBegin: MayBegin = anyMay): Promise<Job | undefined> {
    const now = this.#clock();
    const job = this.#jobs.next(queue, now, mayBegin);
    return job && this.#claim(job, now);
  }

  /**
   * A job that was running when an earlier process died. It runs alone: if this process dies too, the job is
   * the cause.
   */
  get suspect(): Job | undefined {
    return this.#jobs.suspect(this.#clock());
  }

  /** Claims a job returned by `suspect`. */
  claimSuspect(job: Job): Promise<Job | undefined> {
    return this.#claim(job, this.#clock());
  }

  async #claim(job: Job, now: number): Promise<Job | undefined> {
    const claimed: Job = { ...job, attempts: job.attempts + 1, claimed: true };
    const key = jobKey(job);
    this.#jobs.claim(job, claimed);
    const count = this.#kv.transact(
      (read) => {
        // an earlier transaction may have added origins
        const stored = JOBS.read(read, key);
        if (!stored) return this.#cancelledMeanwhile(job);
        const latest = { ...claimed, origins: stored.origins };
        return { ops: [{ key, value: encodeRecord(latest) }], apply: () => this.#jobs.updateClaimed(latest) };
      },
      { sync: false },
    );
    try {
      await count;
    } catch (error) {
      // the job did not start, so the attempt does not count
      this.#jobs.updateClaimed(job);
      this.putBack(job, now + UNWRITTEN_MS);
      throw error;
    }
    return this.#jobs.latestClaimed(key);
  }

  /** Ends a claimed job in the transaction with its effect. */
  settle(draft: Draft, job: Job): void {
    draft.delete(jobKey(job));
    draft.onDurable(() => this.#jobs.ended(job, undefined));
  }

  /** Ends a claimed job that wrote nothing. */
  async finish(job: Job): Promise<void> {
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: undefined }],
      apply: () => this.#jobs.ended(job, undefined),
    }));
  }

  /** Number of claimed jobs of one queue and workspace; counted as soon as `claim` is called. */
  underWay(queue: QueueName, workspace: WorkspaceId): number {
    let count = 0;
    for (const job of this.#jobs.claimed()) if (job.queue === queue && job.workspace === workspace) count++;
    return count;
  }

  isClaimed(job: Job): boolean {
    return this.#jobs.latestClaimed(jobKey(job)) !== undefined;
  }

  /**
   * Returns a claimed job when the store refuses writes. Its record stays claimed; the next claim or start
   * corrects that.
   */
  putBack(job: Job, dueAt: number): void {
    const latest = this.#jobs.latestClaimed(jobKey(job));
    if (!latest) return;
    this.#jobs.returned({ ...latest, dueAt, claimed: false });
    this.#wake();
  }

  /**
   * Marks running jobs as released when the server stops or hands over the workspace, so that their next
   * owner does not treat them as suspects. For one workspace or all.
   */
  async release(of: WorkspaceId | "everything"): Promise<void> {
    const release = (key: string) =>
      this.#kv.transact((read) => {
        const stored = JOBS.read(read, key);
        const released = stored?.claimed && { ...stored, attempts: stored.attempts - 1, claimed: false };
        return {
          ops: released ? [{ key, value: encodeRecord(released) }] : [],
          apply: () => undefined,
        };
      });
    const claimed = [...this.#jobs.claimed()].filter((job) => of === "everything" || job.workspace === of);
    await Promise.all(claimed.map((job) => release(jobKey(job))));
  }

  /** Returns a claimed job for another attempt at `dueAt` (Unix time in ms). */
  async retry(job: Job, dueAt: number): Promise<void> {
    const waiting: Job = { ...job, dueAt, claimed: false };
    const key = jobKey(job);
    await this.#kv.transact((read) =>
      read.get(key) === undefined
        ? this.#cancelledMeanwhile(job)
        : {
            ops: [{ key, value: encodeRecord(waiting) }],
            apply: () => this.#jobs.returned(waiting),
          },
    );
  }

  /** Ends a claimed job whose record was removed, so that it neither starts nor is retried. */
  #cancelledMeanwhile(job: Job): { readonly ops: []; readonly apply: () => void } {
    return { ops: [], apply: () => this.#jobs.ended(job, undefined) };
  }

  /** Ends a claimed job permanently: it is not retried, and the reason is stored. */
  async deadLetter(job: Job, reason: string): Promise<void> {
    const key = jobKey(job);
    await this.#kv.transact((read) =>
      read.get(key) === undefined
        ? this.#cancelledMeanwhile(job)
        : {
            ops: [{ key, value: undefined }, this.letters.write(job, reason)],
            apply: () => this.#jobs.ended(job, reason),
          },
    );
    await this.letters.trim(job.workspace);
  }

  /**
   * Writes a dead letter for work that failed outside the queue, in a transaction; a retry enqueues it as a
   * job. Call `letters.trim` afterwards.
   */
  deadLetterOf(draft: Draft, { waitingBytes: _, ...job }: NewJob, attempts: number, reason: string): void {
    const sequence = this.#numbersOf(job.workspace).take(draft);
    const { key, value } = this.letters.write({ ...job, sequence, attempts, dueAt: 0 }, reason);
    draft.put(key, value);
  }

  /** Removes the pending jobs of a workspace that is being deleted. Running jobs continue. */
  async cancel(workspace: WorkspaceId): Promise<void> {
    const all = this.#jobs.of(workspace).filter((job) => !job.claimed);
    for (let at = 0; at < all.length; at += JOBS_PER_CHANGE) {
      const jobs = all.slice(at, at + JOBS_PER_CHANGE);
      await this.#kv.transact(() => ({
        ops: jobs.map((job) => ({ key: jobKey(job), value: undefined })),
        apply: () => this.#jobs.cancelled(jobs),
      }));
    }
  }

  /** Removes the remaining job records of a deleted workspace once its jobs have ended. */
  async forget(workspace: WorkspaceId): Promise<void> {
    await this.letters.drop(workspace);
    await this.#kv.transact(() => ({
      ops: [{ key: jobCounter(workspace), value: undefined }],
      apply: () => void this.#numbers.delete(workspace),
    }));
  }

  /**
   * Removes a user's jobs in the transaction that removes the user, and returns them. Running jobs are not
   * restarted.
   */
  cancelOf(draft: Draft, workspace: WorkspaceId, user: string): readonly Job[] {
    const jobs = this.#jobs.of(workspace).filter((job) => job.owner?.user === user);
    this.#remove(draft, jobs);
    return jobs;
  }

  /**
   * Removes the jobs of these kinds that a task caused, in the transaction that cancels it. Running jobs are
   * not restarted.
   */
  cancelTask(draft: Draft, task: string, kinds: ReadonlySet<string>): void {
    this.#remove(
      draft,
      this.jobsOfTask(task).filter(({ kind }) => kinds.has(kind)),
    );
  }

  /** The unfinished jobs that a task caused. */
  jobsOfTask(task: string): readonly Job[] {
    return this.#jobs.watched({ origin: task });
  }

  #remove(draft: Draft, jobs: readonly Job[]): void {
    for (const job of jobs) draft.delete(jobKey(job));
    draft.onDurable(() => this.#jobs.cancelled(jobs));
  }

  /** Watches jobs (see Watch). A watch ends the batching delay of its jobs, unless it is `patient`. */
  watch(watched: Watched, { patient = false } = {}): Watch {
    const watch = this.drain.watch(watched, this.#jobs.watched(watched), patient);
    if (!patient) this.#expedited.add(watched);
    return watch;
  }

  /** Due time of a job that may wait to batch further changes; 0 if a caller waits for it. */
  dueAfter(delayMs: number, job: Pick<Job, "queue" | "workspace" | "origins">): number {
    return this.drain.isAwaited(job) ? 0 : this.#clock() + delayMs;
  }

  /** The earliest due time of a queue (Unix time in ms; 0: now); undefined if no job may start. */
  nextDue(queue: QueueName, mayBegin: MayBegin = anyMay): number | undefined {
    return this.#jobs.nextDue(queue, mayBegin);
  }

  jobs(): Iterable<Job> {
    return this.#jobs.all();
  }

  jobsOf(workspace: WorkspaceId): readonly Job[] {
    return this.#jobs.of(workspace);
  }

  #numbersOf(workspace: WorkspaceId): Numbers {
    const numbers = this.#numbers.get(workspace) ?? new Numbers(this.#kv, jobCounter(workspace), 1);
    this.#numbers.set(workspace, numbers);
    return numbers;
  }

  #merge(draft: Draft, job: Omit<NewJob, "waitingBytes">): boolean {
    const key = this.#jobs.keyOfSame(job);
    const waiting = key === undefined ? undefined : JOBS.read(draft, key);
    if (!key || !waiting || waiting.claimed) return false;
    const origins = [...new Set([...waiting.origins, ...job.origins])];
    if (origins.length > MAX_ORIGINS) return false;
    const dueAt = Math.min(waiting.dueAt, job.dueAt ?? 0);
    if (origins.length === waiting.origins.length && dueAt === waiting.dueAt) return true;
    const merged: Job = { ...waiting, origins, dueAt };
    draft.put(key, encodeRecord(merged));
    draft.onDurable(() => {
      if (this.#held.has(job.workspace) && this.#jobs.merged(waiting, merged)) this.#wake();
    });
    return true;
  }
}

const anyMay: MayBegin = () => true;
