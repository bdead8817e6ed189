import { type CallOptions, ChildProcess } from "../../base/child-process.ts";
import { unavailable } from "../../domain/errors.ts";

export interface PoolOptions {
  readonly module: URL;
  /** Processes at once. */
  readonly size: number;
  readonly maxHeapMb: number;
  readonly maxResidentMb: number;
  /** For one file. */
  readonly limitMs: number;
  /** Hears why a process ended before its time. */
  readonly report: (error: Error) => void;
}

/** Kept warm for so long: a start takes 200 ms and more, an idle process 60 MB. */
const IDLE_MS = 2 * 60_000;
/** How much a process stands back behind the server, whose callers wait. */
const NICE = 5;
/** Calls that may wait for a process; an import has a few at a time. */
const MAX_WAITING = 2000;
/** A process that has grown to this share of its memory is replaced: what it holds on to is not the next file's fault. */
const MAX_KEPT_SHARE = 0.5;

/** Processes of which each has one call at a time, started when they are needed. One that is killed over a call concerns that call alone. */
export class ParsePool {
  readonly #options: PoolOptions;
  readonly #free: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #lines = new Map<number, (() => void)[]>();
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
   * The handler's answer. When all processes are at work the accounts have their turns one after the other. Throws as ChildProcess.call does, and UNAVAILABLE where
   * too many wait. An aborted `signal` ends the process of the call.
   */
  async call(account: number, message: unknown, { signal, ...options }: CallOptions): Promise<unknown> {
    signal?.throwIfAborted();
    await this.#turn(account);
    try {
      signal?.throwIfAborted();
      if (this.#isClosed) throw unavailable("the server is stopping");
      return await this.#run(message, { ...options, signal });
    } finally {
      this.#next();
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
      if (child.residentBytes > this.#options.maxResidentMb * 1024 * 1024 * MAX_KEPT_SHARE) await this.#drop(child);
      else this.#free.push(child);
      return answer;
    } catch (error) {
      // it may be dead, or still at work for a caller who has left
      await this.#drop(child);
      throw error;
    }
  }

  /** The last one that was used: those that are not needed become idle. One that has died meanwhile would refuse the call until it has rested. */
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

  async #turn(account: number): Promise<void> {
    if (this.#busy < this.#options.size) {
      this.#busy++;
      return;
    }
    if (this.#waiting >= MAX_WAITING) throw unavailable(`${MAX_WAITING} files are waiting to be read`);
    this.#waiting++;
    await new Promise<void>((begin) => {
      const line = this.#lines.get(account);
      if (line) line.push(begin);
      else this.#lines.set(account, [begin]);
    });
  }

  /** Hands the place of a call that has ended to the next account's first, which goes to the end of the row then. */
  #next(): void {
    for (const [account, line] of this.#lines) {
      this.#lines.delete(account);
      const begin = line.shift()!;
      if (line.length > 0) this.#lines.set(account, line);
      this.#waiting--;
      begin();
      return;
    }
    this.#busy--;
  }
}
