import type { Logger } from "pino";
import type { AuditLog } from "../audit-log.ts";
import { TokenBuckets } from "../token-buckets.ts";

/** Log lines about unknown callers: burst, and rate per second. */
const LINES = { capacity: 100, perSecond: 5 };
/** After that time what was left out is told in one line. */
const SUMMARY_MS = 10_000;

export interface UnknownCallersOptions {
  readonly log: Logger;
  readonly auditLog?: AuditLog | undefined;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
}

/**
 * Bounds the log lines that requests without a valid key cause: nobody without a key can fill a disk or keep
 * the server busy with writing. What is left out is counted, and told by code in one line.
 */
export class UnknownCallers {
  readonly #log: Logger;
  readonly #auditLog: AuditLog | undefined;
  readonly #lines: TokenBuckets;
  /** Calls that have no line of their own since the last summary, by code. */
  #unlogged = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ log, auditLog, now }: UnknownCallersOptions) {
    this.#log = log;
    this.#auditLog = auditLog;
    this.#lines = new TokenBuckets({ ...LINES, maxKeys: 1, now });
  }

  /** Whether a call that ended with `code` is logged by itself. */
  admit(code: string): boolean {
    if (this.#lines.take("") === 0) return true;
    this.#unlogged.set(code, (this.#unlogged.get(code) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.summarize(), SUMMARY_MS).unref();
    return false;
  }

  /** Logs how many were left out since the last summary. */
  summarize(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unlogged = this.#unlogged;
    this.#unlogged = new Map();
    if (unlogged.size === 0) return;
    this.#log.warn(
      { codes: Object.fromEntries(unlogged) },
      "calls without a valid key that have no line of their own",
    );
    for (const [code, calls] of unlogged) this.#auditLog?.summarize(code, calls);
  }
}
