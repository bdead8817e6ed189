import { type CallOptions, ChildProcess } from "./child-process.ts";

/** Why a call is refused: too many of its group wait, too many in all, or the pool is closed. */
export type PoolRefusal = "group" | "all" | "closed";

export interface PoolOptions {
  readonly module: URL;
  /** Processes at once. */
  readonly size: number;
  readonly maxHeapMb: number;
  readonly maxResidentMb: number;
  /** For one call. */
  readonly limitMs: number;
  /** Calls that may wait for a process: of one group, and in all. */
  readonly maxWaiting: { readonly perGroup: number; readonly total: number };
  /** The error of a call that is refused. */
  readonly refuse: (why: PoolRefusal) => Error;
  /** Hears why a process ended before its time. */
  readonly report: (error: Error) => void;
}

/** Idle timeout in ms: a start is slow, an idle process holds about 60 MB. */
const IDLE_MS = 2 * 60_000;
/** Nice value of worker processes: the server's callers come first. */
const NICE = 5;
/**
 * A process that has reached this share of its memory is replaced, so that the next call does not fail for
 * what earlier calls left in memory.
 */
const MAX_KEPT_SHARE = 0.5;

/**
 * Processes of which each has one call at a time, started when they are needed. One that is killed over a
 * call concerns that call alone.
 */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #free: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  /** Calls that wait, by group; the group that had its turn longest ago comes first. */
  readonly #lines = new Map<number, Set<() => void>>();
  /** Processes that each group holds now. */
  readonly #held = new Map<number, number>();
  #busy = 0;
  #isClosed = false;
  #waiting = 0;
  /** Since the start: processes that ended over a call. */
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
   * The handler's answer. Groups take turns, and none holds all processes. Throws as ChildProcess.call
   * does, and the error of `refuse`. An aborted `signal` ends the wait, or the process of the call.
   */
  async call(group: number, message: unknown, { signal, ...options }: CallOptions): Promise<unknown> {
    signal?.throwIfAborted();
    await this.#turn(group, signal);
    try {
      signal?.throwIfAborted();
      if (this.#isClosed) throw this.#options.refuse("closed");
      return await this.#run(message, { ...options, signal });
    } finally {
      this.#release(group);
    }
  }

  /** Ends every call; further ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((child) => child.stop()));
  }

  async #run(message: unknown, options: CallOptions): Promise<unknown> {
    const child = this.#take();
    try {
      const answer = await child.call(message, options);
      if (child.residentBytes > this.#options.maxResidentMb * 1024 * 1024 * MAX_KEPT_SHARE)
        await this.#drop(child);
      else this.#free.push(child);
      return answer;
    } catch (error) {
      // it may be dead, or still at work for a caller who has left
      await this.#drop(child);
      throw error;
    }
  }

  /**
   * The last one that was used: those that are not needed become idle. One that has died meanwhile would
   * refuse the call until it has rested.
   */
  #take(): ChildProcess {
    for (let child = this.#free.pop(); child; child = this.#free.pop()) {
      if (!child.isResting) return child;
      this.#all.delete(child);
    }
    return this.#open();
  }

  #open(): ChildProcess {
    const { module, maxHeapMb, maxResidentMb, limitMs } = this.#options;
    const report = (error: Error) => {
      this.deaths++;
      this.#options.report(error);
    };
    const child = new ChildProcess({
      module,
      nice: NICE,
      maxHeapMb,
      maxResidentMb,
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

  /** Processes one group may use at once: one is left for others. */
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

  /** Hands the place of a call that has ended to those that wait, a group after the other. */
  #release(group: number): void {
    this.#busy--;
    const held = (this.#held.get(group) ?? 1) - 1;
    if (held > 0) this.#held.set(group, held);
    else this.#held.delete(group);
    for (const [next, line] of [...this.#lines]) {
      const [begin] = line;
      if (begin === undefined || !this.#mayBegin(next)) continue;
      this.#leave(next, begin);
      // the group goes to the end of the row
      if (this.#lines.delete(next)) this.#lines.set(next, line);
      this.#begin(next);
      begin();
    }
  }
}
