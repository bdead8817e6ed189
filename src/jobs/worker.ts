import type { Logger } from "pino";
import { type Trace, untraced } from "../base/trace.ts";
import { ServiceError, unavailable } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { type Job, QUEUES, type QueueName } from "../domain/job.ts";
import type { JobQueue } from "./queue.ts";

const MAX_FAILURES = 5;
/**
 * Number of process crashes during a job after which it is dead-lettered. After the first crash the job runs
 * alone. The limit is high because machines are also killed from outside, several times in a row if they
 * start badly.
 */
const MAX_LOST = 10;
/**
 * Maximum time in ms for which the jobs of all accounts wait so that a suspect begins alone, and after that
 * for its end: a job may run for the whole lease, and there may be a suspect for each job of a dead server.
 */
const MAX_ALONE_MS = 10_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;
/** Lease in ms: a job that runs longer is aborted and retried. */
const LEASE_MS = 15 * 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

type Concurrency = Readonly<Record<QueueName, number>>;

const CONCURRENCY: Concurrency = { semantic: 4, embedding: 2, import: 4, purge: 1 };
/**
 * Maximum number of concurrent jobs per account in queues with long jobs: a slow source or a long session
 * must not delay other accounts.
 */
const CONCURRENCY_OF_ACCOUNT: Partial<Concurrency> = { semantic: 2, import: 2 };

/** Abort reason of a job that is ended for good. */
const NOBODY_LEFT = new Error("the user or account of the job was removed");
/** Abort reason of a job that is ended without changing its record. */
const GIVEN_UP = unavailable("the account has moved to another server; try again");

/** Error codes that a retry cannot change. */
const FINAL = new Set([
  "INVALID_ARGUMENT",
  "INVALID_URI",
  "NOT_FOUND",
  "PERMISSION_DENIED",
  "FAILED_PRECONDITION",
  "ALREADY_EXISTS",
  "UNIMPLEMENTED",
]);

/**
 * Runs one job. The handler settles the job in the transaction with its effect (`queue.settle`). If it
 * returns without settling, the job had no effect and the worker settles it. `signal` aborts when the lease
 * ends or the server stops.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

/** Lease of a running job. */
interface Lease {
  readonly end: AbortController;
  readonly ended: Promise<unknown>;
}

/** Runs jobs as they become ready, without polling. */
export class Worker {
  readonly #queue: JobQueue;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #clock: () => number;
  readonly #log: Logger;
  readonly #random: () => number;
  readonly #trace: Trace;
  readonly #concurrency: Concurrency;
  readonly #running: Record<QueueName, number> = { semantic: 0, embedding: 0, import: 0, purge: 0 };
  readonly #tasks = new Set<Promise<void>>();
  readonly #leases = new Map<Job, Lease>();
  /** Workspaces that are being handed over. */
  readonly #leaving = new Set<WorkspaceId>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /**
   * Unix time in ms until which a suspect waits for running jobs, or other jobs wait for a running suspect.
   */
  #aloneUntil: number | undefined;
  #started = false;

  constructor(deps: {
    queue: JobQueue;
    handlers: ReadonlyMap<string, JobHandler>;
    clock: () => number;
    log: Logger;
    random: () => number;
    trace?: Trace;
    /** Concurrent jobs per queue. */
    concurrency?: Partial<Concurrency>;
  }) {
    this.#queue = deps.queue;
    this.#handlers = deps.handlers;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#random = deps.random;
    this.#trace = deps.trace ?? untraced;
    this.#concurrency = { ...CONCURRENCY, ...deps.concurrency };
  }

  get isRunning(): boolean {
    return this.#started && !this.#stop.signal.aborted;
  }

  start(): void {
    this.#started = true;
    // jobs must not become part of the trace of the change that woke the worker
    this.#queue.onReady(() => this.#trace.apart(() => this.#pump()));
    this.#pump();
  }

  /** Whether a job of a workspace is running. */
  isBusy(workspace: WorkspaceId): boolean {
    return [...this.#leases.keys()].some((job) => job.workspace === workspace);
  }

  /** Aborts the running jobs for which `isOver` returns true. */
  end(isOver: (job: Job) => boolean): void {
    for (const [job, { end }] of this.#leases) if (isOver(job)) end.abort(NOBODY_LEFT);
  }

  /**
   * Hands over a workspace: starts none of its jobs until the promise resolves, and aborts its running jobs
   * within `graceMs`. Their attempts do not count.
   */
  async giveUp(workspace: WorkspaceId, graceMs: number): Promise<void> {
    this.#leaving.add(workspace);
    try {
      this.drop(workspace);
      const running = [...this.#leases].filter(([job]) => job.workspace === workspace);
      await within(graceMs, Promise.allSettled(running.map(([, { ended }]) => ended)));
      await this.#queue.release(workspace);
    } finally {
      this.#leaving.delete(workspace);
    }
  }

  /** Aborts the running jobs of a workspace that is no longer held; writes nothing for them. */
  drop(workspace: WorkspaceId): void {
    for (const [job, { end }] of this.#leases) if (job.workspace === workspace) end.abort(GIVEN_UP);
  }

  /**
   * Starts no further jobs, aborts the running ones and waits for them. Jobs that do not end are resumed
   * after the next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#queue.onReady(() => undefined);
    clearTimeout(this.#timer);
    this.#stop.abort(new ServiceError("UNAVAILABLE", "the server is shutting down; try again later"));
    await within(graceMs, Promise.allSettled(this.#tasks));
    await this.#queue.release("everything");
  }

  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const { suspect } = this.#queue;
    if (suspect && !this.#leaving.has(suspect.workspace)) {
      this.#beginAlone(suspect);
      return;
    }
    if (this.#tasks.size > 0 && this.#aloneUntil !== undefined && this.#clock() < this.#aloneUntil) {
      this.#pumpAt(this.#aloneUntil);
      return;
    }
    this.#aloneUntil = undefined;
    for (const name of QUEUES) while (this.#running[name] < this.#concurrency[name] && this.#begin(name));
    this.#setTimer();
  }

  /** Begins a suspect once no other job runs, or the running ones have taken too long. */
  #beginAlone(suspect: Job): void {
    const now = this.#clock();
    this.#aloneUntil ??= now + MAX_ALONE_MS;
    if (this.#tasks.size === 0 || now >= this.#aloneUntil) {
      this.#aloneUntil = now + MAX_ALONE_MS;
      this.#track(suspect.queue, () => this.#queue.claimSuspect(suspect));
    }
    this.#pumpAt(this.#aloneUntil);
  }

  #begin(name: QueueName): boolean {
    const mayBegin = (workspace: WorkspaceId) => this.#mayBegin(name, workspace);
    const due = this.#queue.nextDue(name, mayBegin);
    if (due === undefined || due > this.#clock()) return false;
    this.#track(name, () => this.#queue.claim(name, mayBegin));
    return true;
  }

  #mayBegin(name: QueueName, workspace: WorkspaceId): boolean {
    if (this.#leaving.has(workspace)) return false;
    const most = CONCURRENCY_OF_ACCOUNT[name];
    return most === undefined || this.#queue.underWay(name, workspace) < most;
  }

  #track(name: QueueName, claim: () => Promise<Job | undefined>): void {
    this.#running[name]++;
    const task = this.#runNext(name, claim).finally(() => {
      this.#tasks.delete(task);
      this.#running[name]--;
      // yield to the event loop between jobs: requests have priority
      setImmediate(() => this.#pump());
    });
    this.#tasks.add(task);
  }

  async #runNext(name: QueueName, claim: () => Promise<Job | undefined>): Promise<void> {
    let job: Job | undefined;
    try {
      job = await claim();
      if (job && !this.#leaving.has(job.workspace)) await this.#traced(job);
    } catch (error) {
      this.#log.error({ err: error, queue: name, job: job?.kind }, "the state of a job could not be written");
      if (job) this.#queue.putBack(job, this.#clock() + MAX_BACKOFF_MS);
    }
  }

  async #traced(job: Job): Promise<void> {
    const { kind, queue, workspace, attempts } = job;
    const span = this.#trace.begin(`job ${kind}`, "job", job.trace);
    span.tell({ queue, kind, workspace, attempt: attempts });
    try {
      span.end(await span.within(() => this.#run(job)));
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  /** Returns the error of a failed attempt. */
  #run(job: Job): Promise<unknown> {
    const end = new AbortController();
    const ended = this.#attempt(job, end).finally(() => this.#leases.delete(job));
    this.#leases.set(job, { end, ended });
    return ended;
  }

  async #attempt(job: Job, lease: AbortController): Promise<unknown> {
    const timer = setTimeout(() => lease.abort(new Error("the lease of the job has ended")), LEASE_MS);
    const signal = AbortSignal.any([lease.signal, this.#stop.signal]);
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new ServiceError("UNIMPLEMENTED", `no handler for jobs of kind ${job.kind}`);
      if ((job.lost ?? 0) >= MAX_LOST)
        throw new ServiceError(
          "FAILED_PRECONDITION",
          `the server stopped ${job.lost} times while this job was running; it is not retried`,
        );
      await handler(job, signal);
      if (this.#queue.isClaimed(job)) await this.#queue.finish(job);
      return undefined;
    } catch (error) {
      if (lease.signal.reason === GIVEN_UP) return error;
      // a job whose user or account was removed is settled, not retried
      if (lease.signal.reason === NOBODY_LEFT) await this.#queue.finish(job);
      else await this.#failed(job, error);
      return error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #failed(job: Job, error: unknown): Promise<void> {
    if (!this.#queue.isClaimed(job)) throw error;
    // a stopping server or a refused write is not the job's fault, so the attempt does not count
    if (this.#stop.signal.aborted) return this.#queue.retry({ ...job, attempts: job.attempts - 1 }, 0);
    if (error instanceof ServiceError && error.code === "UNAVAILABLE") {
      this.#log.info({ err: error, queue: job.queue, job: job.kind }, "job postponed");
      return this.#queue.retry(
        { ...job, attempts: job.attempts - 1 },
        this.#clock() + MAX_BACKOFF_MS * (0.5 + this.#random()),
      );
    }
    const final = error instanceof ServiceError && FINAL.has(error.code);
    const failures = (job.failures ?? 0) + 1;
    if (final || failures >= MAX_FAILURES) {
      const reason = error instanceof ServiceError ? error.message : "internal error";
      this.#log.warn({ err: error, queue: job.queue, job: job.kind, attempts: job.attempts }, "job given up");
      await this.#queue.deadLetter(job, reason);
      return;
    }
    const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + this.#random());
    this.#log.info(
      { err: error, queue: job.queue, job: job.kind, attempts: job.attempts },
      "job failed; it will be retried",
    );
    await this.#queue.retry({ ...job, failures }, this.#clock() + backoff);
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const dues = QUEUES.filter((name) => this.#running[name] < this.#concurrency[name]).flatMap(
      (name) => this.#queue.nextDue(name, (workspace) => this.#mayBegin(name, workspace)) ?? [],
    );
    if (dues.length > 0) this.#pumpAt(Math.min(...dues));
  }

  #pumpAt(time: number): void {
    clearTimeout(this.#timer);
    const ms = Math.min(MAX_TIMER_MS, Math.max(1, time - this.#clock()));
    this.#timer = setTimeout(() => this.#pump(), ms).unref();
  }
}

/** Waits for work, at most `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
