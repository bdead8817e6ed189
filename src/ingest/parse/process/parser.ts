import { availableParallelism } from "node:os";
import { systemClock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import {
  type CallOptions,
  ChildFailed,
  ChildGone,
  type ReadAnswer,
} from "../../../base/processes/child-process.ts";
import { type PoolRefusal, ProcessPool } from "../../../base/processes/process-pool.ts";
import { ServiceError, unavailable } from "../../../domain/errors.ts";
import type { WorkspaceId } from "../../../domain/ids.ts";
import { formatOf } from "../binary-formats.ts";
import { isBinary, isLight, orWithoutText, parse, parseBinaryFile, parsePlainly } from "../parse.ts";
import type { Parsed, ParseOptions } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import type { ChildCall, ParseCall, ShowCall } from "./parse-message.ts";
import { MAX_PARSE_ANSWER, readParsed, readPicture } from "./read-answer.ts";
import { RecentFaults } from "./recent-faults.ts";
import { RecentParses } from "./recent-parses.ts";

const MODULE = new URL(`./parse-child${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
/** Maximum number of processes: more are of no use to an import, and each may use its full memory. */
const MAX_PROCESSES = 4;
const MIB = 1024 * 1024;
/** Maximum waiting calls; an import makes only a few at a time. */
const MAX_WAITING = { perGroup: 500, total: 10_000 };
const RETRY_SECONDS = 10;
/** Maximum size of a file, as a share of the process's memory. */
const MAX_FILE_SHARE = 0.25;
/**
 * Limit in ms of processor time for text, code and data, which normally take far less. Documents have the
 * time limit of the settings.
 */
const TEXT_LIMIT_MS = 10_000;
/** Maximum bytes of a text that is read as plain text on the main thread after its parser failed. */
const MAX_PLAIN_BYTES = 1024 * 1024;
/** Maximum retries of a file whose process was killed from outside. */
const MAX_KILLS = 3;

export interface ParserOptions {
  readonly limitSeconds: number;
  /** Memory limit of a process in MB. */
  readonly memoryMb: number;
  readonly log: Log;
  readonly module?: URL;
}

/** Parses files: small text at once, everything else in processes that can be killed (decision 14). */
export class Parser {
  readonly pool: ProcessPool;
  readonly #log: Log;
  readonly #options: ParserOptions;
  readonly #recent = new RecentParses();
  /** Recently failed files by account and hash, so that jobs do not parse them again. */
  readonly #unreadable = new RecentFaults(systemClock);

  constructor(options: ParserOptions) {
    const { limitSeconds, memoryMb, log, module = MODULE } = options;
    this.#options = options;
    this.#log = log;
    this.pool = new ProcessPool({
      module,
      size: Math.min(MAX_PROCESSES, availableParallelism()),
      maxHeapMb: Math.floor(memoryMb / 2),
      maxResidentMb: memoryMb,
      maxAnswer: MAX_PARSE_ANSWER,
      limitMs: limitSeconds * 1000,
      maxWaiting: MAX_WAITING,
      refuse: refusal,
      report: (error) => log.warn({ err: error }, "a parsing process ended"),
    });
  }

  parse(name: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
    return orWithoutText(name, bytes, options.strict ?? false, this.#read(name, bytes, options));
  }

  async #read(name: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
    if (isLight(name, bytes)) return parse(name, bytes, options.base);
    if (isBinary(name, bytes)) return parseBinaryFile(name, bytes);
    const mostMb = Math.floor(this.#options.memoryMb * MAX_FILE_SHARE);
    if (bytes.length > mostMb * MIB)
      throw new Unreadable(`it is larger than ${mostMb} MB (a quarter of CTXDB_PARSE_MEMORY_MB)`);
    try {
      return await this.#inChild(name, bytes, options);
    } catch (error) {
      const isShort = bytes.length <= MAX_PLAIN_BYTES;
      const plain =
        error instanceof Unreadable && isShort ? parsePlainly(name, bytes, error.reason) : undefined;
      if (plain) return plain;
      throw error;
    }
  }

  /** Converts a picture for models. Throws Unreadable if it cannot be decoded. */
  async shown(workspace: WorkspaceId, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    return this.#call(workspace, { show: true } satisfies ShowCall, readPicture, bytes, { signal });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  async #inChild(name: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
    const { workspace, hash, base } = options;
    if (hash === undefined) return this.#ask(name, bytes, options);
    const key = JSON.stringify([workspace, hash, name, base]);
    const known = this.#recent.take(key);
    if (known) return known;
    const fault = this.#unreadable.reasonOf(key);
    if (fault !== undefined) throw new Unreadable(fault);
    try {
      const parsed = await this.#ask(name, bytes, options);
      this.#recent.keep(key, parsed);
      return parsed;
    } catch (error) {
      if (error instanceof Unreadable) this.#unreadable.keep(key, error.reason);
      throw error;
    }
  }

  async #ask(name: string, bytes: Uint8Array, { workspace, base, signal }: ParseOptions): Promise<Parsed> {
    const cpuLimitMs = formatOf(name, bytes) === undefined ? TEXT_LIMIT_MS : undefined;
    return this.#call(workspace, { name, base } satisfies ParseCall, readParsed, bytes, {
      signal,
      cpuLimitMs,
    });
  }

  async #call<T>(
    workspace: WorkspaceId,
    call: ChildCall,
    read: ReadAnswer<T | Unreadable>,
    bytes: Uint8Array,
    options: Pick<CallOptions, "signal" | "cpuLimitMs">,
  ): Promise<T> {
    try {
      const answer = await this.#asked(workspace, call, read, { bytes, ...options });
      if (answer instanceof Unreadable) throw answer;
      return answer;
    } catch (error) {
      // a server shutdown is not the file's fault
      if (error instanceof ChildGone && this.pool.isClosed)
        throw unavailable("the server is shutting down; try again later");
      if (error instanceof ChildGone) throw new Unreadable(this.#whyGone(), error);
      if (!(error instanceof ChildFailed)) throw error;
      this.#log.warn({ err: error }, "a parser failed");
      throw new Unreadable("its content cannot be parsed", error);
    }
  }

  /** Retries a call if its process ended for reasons unrelated to the file. */
  async #asked<T>(
    workspace: WorkspaceId,
    call: ChildCall,
    read: ReadAnswer<T>,
    options: CallOptions,
  ): Promise<T> {
    for (let kills = 0; ; kills++) {
      try {
        return await this.pool.call(workspace, call, read, options);
      } catch (error) {
        const isRetried = error instanceof ChildGone && error.isInnocent && !this.pool.isClosed;
        if (!isRetried || kills === MAX_KILLS) throw error;
      }
    }
  }

  #whyGone(): string {
    const { limitSeconds, memoryMb } = this.#options;
    return `parsing it needs more than ${memoryMb} MB of memory or ${limitSeconds} s (text: ${TEXT_LIMIT_MS / 1000} s of processor time), or it crashes the parser`;
  }
}

function refusal(why: PoolRefusal): ServiceError {
  if (why === "closed") return unavailable("the server is shutting down; try again later");
  if (why === "all")
    return unavailable(`${MAX_WAITING.total} files are waiting to be parsed; try again later`);
  const reason = `${MAX_WAITING.perGroup} files of the account are waiting to be parsed`;
  return new ServiceError("RESOURCE_EXHAUSTED", `parser: ${reason}; try again in ${RETRY_SECONDS} s`, {
    resource: "parser",
    reason,
    limit: MAX_WAITING.perGroup,
    retry_after: RETRY_SECONDS,
  });
}
