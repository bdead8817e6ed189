import {
  ALL_JOBS,
  CLASSES,
  type DeadLetter,
  deadLetterKey,
  deadLettersOf,
  type Job,
  type JobClass,
  jobKey,
  type NewJob,
  type QueueName,
  workspaceOfJobKey,
} from "../domain/job.ts";
import type { Draft } from "../storage/draft.ts";
import { after, type Kv, type KvReader, prefixRange } from "../storage/kv.ts";
import { Numbers } from "../storage/numbers.ts";
import { decode, encode } from "../storage/records.ts";
import { Backlog, type BacklogOptions, counts } from "./backlog.ts";
import { Drain, type Watch } from "./drain.ts";
import { Lane } from "./lane.ts";

const PAGE = 1000;
/** A job that gathers more origins than this is left as it is and a second one is made. */
const MAX_ORIGINS = 256;
/** How long a job waits that could not be claimed because the store could not be written. */
const UNWRITTEN_MS = 1000;
/** Every so many claims of a queue bulk goes first, so that interactive work of some never holds up bulk work of others for good. */
const BULK_TURN = 8;
/** Dead letters kept of an account; the oldest go. */
const MAX_DEAD_LETTERS = 1000;

const UNBOUNDED: BacklogOptions = { maxBytes: Number.POSITIVE_INFINITY, held: () => 0 };

/**
 * Durable jobs. A job is *pending* from the transaction that enqueues it, *claimed* while it runs, and gone with the transaction that settles it, which holds
 * what the job wrote too. After a restart claimed jobs are pending again with their attempts counted; one that cannot succeed becomes a dead letter.
 */
export class JobQueue {
  readonly drain = new Drain();
  readonly backlog: Backlog;
  /** Dead letters removed since the start because later ones came. */
  droppedLetters = 0;
  readonly #kv: Kv;
  readonly #clock: () => number;
  readonly #numbers: Numbers;
  readonly #lanes = new Map<string, Lane>();
  readonly #claimed = new Map<string, Job>();
  readonly #same = new Map<string, string>();
  readonly #claims = new Map<QueueName, number>();
  #wake: () => void = () => undefined;

  private constructor(kv: Kv, clock: () => number, limits: BacklogOptions) {
    this.backlog = new Backlog(limits);
    this.#kv = kv;
    this.#clock = clock;
    this.#numbers = new Numbers(kv, "qn", 1);
  }

  static async open(kv: Kv, clock: () => number, limits = UNBOUNDED): Promise<JobQueue> {
    const queue = new JobQueue(kv, clock, limits);
    const all = prefixRange(ALL_JOBS, PAGE);
    for (let from = all.gte; ; ) {
      const page = await kv.range({ ...all, gte: from });
      for (const [, value] of page) queue.#added({ ...decode<Job>(value), claimed: false });
      if (page.length < PAGE) return queue;
      from = after(page.at(-1)![0]);
    }
  }

  /** Called whenever a job may have become ready. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  /** Writes a job with the change that causes it; one that says the same and has not started takes over the origins instead. */
  enqueue(draft: Draft, { waitingBytes = 0, ...job }: NewJob): void {
    const merged = job.sameAs !== undefined && this.#merge(draft, job);
    if (merged) return;
    const bytes = encode(job.payload).byteLength + waitingBytes;
    const made: Job = { ...job, bytes, sequence: this.#numbers.take(draft), attempts: 0, dueAt: job.dueAt ?? 0 };
    draft.put(jobKey(made), encode(made));
    draft.onApply(() => {
      this.#added(made);
      this.#wake();
    });
  }

  /**
   * RESOURCE_EXHAUSTED where the change that is being decided would leave an account with too much waiting. To be asked at the end of changes that callers ask
   * for; what jobs lead to is not refused.
   */
  admit(draft: KvReader, workspace: number): void {
    let [jobs, bytes] = [0, 0];
    for (const key of draft.touched(ALL_JOBS)) {
      if (workspaceOfJobKey(key) !== workspace) continue;
      for (const [job, step] of [[decode<Job>(draft.get(key)), 1] as const, [decode<Job>(this.#kv.get(key)), -1] as const]) {
        if (!job || !counts(job)) continue;
        jobs += step;
        bytes += step * (job.bytes ?? 0);
      }
    }
    this.backlog.check(workspace, { jobs, bytes });
  }

  /** The next job of a queue that may run now, claimed: its attempt is counted and survives a kill. */
  async claim(queue: QueueName): Promise<Job | undefined> {
    const now = this.#clock();
    const turn = (this.#claims.get(queue) ?? 0) + 1;
    this.#claims.set(queue, turn);
    let job: Job | undefined;
    for (const name of turn % BULK_TURN === 0 ? CLASSES.toReversed() : CLASSES) job ??= this.#lane(queue, name).next(now);
    if (!job) return undefined;
    const claimed: Job = { ...job, attempts: job.attempts + 1, claimed: true };
    const key = jobKey(job);
    this.#forget(job);
    this.#claimed.set(key, claimed);
    this.drain.claimed(job);
    const count = this.#kv.transact(
      (read) => {
        // origins may have been merged by a transaction that was decided before this one
        const stored = decode<Job>(read.get(key));
        const latest = { ...claimed, origins: stored?.origins ?? claimed.origins };
        return { ops: [{ key, value: encode(latest) }], apply: () => void this.#claimed.set(key, latest) };
      },
      { sync: false },
    );
    try {
      await count;
    } catch (error) {
      // it did not start, so the attempt does not count
      this.#claimed.set(key, job);
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
    await this.#kv.transact(() => ({ ops: [{ key: jobKey(job), value: undefined }], apply: () => this.#ended(job, undefined) }));
  }

  isClaimed(job: Job): boolean {
    return this.#claimed.has(jobKey(job));
  }

  /** Gives a claimed job back where nothing can be written just now; its record still says claimed, which means the same to the next start. */
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

  /** Gives a claimed job back for another attempt at `dueAt` (Unix time in ms). */
  async retry(job: Job, dueAt: number): Promise<void> {
    const waiting: Job = { ...job, dueAt, claimed: false };
    await this.#kv.transact(() => ({
      ops: [{ key: jobKey(job), value: encode(waiting) }],
      apply: () => {
        this.#claimed.delete(jobKey(job));
        this.#place(waiting);
        this.drain.returned(waiting);
      },
    }));
  }

  /** Ends a claimed job for good: it will not be tried again, its reason can be read. */
  async bury(job: Job, reason: string): Promise<void> {
    const letter: DeadLetter = {
      queue: job.queue,
      kind: job.kind,
      workspace: job.workspace,
      sequence: job.sequence,
      reason,
      at: this.#clock(),
    };
    await this.#kv.transact(() => ({
      ops: [
        { key: jobKey(job), value: undefined },
        { key: deadLetterKey(letter), value: encode(letter) },
      ],
      apply: () => this.#ended(job, reason),
    }));
    await this.#trimDeadLetters(job.workspace);
  }

  async #trimDeadLetters(workspace: number): Promise<void> {
    const keys = await this.#kv.keys(prefixRange(deadLettersOf(workspace), MAX_DEAD_LETTERS + PAGE));
    const oldest = keys.slice(0, Math.max(0, keys.length - MAX_DEAD_LETTERS));
    if (oldest.length === 0) return;
    await this.#kv.transact(() => ({
      ops: oldest.map((key) => ({ key, value: undefined })),
      apply: () => {
        this.droppedLetters += oldest.length;
      },
    }));
  }

  /** Removes the dead letters of a workspace that is gone. */
  async dropDeadLetters(workspace: number): Promise<void> {
    for (;;) {
      const keys = await this.#kv.keys(prefixRange(deadLettersOf(workspace), PAGE));
      if (keys.length === 0) return;
      await this.#kv.transact(() => ({ ops: keys.map((key) => ({ key, value: undefined })), apply: () => undefined }));
    }
  }

  /** Removes the pending jobs of a workspace that is going away; those under way go on. */
  async cancel(workspace: number): Promise<void> {
    const jobs = [...this.jobs()].filter((job) => job.workspace === workspace && !this.isClaimed(job));
    await this.#kv.transact(() => ({
      ops: jobs.map((job) => ({ key: jobKey(job), value: undefined })),
      apply: () => {
        for (const job of jobs) {
          if (!this.#forget(job)) continue;
          this.drain.cancelled(job);
          this.backlog.ended(job);
        }
      },
    }));
  }

  /** Follows jobs (see Watch). Jobs that wait for further changes do not while somebody waits for them; a `patient` watch does not hurry anything. */
  watch(watched: Parameters<Drain["watch"]>[0], { patient = false } = {}): Watch {
    const watch = this.drain.watch(watched, this.jobs(), patient);
    if (!patient) this.#hurry(watch);
    return watch;
  }

  /** When a job that may wait for further changes is due: now where somebody waits for it. */
  dueAfter(delayMs: number, job: Pick<Job, "queue" | "workspace" | "origins">): number {
    return this.drain.isAwaited(job) ? 0 : this.#clock() + delayMs;
  }

  #hurry(watch: Watch): void {
    const isSlow = (job: Job) => !job.claimed && (job.class === "bulk" || (job.dueAt > 0 && job.attempts === 0)) && watch.covers(job);
    const slow = [...this.jobs()].filter(isSlow);
    for (const job of slow) this.#place(job);
    if (slow.length > 0) this.#wake();
  }

  /** The earliest time in ms at which a waiting job of the queue becomes due, or undefined where none waits. */
  nextDue(queue: QueueName): number | undefined {
    let earliest: number | undefined;
    for (const name of CLASSES) {
      const due = this.#lane(queue, name).nextDue;
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due;
    }
    return earliest;
  }

  *jobs(): Generator<Job> {
    for (const lane of this.#lanes.values()) yield* lane.all();
    yield* this.#claimed.values();
  }

  #merge(draft: Draft, job: Omit<NewJob, "waitingBytes">): boolean {
    const key = this.#same.get(sameKey(job));
    const waiting = key === undefined ? undefined : decode<Job>(draft.get(key));
    if (!key || !waiting || waiting.claimed) return false;
    const origins = [...new Set([...waiting.origins, ...job.origins])];
    if (origins.length > MAX_ORIGINS) return false;
    const dueAt = Math.min(waiting.dueAt, job.dueAt ?? 0);
    if (origins.length === waiting.origins.length && dueAt === waiting.dueAt) return true;
    const merged: Job = { ...waiting, origins, dueAt };
    draft.put(key, encode(merged));
    draft.onApply(() => {
      if (this.#claimed.has(key)) {
        this.drain.merged(this.#claimed.get(key)!, merged, true);
        return;
      }
      this.#place(merged);
      this.drain.merged(waiting, merged, false);
      this.#wake();
    });
    return true;
  }

  #added(job: Job): void {
    this.#place(job);
    this.backlog.added(job);
    if (job.sameAs !== undefined) this.#same.set(sameKey(job), jobKey(job));
    this.drain.added(job);
  }

  /** Into the line of its class; what somebody waits for goes as interactive, and at once unless it has failed before. */
  #place(job: Job): void {
    const isAwaited = this.drain.isAwaited(job);
    const home = isAwaited ? "interactive" : job.class;
    for (const name of CLASSES) if (name !== home) this.#lane(job.queue, name).delete(jobKey(job), job.workspace);
    this.#lane(job.queue, home).put(jobKey(job), isAwaited && job.attempts === 0 ? { ...job, dueAt: 0 } : job);
  }

  #forget(job: Job): boolean {
    if (job.sameAs !== undefined && this.#same.get(sameKey(job)) === jobKey(job)) this.#same.delete(sameKey(job));
    return CLASSES.map((name) => this.#lane(job.queue, name).delete(jobKey(job), job.workspace)).includes(true);
  }

  #ended(job: Job, error: string | undefined): void {
    const latest = this.#claimed.get(jobKey(job));
    if (!latest) return;
    this.#claimed.delete(jobKey(job));
    this.backlog.ended(latest);
    this.drain.settled(latest, error);
  }

  #lane(queue: QueueName, name: JobClass): Lane {
    const key = `${queue}/${name}`;
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = new Lane();
      this.#lanes.set(key, lane);
    }
    return lane;
  }
}

const sameKey = (job: Pick<Job, "queue" | "workspace" | "sameAs">): string => `${job.queue}/${job.workspace}/${job.sameAs}`;
