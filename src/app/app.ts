import { setMaxListeners } from "node:events";
import { collectDefaultMetrics, Registry as Metrics } from "prom-client";
import { authenticator } from "../accounts/authenticate.ts";
import { cursorKey } from "../accounts/cursor-key.ts";
import { retentionMs } from "../accounts/quotas.ts";
import { RequestCounts } from "../accounts/request-counts.ts";
import { Budget } from "../base/budget.ts";
import { systemClock } from "../base/clock.ts";
import { Closers } from "../base/closers.ts";
import { createIds } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { DEFAULT_FAISS_MIN_DOCS } from "../config/settings.ts";
import { overBudget } from "../domain/errors.ts";
import { TextIndex } from "../enrich/text-index.ts";
import { openNeighbours } from "../index/open.ts";
import { sourcesOf } from "../ingest/open-source.ts";
import { Worker } from "../jobs/worker.ts";
import { type UncaughtKind, uncaughtCounter } from "../server/uncaught.ts";
import { Backups } from "../service/backup/backups.ts";
import { ChangeStreams } from "../service/change/change-streams.ts";
import { Cursors } from "../service/cursors.ts";
import { FirstAnswers } from "../service/first-answers.ts";
import { AuditTrail } from "../service/observer/audit-trail.ts";
import { MetricsHistory } from "../service/observer/metrics-history.ts";
import { RefreshSchedules } from "../service/resource/refresh-schedules.ts";
import { PatternWorkers } from "../service/search/pattern-workers.ts";
import { TaskFollower } from "../service/task-follower.ts";
import type { Webhooks } from "../service/webhook/webhooks.ts";
import { WorkspaceGuard } from "../service/workspace-guard.ts";
import { openTrace } from "../telemetry/open.ts";
import { readTls } from "../transport/connections/tls.ts";
import { auditInto, openAuditLog } from "../transport/pipeline/audit-log.ts";
import { RateLimit } from "../transport/pipeline/rate-limit.ts";
import { openTransport, type Transport, type TransportOptions } from "../transport/transport.ts";
import { openCore } from "./core.ts";
import { openFileReading } from "./file-reading.ts";
import { measure } from "./gauges.ts";
import { holderOf } from "./holder.ts";
import { isOver, jobHandlers } from "./job-handlers.ts";
import { openModels } from "./models.ts";
import { dialectOf, operationsOf } from "./operations.ts";
import { removeOutdatedCopies } from "./outdated-copies.ts";
import { placementOf } from "./placement.ts";
import { readiness } from "./readiness.ts";
import { SecretLog } from "./secret-log.ts";
import { backupSource, openBackupsOf, openStores } from "./stores.ts";
import { openWebhooks } from "./webhooks.ts";

/** The process must end within 5 s of SIGTERM: calls and jobs close first, then the rest, stage by stage. */
const CLOSE_LIMITS = { eachMs: 1600, totalMs: 4400 };
const CALLS_GRACE_MS = 1500;
const JOBS_GRACE_MS = 1500;
/** Concurrent semantic jobs with a remote model, which mostly wait for the network. */
const ADVISED_JOBS = 8;

/** Share of the memory budget for calls that one account may use. */
const ACCOUNT_SHARE = 1 / 8;

type HttpFront = Pick<TransportOptions, "tls" | "rateLimit" | "auditLog" | "memory">;

export interface App {
  readonly host: string;
  readonly port: number;
  /**
   * Aborts when the server must stop because memory and disk may differ. The signal's reason is the error.
   */
  readonly broken: AbortSignal;
  /** Names of the components that are still open. */
  readonly open: readonly string[];
  readonly countUncaught: (kind: UncaughtKind) => void;
  /** Takes at most 5 s. Failures and timeouts are logged; `open` then names what did not close. */
  close(): Promise<void>;
}

/** The composition root: opens and wires the layers from the bottom up, and closes them in reverse order. */
export async function openApp(config: Config, log: Log, version: string): Promise<App> {
  const clock = systemClock;
  const closers = new Closers(CLOSE_LIMITS);
  const stop = new AbortController();
  const broken = new AbortController();
  // every watched task adds a listener, so the default limit does not apply
  setMaxListeners(0, stop.signal);
  try {
    const trace = await openTrace(config.collector, { version, log, closers });
    const httpFront = openHttpFront(config, closers);
    const onBroken = (error: Error) => broken.abort(error);
    const storage = await openStores(config, { dataDir: config.dataDir, log, clock, trace, onBroken });
    closers.add("storage", "storage", () => storage.close());
    const { stores, kv, blobs } = storage;
    const { facts } = stores;
    const report = (what: string, error: unknown) => log.error({ err: error }, `${what} failed`);
    const random = Math.random;
    const { ledger, embedding, adviser, reranker, ...media } = await openModels(config, {
      log,
      closers,
      kv,
      facts,
      clock,
      random,
      report,
      trace,
      quotasOf: (workspace) => core.registry.quotas.of(workspace),
    });
    const keyless = config.rootApiKey === undefined;
    const ids = createIds(clock);
    const cursors = new Cursors(await cursorKey(facts), clock);
    const { spaces, queryVectors } = embedding;
    const neighbours = openNeighbours(storage.index, log);
    if (neighbours) closers.add("vector index", "storage", () => neighbours.close());
    let webhooks: Webhooks | undefined;
    const secrets = new SecretLog(config.secretMode);
    const core = openCore({
      ...config,
      secrets,
      keptChangeBytes: config.changes.keptBytes,
      contentMemoryBytes: config.callMemoryBytes,
      onChanged: (incarnation) => webhooks?.changed(incarnation),
      stores,
      blobs,
      indexFiles: storage.index,
      uploadBytes: storage.spool,
      clock,
      report,
      trace,
      keyless,
      spaces,
      neighbours: neighbours && {
        indexes: neighbours,
        minDocs: config.faissMinDocs,
        isForced: config.faissMinDocs < DEFAULT_FAISS_MIN_DOCS,
        signal: stop.signal,
      },
    });
    const { registry, keyUses, queue, tenants, passages, searchScratch, uploads, compaction } = core;
    const { records } = registry;
    closers.add("uploads", "state", () => uploads.close());
    closers.add("last uses of API keys", "state", () => keyUses.flush());
    closers.add("tenants", "state", () => tenants.close());
    closers.add("index compaction", "work", () => compaction.stop());
    const webhookDeps = openWebhooks(config, { ...core, kv, clock, ids, random, log, closers });
    ({ webhooks } = webhookDeps);
    const index = new TextIndex(embedding.instant);
    const chunk = index.ofText.bind(index);
    const { parse, describer, pool } = await openFileReading(config, {
      log,
      closers,
      media,
      scratch: storage.spool,
      ids,
    });
    const patterns = new PatternWorkers({ log });
    closers.add("pattern workers", "work", () => patterns.close());
    const follower = new TaskFollower({ kv, queue, tenants, log, stop: stop.signal });
    const sources = sourcesOf({ config, uploads, scratch: storage.scratch });
    const shared = {
      tenants,
      passages,
      searchScratch,
      cursors,
      queue,
      follower,
      chunk,
      parse,
      ids,
      sources,
      uploads,
      clock,
      registry,
      index,
      adviser,
      reranker,
    };
    const schedules = new RefreshSchedules({ ...shared, kv, log });
    closers.add("refresh schedules", "work", () => schedules.close());
    registry.onLost((lost) => schedules.lost(lost));
    const handlers = jobHandlers({
      ...shared,
      describer,
      webhooks,
      kv,
      blobs,
      indexFiles: storage.index,
      embedding: embedding.jobs,
    });
    const concurrency = adviser || media.vision || media.speech ? { semantic: ADVISED_JOBS } : {};
    const worker = new Worker({ queue, handlers, clock, log, random, trace, concurrency });
    closers.add("jobs", "intake", () => worker.stop(JOBS_GRACE_MS));
    let endCalls: Transport["leave"] = async () => undefined;
    const holder = holderOf({
      ...shared,
      kv,
      ledger,
      keyUses,
      worker,
      webhooks,
      schedules,
      mainSpace: spaces[0],
      endCalls: async (workspace, graceMs) => endCalls(workspace, graceMs),
      report,
      stop: stop.signal,
    });
    const held = await stores.start(holder);
    // a server that holds everything has compared contents and records already
    if (storage.cluster) await uploads.removeStrays();
    const backups = new Backups({
      source: backupSource(storage),
      open: (location, mayWrite) => openBackupsOf(config, { clock, log }, location, mayWrite),
      settings: config.backups,
      version,
      clock,
      log,
    });
    closers.add("backups", "work", () => backups.close());
    const streams = new ChangeStreams();
    const metrics = new Metrics();
    collectDefaultMetrics({ register: metrics });
    measure(metrics, {
      queue,
      index,
      tenants,
      embedding,
      ledger,
      neighbours,
      parsers: pool,
      backups,
      streams,
      webhooks,
      schedules,
      secrets,
      clock,
    });
    const hadServerRecords = stores.hasServerRecords;
    // records that another server has written in the meantime must not be overwritten
    const mayWrite = () => hadServerRecords && stores.hasServerRecords;
    const history = await MetricsHistory.open({ kv, clock, queue, ledger, tenants, mayWrite, report });
    closers.add("metrics history", "state", () => history.close());
    const audit = await AuditTrail.open({
      kv,
      clock,
      mayWrite,
      lifeOf: (workspace) => retentionMs(registry.quotas.of(workspace).auditDays),
      report,
    });
    closers.add("audit trail", "state", () => audit.close());
    const auditLog = auditInto(audit, httpFront.auditLog);
    secrets.audit = { log: auditLog, accountOf: registry.accountOf.bind(registry) };
    const startedAt = clock();
    const { directory } = stores;
    const { cluster } = storage;
    const { rootApiKey } = config;
    const guard = new WorkspaceGuard({ stores, directory, records, members: cluster?.members, rootApiKey });
    const requestCounts = new RequestCounts(registry.quotas, clock);
    const ready = () => readiness({ kv, embedder: embedding.instant, worker });
    const operations = operationsOf({
      ...shared,
      config,
      version,
      startedAt,
      ledger,
      queryVectors,
      history,
      audit,
      backups,
      streams,
      webhookDeps,
      schedules,
      keyUses,
      requestCounts,
      ready,
      neighbours,
      trace,
      patterns,
      cluster,
      directory,
      endJobs: (isOver) => worker.end(isOver),
    });
    const transport = await openTransport({
      host: config.host,
      port: config.port,
      version,
      uriScheme: config.uriScheme,
      log,
      authenticate: keyUses.noting(authenticator(records, rootApiKey, clock)),
      keyless,
      ...(config.corsOrigins && { corsOrigins: config.corsOrigins }),
      ...(config.allowedHosts && { allowedHosts: config.allowedHosts }),
      limits: { maxBodyBytes: config.maxBodyBytes, maxUploadBytes: config.maxUploadBytes },
      operations,
      dialect: dialectOf(config, tenants, operations),
      idempotency: new FirstAnswers(tenants, queue),
      ready,
      registry: metrics,
      ...(config.store && { workspaces: guard }),
      forwarding: cluster && { ...cluster, guard, clock },
      onCall: history.count.bind(history),
      trace,
      ...httpFront,
      requestCounts,
      auditLog,
      ...(config.webdav && { dav: { deps: shared } }),
      ...(config.gateway && {
        gateway: {
          ...config.gateway,
          deps: { ...shared, queryVectors, trace, patterns },
        },
      }),
    });
    closers.add("transport", "intake", () => transport.close(CALLS_GRACE_MS));
    endCalls = (workspace, graceMs) => transport.leave(workspace, graceMs);
    registry.onLost((lost) => {
      transport.recheck(lost);
      worker.end((job) => isOver(job, lost));
    });
    closers.add("waits", "intake", () => stop.abort());
    worker.start();
    for (const of of held) await holder.resume(of);
    if (storage.cluster) closers.add("outdated copies", "work", removeOutdatedCopies(storage, report));
    if (cluster && config.store) {
      const placement = placementOf({
        ...shared,
        cluster,
        config: config.store,
        stores,
        worker,
        log,
        metrics,
      });
      closers.add("hand-overs", "intake", () => placement.close());
      placement.start();
    }
    backups.start();
    // load the embedding table and MCP after the ready line, so that no first call blocks others
    setImmediate(() => {
      ready();
      transport.warm().catch((error: unknown) => log.warn({ err: error }, "MCP could not be loaded yet"));
    });
    const { host, port } = transport;
    // port 0 means any free port; publish the actual one
    if (config.store && config.port === 0)
      await cluster?.members.announce(config.store.memberUrl.replace(/:0$/, `:${port}`));
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

/** Opens the HTTP front end with the configured limits, TLS and audit log. */
function openHttpFront(
  { tls, rateLimit, auditLog, callMemoryBytes: total }: Config,
  closers: Closers,
): HttpFront {
  const audit = auditLog === undefined ? undefined : openAuditLog(auditLog);
  if (audit) closers.add("audit log", "storage", () => audit.close());
  return {
    memory: new Budget({ perKey: total * ACCOUNT_SHARE, total }, overBudget("memory of calls")),
    ...(tls && { tls: readTls(tls) }),
    ...(rateLimit !== undefined && { rateLimit: new RateLimit(rateLimit) }),
    ...(audit && { auditLog: audit }),
  };
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (const error of await closers.close()) log.error({ err: error }, "not closed cleanly");
}
