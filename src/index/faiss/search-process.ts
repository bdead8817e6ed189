import { itemAt } from "../../base/expect.ts";
import { ChildFailed, ChildProcess, type ReadAnswer } from "../../base/processes/child-process.ts";
import {
  EXACT_REASONS,
  type ExactReason,
  type OpenNeighbours,
  type OpenOptions,
} from "../vectors/neighbours.ts";
import { type AnswerCall, NO_ADDON } from "./protocol.ts";
import { readLoaded, readPlaces } from "./read-answers.ts";

/** Time in ms that find waits for an index search before it scans. */
const ANSWER_LIMIT_MS = 20;
/** Maximum number of concurrent searches; above it, find scans instead of waiting. */
const MAX_SEARCHES = 8;
/** Maximum number of pending calls: searches, and loading and unloading of files. */
const MAX_CALLS = 4096;
const CALL_LIMIT_MS = 30_000;
const IDLE_MS = 600_000;
const MAX_HEAP_MB = 256;
/** Limits of an answer: positions for a search, statistics for a load. */
const MAX_ANSWER = { valueBytes: 1024, bytes: 4 * 1024 * 1024 };
/** Number of crashes with a file, without an answer in between, after which the file is given up. */
const MAX_DEATHS = 3;

interface AnswersOptions {
  readonly module: URL;
  readonly env: Readonly<Record<string, string>>;
  readonly report: (error: Error) => void;
}

/** The process that searches indexes, and its pending calls. */
export class SearchProcess {
  readonly #child: ChildProcess;
  readonly #report: (error: Error) => void;
  readonly exact = Object.fromEntries(EXACT_REASONS.map((reason) => [reason, 0])) as Record<
    ExactReason,
    number
  >;
  answered = 0;
  searching = 0;
  /** Number of files being loaded; the process is busy until then. */
  loading = 0;

  constructor({ module, env, report }: AnswersOptions) {
    this.#report = report;
    this.#child = new ChildProcess({
      module,
      env,
      maxHeapMb: MAX_HEAP_MB,
      maxAnswer: MAX_ANSWER,
      maxCalls: MAX_CALLS,
      callLimitMs: CALL_LIMIT_MS,
      idleMs: IDLE_MS,
      report,
    });
  }

  /** Number of the running process since the start; undefined if none runs. */
  get life(): number | undefined {
    return this.#child.isRunning ? this.#child.starts : undefined;
  }

  get starts(): number {
    return this.#child.starts;
  }

  open(path: string, options: OpenOptions): OpenNeighbours {
    return new OpenFile(this, path, options);
  }

  call<T>(message: AnswerCall, read: ReadAnswer<T>): Promise<T> {
    return this.#child.call(message, read);
  }

  /** Frees the memory of an index, if the process runs. */
  forget(path: string): void {
    this.call({ do: "forget", path }, () => undefined).catch(() => undefined);
  }

  get callsUnderWay(): number {
    return this.#child.callsUnderWay;
  }

  report(what: string, error: unknown): void {
    this.#report(
      new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }),
    );
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

class OpenFile implements OpenNeighbours {
  readonly space: string;
  readonly isSmall: boolean;
  readonly #answers: SearchProcess;
  readonly #path: string;
  readonly #options: OpenOptions;
  /** `SearchProcess.life` of the process that has loaded the file. */
  #life: number | undefined;
  #isLoading = false;
  #isOver = false;
  #bytes = 0;
  #deaths = 0;
  #lastDeath: number | undefined;

  constructor(answers: SearchProcess, path: string, options: OpenOptions) {
    this.space = options.space;
    this.isSmall = options.isSmall;
    this.#answers = answers;
    this.#path = path;
    this.#options = options;
    // a small index is loaded only on demand, so that it uses no memory in an idle process
    if (!options.isSmall) void this.#load();
  }

  get bytes(): number {
    return this.#bytes + this.#options.rows.byteLength;
  }

  get isReady(): boolean {
    return !this.#isOver && this.#life !== undefined && this.#life === this.#answers.life;
  }

  async nearest(query: Float32Array, count: number): Promise<Uint32Array | undefined> {
    const answers = this.#answers;
    const obstacle = this.#obstacle();
    if (obstacle) {
      answers.exact[obstacle]++;
      return undefined;
    }
    const life = answers.life;
    answers.searching++;
    const { rows } = this.#options;
    const search = answers
      .call({ do: "search", path: this.#path, query, count }, (answer) =>
        readPlaces(answer, count, rows.length),
      )
      .finally(() => {
        answers.searching--;
      });
    try {
      const places = await inTime(search);
      if (!places) {
        // the search may still finish, or the process has crashed
        search.then(
          () => this.#live(),
          () => this.#died(life),
        );
        answers.exact.slow++;
        return undefined;
      }
      this.#live();
      answers.answered++;
      return places.map((place) => itemAt(rows, place));
    } catch (error) {
      answers.exact.failed++;
      if (error instanceof ChildFailed) this.#lose(error, true);
      else this.#died(life);
      return undefined;
    }
  }

  passOver(reason: ExactReason): void {
    this.#answers.exact[reason]++;
  }

  close(): void {
    if (this.isReady) this.#answers.forget(this.#path);
    this.#isOver = true;
  }

  #obstacle(): ExactReason | undefined {
    if (this.#isOver) return "failed";
    if (!this.isReady) void this.#load();
    if (!this.isReady || this.#answers.loading > 0) return "loading";
    return this.#answers.searching >= MAX_SEARCHES ? "busy" : undefined;
  }

  async #load(): Promise<void> {
    if (this.#isLoading || this.#isOver) return;
    const answers = this.#answers;
    const before = answers.callsUnderWay;
    this.#isLoading = true;
    answers.loading++;
    const call = answers.call({ do: "load", path: this.#path, hash: this.#options.file }, readLoaded);
    const wasSent = answers.callsUnderWay > before;
    const life = answers.life;
    try {
      const { vectors, bytes } = await call;
      if (vectors !== this.#options.rows.length)
        throw new ChildFailed(`an index of ${vectors} vectors in place of ${this.#options.rows.length}`);
      this.#bytes = bytes;
      this.#life = life;
      if (this.#isOver) answers.forget(this.#path);
    } catch (error) {
      if (error instanceof ChildFailed) this.#lose(error, true);
      else if (wasSent) this.#died(life);
    } finally {
      this.#isLoading = false;
      answers.loading--;
    }
  }

  #live(): void {
    this.#deaths = 0;
  }

  /** Counts a crash once per process, however many calls it interrupted. */
  #died(life: number | undefined): void {
    if (life === undefined || life === this.#lastDeath) return;
    this.#lastDeath = life;
    if (++this.#deaths >= MAX_DEATHS)
      this.#lose(new Error(`the index process died ${MAX_DEATHS} times on the same request`), false);
  }

  #lose(error: Error, isDamaged: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answers.report("the neighbour index was given up", error);
    // a missing addon is not the file's fault
    if (!error.message.startsWith(NO_ADDON)) this.#options.onLost(isDamaged);
  }
}

/** Resolves with the result of `work`, or with undefined after the time limit of a search. */
function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => resolve(undefined), ANSWER_LIMIT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}
