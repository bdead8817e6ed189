import { type AnswerLimits, type CallOptions, ChildProcess, type ReadAnswer } from "./child-process.ts";

/** Why a call is refused: too many of its group wait, too many in all, or the pool is closed. */
export type PoolRefusal = "group" | "all" | "closed";

export interface PoolOptions {
  readonly module: URL;
  /** Processes at once. */
  readonly size: number;
  readonly maxHeapMb: number;
  readonly maxResidentMb: number;
  readonly maxAnswer: AnswerLimits;
  /** For one call. */
  readonly limitMs: number;
  /** Calls that may wait for a process: of one group, and in all. */
  readonly maxWaiting: { readonly perGroup: number; readonly total: number };
  /** Makes the error of a refused call. */
  readonly refuse: (why: PoolRefusal) => Error;
  /** Called with the reason when a process ends unexpectedly. */
  readonly report: (error: Error) => void;
}

/** Idle timeout in ms: a start is slow, an idle process holds about 60 MB. */
const IDLE_MS = 2 * 60_000;
/** Nice value of worker processes: the server's callers come first. */
const NICE = 5;
/**
 * A process that has reached this share of its memory limit is replaced, so that earlier calls do not make
 * the next one fail.
 */
const MAX_KEPT_SHARE = 0.5;

/**
 * Processes with one call at a time each, started on demand. A process that is killed during a call fails
 * that call alone.
 */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #free: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  /** Waiting calls by group; the group that has waited longest comes first. */
  readonly #lines = new Map<number, Set<() => void>>();
  /** Processes that each group holds now. */
  readonly #held = new Map<number, number>();
  #busy = 0;
  #isClosed = false;
  #waiting = 0;
  /** Number of processes since the start that ended during a call. */
  deaths = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get running(): number {
    return [...this.#all].filter((child) => child.isRunning).length;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * The handler's answer. Groups take turns, and none holds all processes. Throws like ChildProcess.call, or
   * the error of `refuse`. An aborted `signal` ends the wait, or the process of the call.
   */
  async call<T>(
    group: number,
    message: unknown,
    read: ReadAnswer<T>,
    { signal, ...options }: CallOptions,
  ): Promise<T> {
    signal?.throwIfAborted();
    await this.#turn(group, signal);
    try {
      signal?.throwIfAborted();
      if (this.#isClosed) throw this.#options.refuse("closed");
      return await this.#run(message, read, { ...options, signal });
    } finally {
      this.#release(group);
    }
  }

  /** Ends every call; further ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((child) => child.stop()));
  }

  async #run<T>(message: unknown, read: ReadAnswer<T>, options: CallOptions): Promise<T> {
    const child = this.#take();
    try {
      const answer = await child.call(message, read, options);
      if (child.residentBytes > this.#options.maxResidentMb * 1024 * 1024 * MAX_KEPT_SHARE)
        await this.#drop(child);
      else this.#free.push(child);
      return answer;
    } catch (error) {
      // it may be dead, or still busy for a caller who has left
      await this.#drop(child);
      throw error;
    }
  }

  /**
   * The process used last: the others become idle. One that has died in between would refuse the call until
   * it restarts.
   */
  #take(): ChildProcess {
    for (let child = this.#free.pop(); child; child = this.#free.pop()) {
      if (!child.isResting) return child;
      this.#all.delete(child);
    }
    return this.#open();
  }

  #open(): ChildProcess {
    const { module, maxHeapMb, maxResidentMb, maxAnswer, limitMs } = this.#options;
    const report = (error: Error) => {
      this.deaths++;
      this.#options.report(error);
    };
    const child = new ChildProcess({
      module,
      nice: NICE,
      maxHeapMb,
      maxResidentMb,
      maxAnswer,
      maxCalls: 1,
      callLimitMs: limitMs,
      idleMs: IDLE_MS,
      report,
    });
    this.#all.add(child);
    return child;
  }

  async #drop(child: ChildProcess): Promise<void> {
    this.#all.delete(child);
    await child.stop();
  }

  /** Limit of processes of one group: one is left for others. */
  get #share(): number {
    return Math.max(1, this.#options.size - 1);
  }

  #mayBegin(group: number): boolean {
    return this.#busy < this.#options.size && (this.#held.get(group) ?? 0) < this.#share;
  }

  #begin(group: number): void {
    this.#busy++;
    this.#held.set(group, (this.#held.get(group) ?? 0) + 1);
  }

  async #turn(group: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#lines.has(group) && this.#mayBegin(group)) return this.#begin(group);
    const line = this.#lines.get(group) ?? new Set();
    const { maxWaiting, refuse } = this.#options;
    if (line.size >= maxWaiting.perGroup) throw refuse("group");
    if (this.#waiting >= maxWaiting.total) throw refuse("all");
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#leave(group, begin);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      line.add(begin);
      this.#lines.set(group, line);
      this.#waiting++;
    });
  }

  #leave(group: number, begin: () => void): void {
    const line = this.#lines.get(group);
    if (!line?.delete(begin)) return;
    this.#waiting--;
    if (line.size === 0) this.#lines.delete(group);
  }

  /** Hands the place of an ended call to waiting ones, one group after the other. */
  #release(group: number): void {
    this.#busy--;
    const held = (this.#held.get(group) ?? 1) - 1;
    if (held > 0) this.#held.set(group, held);
    else this.#held.delete(group);
    for (const [next, line] of [...this.#lines]) {
      const [begin] = line;
      if (begin === undefined || !this.#mayBegin(next)) continue;
      this.#leave(next, begin);
      // the group goes to the end of the queue
      if (this.#lines.delete(next)) this.#lines.set(next, line);
      this.#begin(next);
      begin();
    }
  }
}
