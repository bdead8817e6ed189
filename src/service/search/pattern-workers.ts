import { append } from "../../base/append.ts";
import type { Log } from "../../base/log.ts";
import { type AnswerLimits, ChildGone, type ReadAnswer } from "../../base/processes/child-process.ts";
import { type PoolRefusal, ProcessPool } from "../../base/processes/process-pool.ts";
import { invalidArgument, ServiceError, unavailable } from "../../domain/errors.ts";
import type { FilterSubject } from "../../domain/filter.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { LinePlace, LineStart } from "../../domain/patterns/regular-expression.ts";
import { filterAnswer, linesAnswer } from "./pattern-answers.ts";
import { PatternBudget } from "./pattern-budget.ts";
import type { LinesCall, PatternCallMessage, RefusedAnswer } from "./pattern-message.ts";

const MODULE = new URL(`./pattern-child${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
/** Number of worker processes. An account can use only one, so that another account always has one. */
const PROCESSES = 2;
const MAX_HEAP_MB = 256;
const MAX_RESIDENT_MB = 512;
/** Maximum number of waiting calls, which hold their text in memory. */
const MAX_WAITING = { perGroup: 32, total: 256 };
const RETRY_SECONDS = 5;
/** Maximum processor time in ms of a call and of a line. */
const MAX_CALL_MS = 10_000;
/** Maximum number of matches per time slice; more than a response contains. */
const MAX_PLACES = 20_000;
/** Maximum answer: matches with three numbers each, or an error or the filter results of a call as JSON. */
const MAX_ANSWER: AnswerLimits = { valueBytes: 128 * 1024, bytes: 3 * 4 * MAX_PLACES };
/** Maximum retries of a call whose process was killed from outside. */
const MAX_KILLS = 3;
/** Time budget in ms of a pattern on the main thread: a constant, plus the usual time per character. */
const SHARE_MS = 100;
const SHARE_OF_CHARACTER_MS = 60e-6;

interface WorkerOptions {
  readonly log: Log;
  readonly module?: URL;
  readonly limitMs?: number;
  readonly budget?: PatternBudget;
}

/**
 * Processes for patterns that would block the main thread. They can be killed, serve accounts round robin,
 * and have time limits.
 */
export class PatternWorkers {
  readonly pool: ProcessPool;
  readonly #limitMs: number;
  readonly #budget: PatternBudget;

  constructor({ log, module = MODULE, limitMs = MAX_CALL_MS, budget = new PatternBudget() }: WorkerOptions) {
    this.#budget = budget;
    this.#limitMs = limitMs;
    this.pool = new ProcessPool({
      module,
      size: PROCESSES,
      maxHeapMb: MAX_HEAP_MB,
      maxResidentMb: MAX_RESIDENT_MB,
      maxAnswer: MAX_ANSWER,
      limitMs,
      maxWaiting: MAX_WAITING,
      refuse: refusal,
      report: (error) => log.warn({ err: error }, "a pattern process ended"),
    });
  }

  /** Begins work for one request. `field`: the request field that errors name. */
  begin(workspace: WorkspaceId, signal: AbortSignal, field: "pattern" | "filter"): PatternTask {
    return new PatternTask({
      pool: this.pool,
      budget: this.#budget,
      limitMs: this.#limitMs,
      workspace,
      signal,
      field,
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

interface TaskOptions {
  readonly pool: ProcessPool;
  readonly budget: PatternBudget;
  readonly limitMs: number;
  readonly workspace: WorkspaceId;
  readonly signal: AbortSignal;
  readonly field: "pattern" | "filter";
}

/**
 * Work with one pattern or filter for one request. Throws INVALID_ARGUMENT naming a pattern that takes too
 * long, RESOURCE_EXHAUSTED {retry_after} if the account has used up its time or has too many waiting calls.
 */
export class PatternTask {
  readonly #options: TaskOptions;
  #workerMs = 0;
  #hereMs = 0;
  #characters = 0;

  constructor(options: TaskOptions) {
    this.#options = options;
  }

  /** Counts work on the main thread. */
  tookHere(ms: number, characters: number): void {
    this.#hereMs += ms;
    this.#characters += characters;
  }

  /** Whether the main thread's time budget is used up, so that a worker must do the rest. */
  get isSlow(): boolean {
    return this.#hereMs > SHARE_MS + this.#characters * SHARE_OF_CHARACTER_MS;
  }

  /** The matching lines of a text from `from` on. */
  async *lines(
    wanted: Pick<LinesCall, "pattern" | "caseInsensitive">,
    text: string,
    from: LineStart,
  ): AsyncGenerator<LinePlace> {
    const { pattern, caseInsensitive } = wanted;
    let start: LineStart | undefined = from;
    while (start) {
      const { offset, line: firstLine }: LineStart = start;
      const call: LinesCall = { kind: "lines", pattern, caseInsensitive, firstLine, most: MAX_PLACES };
      const rest = text.slice(offset);
      const { places, next } = await this.#ask(
        call,
        linesAnswer(call, rest.length),
        Buffer.from(rest, "utf16le"),
      );
      for (let i = 0; i < places.length; i += 3) {
        const [line = 0, begin = 0, end = 0] = places.subarray(i, i + 3);
        yield { line, offset: offset + begin, end: offset + end };
      }
      start = next && { line: next.line, offset: offset + next.offset };
    }
  }

  /** Evaluates a filter on subjects; without subjects, only validates it. */
  async passes(written: string, subjects: readonly Partial<FilterSubject>[]): Promise<boolean[]> {
    const passed: boolean[] = [];
    do {
      const rest = subjects.slice(passed.length);
      const { passes } = await this.#ask(
        { kind: "filter", written, subjects: rest },
        filterAnswer(rest.length),
      );
      append(passed, passes);
    } while (passed.length < subjects.length);
    return passed;
  }

  async #ask<T extends { readonly cpuMs: number }>(
    call: PatternCallMessage,
    read: ReadAnswer<T | RefusedAnswer>,
    bytes?: Uint8Array,
  ): Promise<T> {
    const { budget, workspace, limitMs } = this.#options;
    if (this.#workerMs > limitMs) throw this.#tooSlow();
    budget.check(workspace);
    const answer = await this.#asked(call, read, bytes);
    this.#spend(answer.cpuMs);
    if (!("refused" in answer)) return answer;
    const { code, message, details } = answer.refused;
    throw new ServiceError(code, message, details);
  }

  /** Retries if the process ended for reasons unrelated to the pattern. */
  async #asked<T>(call: PatternCallMessage, read: ReadAnswer<T>, bytes: Uint8Array | undefined): Promise<T> {
    const { pool, workspace, signal, limitMs } = this.#options;
    for (let kills = 0; ; kills++) {
      try {
        return await pool.call(workspace, call, read, { signal, ...(bytes && { bytes }) });
      } catch (error) {
        if (!(error instanceof ChildGone)) throw error;
        if (pool.isClosed) throw refusal("closed");
        if (error.isInnocent && kills < MAX_KILLS) continue;
        this.#spend(limitMs);
        throw this.#tooSlow();
      }
    }
  }

  #spend(ms: number): void {
    this.#workerMs += ms;
    this.#options.budget.spend(this.#options.workspace, ms);
  }

  #tooSlow(): ServiceError {
    const { field, limitMs } = this.#options;
    const what =
      field === "pattern" ? "a simpler pattern, or a narrower uri" : "a simpler filter, or narrower targets";
    return invalidArgument(
      field,
      `takes more than ${limitMs / 1000} s of CPU time or ${MAX_RESIDENT_MB} MB of memory: use ${what}`,
    );
  }
}

function refusal(why: PoolRefusal): ServiceError {
  if (why === "closed") return unavailable("the server is shutting down; try again later");
  if (why === "all")
    return unavailable(`${MAX_WAITING.total} searches with patterns are waiting; try again later`);
  const reason = `${MAX_WAITING.perGroup} searches of the account with slow patterns are waiting`;
  return new ServiceError("RESOURCE_EXHAUSTED", `patterns: ${reason}; try again in ${RETRY_SECONDS} s`, {
    resource: "patterns",
    reason,
    limit: MAX_WAITING.perGroup,
    retry_after: RETRY_SECONDS,
  });
}
