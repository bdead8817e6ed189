import { setMaxListeners } from "node:events";
import { collectDefaultMetrics, Registry as Metrics } from "prom-client";
import { authenticator } from "../accounts/authenticate.ts";
import { cursorKey } from "../accounts/cursor-key.ts";
import { Registry } from "../accounts/registry.ts";
import { systemClock } from "../base/clock.ts";
import { Closers } from "../base/closers.ts";
import { createIds } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { Lane } from "../base/serial-executor.ts";
import type { Config } from "../config/config.ts";
import { DEFAULT_FAISS_MIN_DOCS } from "../config/settings.ts";
import { sweepJob } from "../domain/job.ts";
import { UriCodec } from "../domain/uri.ts";
import { TextIndex } from "../enrich/text-index.ts";
import { IndexCache } from "../index/cache.ts";
import { openNeighbours } from "../index/open.ts";
import type { IndexStores } from "../index/owner-segments.ts";
import { JobQueue } from "../jobs/queue.ts";
import { Worker } from "../jobs/worker.ts";
import { type UncaughtKind, uncaughtCounter } from "../server/uncaught.ts";
import { Cursors } from "../service/cursors.ts";
import { sourcesOf } from "../service/resource/open-source.ts";
import { Retries } from "../service/retries.ts";
import { PatternWorkers } from "../service/search/pattern-workers.ts";
import { TaskFollower } from "../service/task-follower.ts";
import { Tenants } from "../service/tenants.ts";
import { openStorage } from "../storage/open.ts";
import { openTrace } from "../telemetry/open.ts";
import { openTransport } from "../transport/transport.ts";
import { Uploads } from "../workspace/requests/uploads.ts";
import { BLOB_GRACE_MS, type BlobFreed } from "../workspace/tree/contents.ts";
import { openEdge } from "./http-front.ts";
import { isOver, jobHandlers, resumeErasures, resumeFilling } from "./job-handlers.ts";
import { measure } from "./metrics.ts";
import { openModels } from "./models.ts";
import { operationsOf } from "./operations.ts";
import { readiness } from "./readiness.ts";
import { openReading } from "./reading.ts";

/** SIGTERM has to end within 5 s (answers, "The wires"): calls and jobs together, then the rest, stage by stage. */
const CLOSE_LIMITS = { eachMs: 1600, totalMs: 4400 };
const CALLS_GRACE_MS = 1500;
const JOBS_GRACE_MS = 1500;
/** Semantic jobs at once with a model that is asked over the network, for which they mostly wait: some are left for those who ask none. */
const ADVISED_JOBS = 8;

export interface App {
  readonly host: string;
  readonly port: number;
  /** Aborted where the server must stop because memory and disk may differ; its reason is the error that says so. */
  readonly broken: AbortSignal;
  /** The names of the parts that are not closed. */
  readonly open: readonly string[];
  readonly countUncaught: (kind: UncaughtKind) => void;
  /** Takes at most 5 s. What fails or hangs is logged and passed over; `open` then names what hung. */
  close(): Promise<void>;
}

/** Opens the rings bottom-up and wires them; closes them in reverse. */
export async function openApp(config: Config, log: Log, version: string): Promise<App> {
  const clock = systemClock;
  const closers = new Closers(CLOSE_LIMITS);
  const stop = new AbortController();
  const broken = new AbortController();
  // every task that is followed listens to it until it ends, and there may be many
  setMaxListeners(0, stop.signal);
  try {
    const trace = await openTrace(config.collector, { version, log, closers });
    const edge = openEdge(config, closers);
    const storage = await openStorage({ dataDir: config.dataDir, log, clock, trace, onBroken: (error) => broken.abort(error) });
    closers.add("storage", "storage", () => storage.close());
    const { kv, blobs } = storage;
    const report = (what: string, error: unknown) => log.error({ err: error }, `${what} failed`);
    const random = Math.random;
    const { ledger, embedding, adviser, reranker, ...senses } = openModels(config, { log, closers, kv, clock, random, report, trace });
    const keyless = config.rootApiKey === undefined;
    const uris = new UriCodec(config.uriScheme, config.uriSchemeAliases);
    const ids = createIds(clock);
    const registry = new Registry(kv, clock, keyless);
    const cursors = new Cursors(await cursorKey(kv), clock);
    const uploads = new Uploads({ kv, bytes: storage.spool, clock, lifeSeconds: config.uploadTtlSeconds });
    closers.add("uploads", "state", () => uploads.close());
    await uploads.resume();
    const held = (incarnation: number) => uploads.held(incarnation);
    const queue = await JobQueue.open(kv, clock, { maxBytes: config.maxQueuedBytes, held }, trace);
    const onBlobFreed: BlobFreed = (draft, incarnation) => queue.enqueue(draft, sweepJob(incarnation, clock() + BLOB_GRACE_MS));
    const lane = new Lane((error) => report("upkeep of the index", error));
    const { spaces, queryVectors } = embedding;
    const neighbours = openNeighbours(storage.index, log);
    if (neighbours) closers.add("vector index", "storage", () => neighbours.close());
    const indexStores: IndexStores = {
      files: storage.index,
      spaces,
      sealDocs: config.sealDocs,
      cache: new IndexCache(config.indexCacheBytes),
      lane,
      report,
      neighbours: neighbours && {
        indexes: neighbours,
        minDocs: config.faissMinDocs,
        isForced: config.faissMinDocs < DEFAULT_FAISS_MIN_DOCS,
        signal: stop.signal,
      },
    };
    const { maxStoredBytes, agentScope } = config;
    const tenants = new Tenants(registry, { kv, blobs, clock, uris, onBlobFreed, index: indexStores, maxStoredBytes }, agentScope);
    closers.add("tenants", "state", () => tenants.close());
    closers.add("upkeep", "work", () => lane.stop());
    const index = new TextIndex(embedding.instant);
    const chunk = index.ofText.bind(index);
    const { parse, describer, pool } = await openReading(config, { log, closers, models: senses, scratch: storage.spool, ids });
    const patterns = new PatternWorkers({ log });
    closers.add("pattern workers", "work", () => patterns.close());
    const follower = new TaskFollower({ kv, queue, tenants, log, stop: stop.signal });
    const sources = sourcesOf({ config, uploads, scratch: storage.scratch });
    const shared = { tenants, cursors, queue, follower, chunk, parse, ids, sources, uploads, clock, registry, index, adviser, reranker };
    const handlers = jobHandlers({ ...shared, describer, kv, blobs, indexFiles: storage.index, embedding: embedding.jobs });
    const concurrency = adviser || senses.vision || senses.speech ? { semantic: ADVISED_JOBS } : {};
    const worker = new Worker({ queue, handlers, clock, log, random, trace, concurrency });
    closers.add("jobs", "intake", () => worker.stop(JOBS_GRACE_MS));
    const metrics = new Metrics();
    collectDefaultMetrics({ register: metrics });
    measure(metrics, { queue, index, tenants, embedding, ledger, neighbours, parsers: pool });
    const startedAt = clock();
    const ready = () => readiness({ kv, embedder: embedding.instant, worker });
    const transport = await openTransport({
      host: config.host,
      port: config.port,
      version,
      uriScheme: config.uriScheme,
      log,
      authenticate: authenticator(kv, config.rootApiKey),
      keyless,
      ...(config.corsOrigins && { corsOrigins: config.corsOrigins }),
      ...(config.allowedHosts && { allowedHosts: config.allowedHosts }),
      limits: { maxBodyBytes: config.maxBodyBytes, maxUploadBytes: config.maxUploadBytes },
      operations: operationsOf({ ...shared, config, version, startedAt, ledger, queryVectors, ready, neighbours, trace, patterns }),
      idempotency: new Retries(tenants, queue),
      ready,
      registry: metrics,
      trace,
      ...edge,
    });
    closers.add("transport", "intake", () => transport.close(CALLS_GRACE_MS));
    registry.onLost((lost) => {
      transport.recheck(lost);
      worker.end((job) => isOver(job, lost));
    });
    closers.add("waits", "intake", () => stop.abort());
    await resumeErasures({ kv, registry, queue });
    worker.start();
    await follower.resume();
    if (spaces[0] !== undefined)
      void resumeFilling({ kv, registry, queue }, spaces[0]).catch((error) => report("looking for chunks without vectors", error));
    // behind the ready line, so that the first search or write does not wait for the embedding table
    setImmediate(ready);
    const { host, port } = transport;
    const close = () => closeAll(closers, log);
    return {
      host,
      port,
      broken: broken.signal,
      countUncaught: uncaughtCounter(metrics),
      close,
      get open() {
        return closers.open;
      },
    };
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (const error of await closers.close()) log.error({ err: error }, "not closed cleanly");
}
