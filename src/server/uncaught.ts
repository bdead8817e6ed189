import { Counter, type Registry } from "prom-client";
import { codeOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";

/** Scope of an uncaught error: one connection, one promise, or the whole process. */
export type UncaughtKind = "connection" | "promise" | "fatal";

/** Error codes that affect only one connection or stream. */
const OF_CONNECTIONS =
  /^(?:ERR_HTTP2?_|ERR_STREAM_|ERR_TLS_|ERR_SSL_|ERR_SOCKET_|HPE_|EPIPE$|ECONNRESET$|ECONNABORTED$|ETIMEDOUT$|EPROTO$)/;

/** Stack frames of the transport layer, and of code that keeps tables in memory. */
const OWN_TRANSPORT = /[\\/]src[\\/]transport[\\/]/;
const HOLDS_STATE =
  /[\\/]src[\\/](?:storage|index|workspace|accounts|jobs|service|retrieve|enrich|ingest|memory)[\\/]/;

/**
 * Stack frames of Node's own IPC and HTTP client code, which may fail on malformed input before our code
 * runs.
 */
const OF_NODE = /^\s+at .{1,200} \(node:internal\/(?:child_process|deps\/undici)\b/m;
const OWN = /[\\/]src[\\/]/;

export function uncaughtCounter(registry: Registry): (kind: UncaughtKind) => void {
  const counter = new Counter({
    name: "ctxdb_uncaught_errors_total",
    help: "Errors that nothing caught: of a connection or a promise the server goes on, after others it stops",
    labelNames: ["kind"],
    registers: [registry],
  });
  for (const kind of ["connection", "promise", "fatal"]) counter.inc({ kind }, 0);
  return (kind) => counter.inc({ kind });
}

interface Deps {
  readonly log: Log;
  readonly count: (kind: UncaughtKind) => void;
  /** Stops the process gracefully. */
  readonly stop: () => void;
}

/** Classifies an uncaught error; `origin` comes from Node. */
export function uncaughtKind(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): UncaughtKind {
  if (OF_CONNECTIONS.test(codeOf(error))) return "connection";
  if (origin === "unhandledRejection") return "promise";
  const stack = typeof error === "object" && error !== null && "stack" in error ? String(error.stack) : "";
  if (OF_NODE.test(stack) && !OWN.test(stack)) return "connection";
  return OWN_TRANSPORT.test(stack) && !HOLDS_STATE.test(stack) ? "connection" : "fatal";
}

/**
 * The last error handler. A connection error ends only that connection; an error in the channel to a child
 * process ends only the calls of that process. An unhandled rejection leaves no partial writes, because every
 * change is one transaction. Any other error may have left tables in memory inconsistent: the server stops
 * gracefully, and its supervisor restarts it.
 */
export function guardProcess({ log, count, stop }: Deps): void {
  process.on("uncaughtException", (error, origin) => {
    const kind = uncaughtKind(error, origin);
    count(kind);
    if (kind !== "fatal")
      return log.error({ err: error, kind }, "an error that nothing caught; the server goes on");
    log.fatal({ err: error }, "an error that nothing caught; the server stops");
    stop();
  });
}
