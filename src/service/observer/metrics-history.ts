import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from "node:perf_hooks";
import type { TokenLedger } from "../../accounts/token-ledger.ts";
import type { Clock } from "../../base/clock.ts";
import { isObject } from "../../base/expect.ts";
import { QUEUES } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Kv } from "../../storage/kv.ts";
import { encodeRecord, isNumber, RecordKind } from "../../storage/record-codec.ts";
import type { Tenants } from "../tenants.ts";
import { type MetricSample, merged, type OperationMetrics } from "./metric-sample.ts";

const SAMPLE_MS = 10_000;
const SAMPLES_A_MINUTE = 6;
/** Number of samples kept: an hour of 10 s samples, a day of minute samples. */
const MAX_FINE = 360;
const MAX_COARSE = 1440;
/** Number of minute samples written together. */
const WRITE_EVERY = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of stored records: the current hour and the previous 24. */
const SLOTS = 25;
/** Maximum number of operations and models per sample; the least used are dropped. */
const MAX_OPERATIONS = 32;
const MAX_MODELS = 16;
/** Interval in ms at which event loop delay is measured. */
const PROBE_MS = 20;
/** Range of the latency histogram in µs, up to an hour. Two digits mean 1 % error and 20 kB of memory. */
const LATENCY = { lowest: 1, highest: 3_600_000_000, figures: 2 };

interface Deps {
  readonly kv: Kv;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, "drain">;
  readonly ledger: Pick<TokenLedger, "models">;
  readonly tenants: Pick<Tenants, "countStored">;
  /** Whether this server may write server records; if not, samples are kept in memory only. */
  readonly mayWrite?: () => boolean;
  /** Called with errors from background work. */
  readonly report: (what: string, error: unknown) => void;
}

/** Calls of one operation in the current interval and the current minute. */
interface Calls {
  requests: number;
  errors: number;
  readonly fine: RecordableHistogram;
  readonly minute: RecordableHistogram;
}

const slotKey = (at: number): string => `s/metrics/${Math.floor(at / HOUR_MS) % SLOTS}`;

const SAMPLES = new RecordKind<MetricSample[]>(
  "samples of an hour",
  (value) => Array.isArray(value) && value.every((sample) => isObject(sample) && isNumber(sample.at)),
);

/** Measurements of the server over time, in ring buffers. Minute samples survive restarts. */
export class MetricsHistory {
  readonly #deps: Deps;
  readonly #calls = new Map<string, Calls>();
  readonly #loop = monitorEventLoopDelay({ resolution: PROBE_MS });
  readonly #fine: MetricSample[] = [];
  readonly #coarse: MetricSample[];
  #minute: MetricSample[] = [];
  #tokens: ReadonlyMap<string, { readonly prompt: number; readonly completion: number }>;
  #measuredAt: number;
  /** Stored bytes at the last count. */
  #storedBytes: number | undefined;
  /** Minute samples that are not written yet. */
  #unwritten: MetricSample[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(deps: Deps, stored: MetricSample[]) {
    this.#deps = deps;
    this.#coarse = stored;
    this.#measuredAt = Math.max(deps.clock(), stored.at(-1)?.at ?? 0);
    this.#tokens = this.#tokensNow();
    this.#loop.enable();
  }

  /** Loads the stored samples and measures until `close`. */
  static async open(deps: Deps): Promise<MetricsHistory> {
    const now = deps.clock();
    const stored = Array.from({ length: SLOTS }, (_, hour) => slotKey(hour * HOUR_MS))
      .flatMap((key) => SAMPLES.read(deps.kv, key) ?? [])
      .filter(({ at }) => at <= now && at > now - DAY_MS)
      .sort((a, b) => a.at - b.at)
      .slice(-MAX_COARSE);
    const history = new MetricsHistory(deps, stored);
    history.#timer = setInterval(() => {
      history.sample().catch((error: unknown) => deps.report("writing measurements", error));
    }, SAMPLE_MS).unref();
    return history;
  }

  /** Counts a call that has ended. */
  count(operation: string, isError: boolean, seconds: number): void {
    const calls = this.#calls.get(operation) ?? {
      requests: 0,
      errors: 0,
      fine: createHistogram(LATENCY),
      minute: createHistogram(LATENCY),
    };
    this.#calls.set(operation, calls);
    calls.requests++;
    if (isError) calls.errors++;
    calls.fine.record(Math.min(LATENCY.highest, Math.max(LATENCY.lowest, Math.round(seconds * 1e6))));
  }

  /** Ends an interval; called every 10 s. */
  async sample(): Promise<void> {
    if (this.#minute.length === 0) this.#storedBytes = await this.#deps.tenants.countStored();
    const sample = this.#measure();
    push(this.#fine, sample, MAX_FINE);
    this.#minute.push(sample);
    if (this.#minute.length < SAMPLES_A_MINUTE) return;
    const minute = merged(this.#minute, (operation) => {
      const histogram = this.#calls.get(operation)?.minute;
      return histogram ? latencies(histogram) : { p50Ms: 0, p99Ms: 0 };
    });
    const operations = busiest(minute.operations);
    this.#minute = [];
    for (const calls of this.#calls.values()) calls.minute.reset();
    const kept = { ...minute, operations, models: minute.models.slice(0, MAX_MODELS) };
    push(this.#coarse, kept, MAX_COARSE);
    this.#unwritten.push(kept);
    if (this.#unwritten.length >= WRITE_EVERY) await this.#write();
  }

  /** Oldest first. */
  samples(resolution: "10s" | "1m"): readonly MetricSample[] {
    return resolution === "10s" ? this.#fine : this.#coarse;
  }

  /** Stops measuring and writes pending samples. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#loop.disable();
    await this.#write();
  }

  #measure(): MetricSample {
    const { clock, queue } = this.#deps;
    const before = this.#measuredAt;
    // a clock that is set back must not change the order of samples
    const at = Math.max(clock(), before + 1);
    this.#measuredAt = at;
    const delay = this.#loop.count > 0 ? this.#loop.percentile(99) / 1e6 - PROBE_MS : 0;
    this.#loop.reset();
    return {
      at,
      seconds: (at - before) / 1000,
      operations: this.#endCalls(),
      queues: QUEUES.map((name) => {
        const { pending, inProgress } = queue.drain.total(name);
        return { queue: name, pending, inProgress };
      }),
      memoryBytes: process.memoryUsage.rss(),
      loopDelayMs: rounded(Math.max(0, delay)),
      models: this.#endTokens(),
      ...(this.#storedBytes !== undefined && { storedBytes: this.#storedBytes }),
    };
  }

  #endCalls(): OperationMetrics[] {
    const ended: OperationMetrics[] = [];
    for (const [operation, calls] of this.#calls) {
      if (calls.requests === 0) continue;
      const { requests, errors } = calls;
      ended.push({ operation, requests, errors, ...latencies(calls.fine) });
      calls.minute.add(calls.fine);
      calls.fine.reset();
      calls.requests = 0;
      calls.errors = 0;
    }
    return busiest(ended);
  }

  #endTokens() {
    const before = this.#tokens;
    this.#tokens = this.#tokensNow();
    return this.#deps.ledger
      .models("server")
      .map(({ provider, model, prompt, completion }) => {
        const known = before.get(`${provider} ${model}`);
        return {
          provider,
          model,
          prompt: prompt - (known?.prompt ?? 0),
          completion: completion - (known?.completion ?? 0),
        };
      })
      .filter(({ prompt, completion }) => prompt + completion > 0)
      .slice(0, MAX_MODELS);
  }

  #tokensNow() {
    return new Map(this.#deps.ledger.models("server").map((of) => [`${of.provider} ${of.model}`, of]));
  }

  /** Rewrites the records of hours with new samples; a new hour replaces the record of 25 hours before. */
  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    if (unwritten.length === 0) return;
    this.#unwritten = [];
    if (this.#deps.mayWrite?.() === false) return;
    const hours = new Set(unwritten.map(({ at }) => Math.floor(at / HOUR_MS)));
    const ops = [...hours].map((hour) => ({
      key: slotKey(hour * HOUR_MS),
      value: encodeRecord(this.#coarse.filter(({ at }) => Math.floor(at / HOUR_MS) === hour)),
    }));
    await this.#deps.kv.transact(() => ({ ops, apply: () => undefined }), { sync: false });
  }
}

function push(ring: MetricSample[], sample: MetricSample, max: number): void {
  ring.push(sample);
  if (ring.length > max) ring.shift();
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

const latencies = (histogram: RecordableHistogram): Pick<OperationMetrics, "p50Ms" | "p99Ms"> => ({
  p50Ms: rounded(histogram.percentile(50) / 1000),
  p99Ms: rounded(histogram.percentile(99) / 1000),
});

const busiest = (operations: readonly OperationMetrics[]): OperationMetrics[] =>
  operations.toSorted((a, b) => b.requests - a.requests).slice(0, MAX_OPERATIONS);
