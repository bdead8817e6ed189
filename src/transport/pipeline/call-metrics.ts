import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Wire } from "../call.ts";
import type { Admission } from "./waiting-calls.ts";

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts a call: operation, protocol, error code (or `OK`), seconds. */
export type Observe = (operation: string, wire: Wire, code: string, seconds: number) => void;

export function callMetrics(
  registry: Registry,
  admission: Admission,
  onCall?: (operation: string, isError: boolean, seconds: number) => void,
): Observe {
  const waiting = new Gauge({
    name: "ctxdb_calls_waiting",
    help: "Calls that wait for their turn on the main thread",
    registers: [registry],
    collect: setWaiting,
  });
  function setWaiting(): void {
    waiting.set(admission.waiting);
  }
  const calls = new Counter({
    name: "ctxdb_calls_total",
    help: "Calls by operation, wire and code",
    labelNames: ["operation", "wire", "code"] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: "ctxdb_call_seconds",
    help: "Duration of calls by operation",
    labelNames: ["operation"] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  const counters = new Map<string, Counter.Internal>();
  const histograms = new Map<string, Histogram.Internal<"operation">>();
  return (operation, wire, code, seconds) => {
    const key = `${operation} ${wire} ${code}`;
    const counter = counters.get(key) ?? calls.labels(operation, wire, code);
    counters.set(key, counter);
    counter.inc();
    const histogram = histograms.get(operation) ?? durations.labels(operation);
    histograms.set(operation, histogram);
    histogram.observe(seconds);
    onCall?.(operation, code !== "OK", seconds);
  };
}
