import type { WriteStream } from "node:tty";
import { type Logger, levels, pino, stdTimeFunctions, symbols } from "pino";
import { logText } from "./log-text.ts";
import { printable } from "./printable.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: text on a terminal, JSON elsewhere. */
export const LOG_FORMATS = ["auto", "json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Whether log lines on this descriptor are formatted as text. */
export const isLogText = (format: LogFormat, descriptor = 1): boolean =>
  format === "text" || (format === "auto" && terminalAt(descriptor) !== undefined);

function terminalAt(descriptor: number): WriteStream | undefined {
  const stream = descriptor === 1 ? process.stdout : descriptor === 2 ? process.stderr : undefined;
  return stream?.isTTY ? stream : undefined;
}

export type Log = Logger;

const SECRETS = [
  "key",
  "apiKey",
  "rootApiKey",
  "api_key",
  "user_key",
  "authorization",
  'headers["x-api-key"]',
];

/**
 * Delay in ms before lines of level info and below are written together: one write per line slows a busy
 * server.
 */
const GATHERED_MS = 10;
const MAX_GATHERED = 64 * 1024;
const INFO_LEVEL = levels.values.info ?? 0;

interface LogOptions {
  readonly descriptor?: number;
  readonly format?: LogFormat;
}

/**
 * Logs to stdout or the given file descriptor, in the background. Warnings and errors are written at once,
 * after all earlier lines; other lines within GATHERED_MS. `close` resolves once everything is written. Keys
 * are redacted.
 */
export function openLog(
  level: LogLevel,
  { descriptor = 1, format = "json" }: LogOptions = {},
): { readonly log: Log; readonly close: () => Promise<void> } {
  const destination = pino.destination({ dest: descriptor, sync: false });
  const redact = { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], censor: "[redacted]" };
  const colorize = terminalAt(descriptor)?.hasColors() ?? false;
  const { stream, end } = gathering(
    destination,
    isLogText(format, descriptor) ? logText(colorize) : (lines) => lines,
  );
  const log = pino({ level, base: undefined, timestamp: stdTimeFunctions.isoTime, redact }, stream);
  // the server must survive a reader that closes the pipe
  destination.on("error", () => undefined);
  const close = () =>
    new Promise<void>((resolve) => {
      destination.once("close", resolve);
      destination.once("error", () => resolve());
      end();
    });
  return { log, close };
}

function gathering(destination: ReturnType<typeof pino.destination>, render: (lines: string) => string) {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const pass = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!isEnded && lines !== "") destination.write(render(lines));
    lines = "";
  };
  const stream = {
    // pino sets the level before it writes the line
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      lines += line;
      if (this.lastLevel > INFO_LEVEL || lines.length > MAX_GATHERED) pass();
      else timer ??= setTimeout(pass, GATHERED_MS);
    },
  };
  const end = () => {
    pass();
    isEnded = true;
    destination.end();
  };
  return { stream, end };
}

/**
 * Writes a line to stderr with the reason why the server cannot start. Synchronous, because the process exits
 * next.
 */
export function sayFatal(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`ctxdb: ${printable(message.replace(/\s*\n\s*/g, " "))}\n`);
}
