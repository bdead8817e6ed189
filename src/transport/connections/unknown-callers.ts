import type { Logger } from "pino";
import type { AuditLog } from "../pipeline/audit-log.ts";
import { TokenBuckets } from "../pipeline/token-buckets.ts";

/** Log lines about unknown callers: burst, and refill per second. */
const LINES = { capacity: 100, perSecond: 5 };
/** Interval in ms between summaries of suppressed lines. */
const SUMMARY_MS = 10_000;

export interface UnknownCallersOptions {
  readonly log: Logger;
  readonly auditLog?: AuditLog | undefined;
  /** Monotonic time in ms. */
  readonly now?: () => number;
}

/**
 * Limits the log lines of requests without a valid key, so that strangers can neither fill a disk nor keep
 * the server busy. Suppressed lines are counted, and summarised by code in one line.
 */
export class UnknownCallers {
  readonly #log: Logger;
  readonly #auditLog: AuditLog | undefined;
  readonly #lines: TokenBuckets;
  /** Calls without a log line since the last summary, by code. */
  #unlogged = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ log, auditLog, now }: UnknownCallersOptions) {
    this.#log = log;
    this.#auditLog = auditLog;
    this.#lines = new TokenBuckets({ ...LINES, maxKeys: 1, now });
  }

  /** Whether a call that ended with `code` gets its own log line. */
  admit(code: string): boolean {
    if (this.#lines.take("") === 0) return true;
    this.#unlogged.set(code, (this.#unlogged.get(code) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.summarize(), SUMMARY_MS).unref();
    return false;
  }

  /** Logs how many lines were suppressed since the last summary. */
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
