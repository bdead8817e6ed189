import { type AnswerLimits, type CallOptions, ChildProcess, type ReadAnswer } from "./child-process.ts";

/** Why a call is refused: its group has too many waiting calls, the pool has, or the pool is closed. */
export type PoolRefusal = "group" | "all" | "closed";

export interface PoolOptions {
  readonly module: URL;
  /** Maximum number of processes. */
  readonly size: number;
  readonly maxHeapMb: number;
  readonly maxResidentMb: number;
  readonly maxAnswer: AnswerLimits;
  /** Time limit of a call in ms. */
  readonly limitMs: number;
  /** Maximum number of waiting calls per group and in total. */
  readonly maxWaiting: { readonly perGroup: number; readonly total: number };
  /** Creates the error for a refused call. */
  readonly refuse: (why: PoolRefusal) => Error;
  /** Called with the reason when a process ends unexpectedly. */
  readonly report: (error: Error) => void;
}

/** Idle timeout in ms: starting a process is slow, but an idle one uses much memory. */
const IDLE_MS = 2 * 60_000;
/** Nice value of worker processes: the server itself has priority. */
const NICE = 5;
/**
 * Share of its memory limit at which a process is replaced after a call, so that its leftovers do not make
 * the next call fail.
 */
const MAX_KEPT_SHARE = 0.5;

/**
 * A pool of processes that handle one call at a time and start on demand. Killing a process fails only its
 * current call.
 */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #free: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  /** Waiting calls by group; the first group in the map is served next. */
  readonly #lines = new Map<number, Set<() => void>>();
  /** Number of busy processes per group. */
  readonly #held = new Map<number, number>();
  #busy = 0;
  #isClosed = false;
  #waiting = 0;
  /** Number of processes that ended during a call. */
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
   * Calls the handler. Groups take turns, and none can occupy all processes. Rejects like ChildProcess.call,
   * or with the error from `refuse`. Aborting `signal` ends the wait or kills the process of the call.
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

  /** Ends all calls; later calls are refused. */
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
      // the process may be dead, or still busy with an abandoned call
      await this.#drop(child);
      throw error;
    }
  }

  /**
   * The most recently used free process, so that the others become idle. Skips dead ones: they would refuse
   * the call.
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

  /** Maximum number of processes per group: one is reserved for other groups. */
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

  /** Passes a freed process on to waiting calls, one group after the other. */
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
