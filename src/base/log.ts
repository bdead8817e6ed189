import { type Logger, pino, stdTimeFunctions } from "pino";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = Logger;

const SECRETS = ["key", "apiKey", "rootApiKey", "api_key", "user_key", "authorization", 'headers["x-api-key"]'];

/** JSON lines on stdout (or the file descriptor given), written in the background; `close` resolves once all lines are out. Keys are never written. */
export function openLog(level: LogLevel, descriptor = 1): { readonly log: Log; readonly close: () => Promise<void> } {
  const destination = pino.destination({ dest: descriptor, sync: false });
  const redact = { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], censor: "[redacted]" };
  const log = pino({ level, base: undefined, timestamp: stdTimeFunctions.isoTime, redact }, destination);
  // a reader of the pipe that has gone must not end the server
  destination.on("error", () => undefined);
  const close = () =>
    new Promise<void>((resolve) => {
      destination.once("close", resolve);
      destination.once("error", () => resolve());
      destination.end();
    });
  return { log, close };
}

/** One line on stderr for what keeps the server from starting; written at once, since the process ends after it. */
export function sayFatal(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`ctxdb: ${message.replace(/\s*\n\s*/g, " ")}\n`);
}
