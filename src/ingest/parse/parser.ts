import { availableParallelism } from "node:os";
import { ChildFailed, ChildGone } from "../../base/child-process.ts";
import type { Log } from "../../base/log.ts";
import { isLight, orWithoutText, parse } from "./parse.ts";
import { type ChildCall, type ParseAnswer, type ParseCall, type ShowAnswer, type ShowCall, unpack } from "./parse-message.ts";
import { ParsePool } from "./parse-pool.ts";
import type { Parsed, ParseOptions } from "./parsed.ts";
import { RecentParses } from "./recent-parses.ts";
import { Unreadable } from "./unreadable.ts";

const MODULE = new URL(`./parse-child${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
/** More of them are of no use to one import, and each may take its memory. */
const MAX_PROCESSES = 4;

export interface ParserOptions {
  readonly limitSeconds: number;
  /** Megabytes of one process. */
  readonly memoryMb: number;
  readonly log: Log;
}

/** Reads files: small text at once, everything else in processes that can be killed (decision 14). */
export class Parser {
  readonly pool: ParsePool;
  readonly #log: Log;
  readonly #options: ParserOptions;
  readonly #recent = new RecentParses();

  constructor(options: ParserOptions) {
    const { limitSeconds, memoryMb, log } = options;
    this.#options = options;
    this.#log = log;
    this.pool = new ParsePool({
      module: MODULE,
      size: Math.min(MAX_PROCESSES, availableParallelism()),
      maxHeapMb: memoryMb / 2,
      maxResidentMb: memoryMb,
      limitMs: limitSeconds * 1000,
      report: (error) => log.warn({ err: error }, "a parsing process ended"),
    });
  }

  parse(name: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
    const reading = isLight(name, bytes) ? parse(name, bytes, options.base) : this.#inChild(name, bytes, options);
    return orWithoutText(name, bytes, options.strict ?? false, reading);
  }

  /** A picture as models take it. Throws Unreadable where it cannot be decoded. */
  async shown(account: number, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await this.#call<ShowAnswer>(account, { show: true } satisfies ShowCall, bytes, signal);
    if ("unreadable" in answer) throw new Unreadable(answer.unreadable);
    return answer.shown;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  async #inChild(name: string, bytes: Uint8Array, options: ParseOptions): Promise<Parsed> {
    const { account, hash, base } = options;
    if (hash === undefined) return this.#ask(name, bytes, options);
    const key = JSON.stringify([account, hash, name, base]);
    const known = this.#recent.take(key);
    if (known) return known;
    const parsed = await this.#ask(name, bytes, options);
    this.#recent.keep(key, parsed);
    return parsed;
  }

  async #ask(name: string, bytes: Uint8Array, { account, base, signal }: ParseOptions): Promise<Parsed> {
    const answer = await this.#call<ParseAnswer>(account, { name, base } satisfies ParseCall, bytes, signal);
    if ("unreadable" in answer) throw new Unreadable(answer.unreadable);
    return unpack(answer);
  }

  async #call<T>(account: number, call: ChildCall, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<T> {
    try {
      return (await this.pool.call(account, call, { bytes, signal })) as T;
    } catch (error) {
      if (error instanceof ChildGone) throw new Unreadable(this.#whyGone(), error);
      if (!(error instanceof ChildFailed)) throw error;
      this.#log.warn({ err: error }, "a parser failed");
      throw new Unreadable("its parser failed over it", error);
    }
  }

  #whyGone(): string {
    const { limitSeconds, memoryMb } = this.#options;
    return `reading it takes more than ${memoryMb} MB of memory or ${limitSeconds} s, or breaks its parser`;
  }
}
