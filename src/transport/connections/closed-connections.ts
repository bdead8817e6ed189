import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { CutReason } from "./connections.ts";

/** Interval in ms between summary lines about closed connections. */
const SUMMARY_MS = 10_000;
const REASONS: readonly CutReason[] = ["silent", "stalled", "dead", "room", "resets", "bytes"];

/** Counts connections closed by the server; summarises them in one log line per interval. */
export function cutCounter(registry: Registry, log: Logger): (reason: CutReason) => void {
  const counter = new Counter({
    name: "ctxdb_connections_cut_total",
    help: "Connections that the server has cut, by reason",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const reason of REASONS) counter.inc({ reason }, 0);
  let untold: Partial<Record<CutReason, number>> = {};
  let isPlanned = false;
  const tell = () => {
    isPlanned = false;
    log.warn({ reasons: untold }, "connections were cut");
    untold = {};
  };
  return (reason) => {
    counter.inc({ reason });
    // idle clients are normal
    if (reason === "silent") return;
    untold[reason] = (untold[reason] ?? 0) + 1;
    if (!isPlanned) setTimeout(tell, SUMMARY_MS).unref();
    isPlanned = true;
  };
}
