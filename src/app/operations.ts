import { randomBytes } from "node:crypto";
import type { KeyUseLog } from "../accounts/key-uses.ts";
import type { Registry } from "../accounts/registry.ts";
import type { RequestCounts } from "../accounts/request-counts.ts";
import type { TokenLedger } from "../accounts/token-ledger.ts";
import type { Clock } from "../base/clock.ts";
import type { Trace } from "../base/trace.ts";
import type { Config } from "../config/config.ts";
import { archiveLayers } from "../enrich/archive-layers.ts";
import { embeddingJobs } from "../enrich/embed-nodes-job.ts";
import type { TextIndex } from "../enrich/text-index.ts";
import type { NeighbourIndexes } from "../index/vectors/neighbours.ts";
import { ownPlaces } from "../ingest/open-source.ts";
import type { Adviser } from "../providers/language.ts";
import type { Reranker } from "../providers/rerank.ts";
import type { PassageCache } from "../retrieve/passage-cache.ts";
import type { QueryVectors } from "../retrieve/query-vectors.ts";
import type { SearchScratch } from "../retrieve/view.ts";
import type { Backups } from "../service/backup/backups.ts";
import type { ChangeStreams } from "../service/change/change-streams.ts";
import type { Cursors } from "../service/cursors.ts";
import type { ForgetOperationDeps } from "../service/follow-forget.ts";
import type { AuditTrail } from "../service/observer/audit-trail.ts";
import type { MetricsHistory } from "../service/observer/metrics-history.ts";
import type { RefreshSchedules } from "../service/resource/refresh-schedules.ts";
import type { ImportDeps } from "../service/run-import.ts";
import type { PatternWorkers } from "../service/search/pattern-workers.ts";
import { removeSessionAgain } from "../service/session/delete-session.ts";
import type { CancelDeps } from "../service/task/cancel-task.ts";
import type { Tenants } from "../service/tenants.ts";
import type { WebhookDeps } from "../service/webhook/own-webhooks.ts";
import type { Directory } from "../storage/account-directory.ts";
import type { Cluster } from "../storage/open.ts";
import { OpenVikingDialect } from "../transport/openviking/dialect.ts";
import type { Operation } from "../transport/operation.ts";
import { accessOperations } from "../transport/operations/access.ts";
import { accountOperations } from "../transport/operations/account.ts";
import { backupOperations } from "../transport/operations/backup.ts";
import { changeOperations } from "../transport/operations/change.ts";
import { contentOperations } from "../transport/operations/content.ts";
import { filesystemOperations } from "../transport/operations/filesystem.ts";
import { memoryOperations } from "../transport/operations/memory.ts";
import { observerOperations } from "../transport/operations/observer.ts";
import { packOperations } from "../transport/operations/pack.ts";
import { relationOperations } from "../transport/operations/relation.ts";
import { resourceOperations } from "../transport/operations/resource.ts";
import { searchOperations } from "../transport/operations/search.ts";
import { sessionOperations } from "../transport/operations/session.ts";
import { skillOperations } from "../transport/operations/skill.ts";
import { snapshotOperations } from "../transport/operations/snapshot.ts";
import { systemOperations } from "../transport/operations/system.ts";
import { taskOperations } from "../transport/operations/task.ts";
import { trashOperations } from "../transport/operations/trash.ts";
import { webhookOperations } from "../transport/operations/webhook.ts";
import type { Checks } from "../transport/probes.ts";
import type { Dialect } from "../transport/rest/dialect.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";

const TOKEN_BYTES = 24;

interface Deps extends ImportDeps, Pick<CancelDeps, "endJobs"> {
  readonly config: Config;
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly keyUses: KeyUseLog;
  readonly requestCounts: RequestCounts;
  readonly cursors: Cursors;
  readonly ledger: TokenLedger;
  readonly adviser: Adviser | undefined;
  readonly reranker: Reranker | undefined;
  readonly uploads: Uploads;
  readonly index: TextIndex;
  readonly queryVectors: QueryVectors;
  readonly passages: PassageCache;
  readonly searchScratch: SearchScratch;
  readonly history: MetricsHistory;
  readonly audit: AuditTrail;
  readonly backups: Backups;
  readonly streams: ChangeStreams;
  readonly webhookDeps: WebhookDeps;
  readonly schedules: RefreshSchedules;
  readonly ready: () => Checks;
  readonly neighbours: NeighbourIndexes | undefined;
  readonly trace: Trace;
  readonly patterns: PatternWorkers;
  readonly cluster: Cluster | undefined;
  readonly directory: Directory;
}

/** The compatibility REST dialect, if a setting enables it. */
export function dialectOf(
  config: Config,
  tenants: Tenants,
  operations: readonly Operation[],
): Dialect | undefined {
  if (!config.isOpenViking) return undefined;
  const {
    importMaxFiles: maxFiles,
    importMaxBytes: maxBytes,
    localPaths: allowed,
    dataDir,
    uriScheme,
  } = config;
  return new OpenVikingDialect({
    tenants,
    operations,
    uriScheme,
    packLimits: { maxFiles, maxBytes },
    pathRules: { allowed, dataDir, own: ownPlaces(config), maxFiles, maxBytes },
  });
}

/** All operations of the API, with their dependencies. */
export function operationsOf(deps: Deps): Operation[] {
  const { config, index } = deps;
  const memories: ForgetOperationDeps = {
    ...deps,
    vectorJobs: (workspace, indexed) => embeddingJobs(deps.queue, workspace, indexed, []),
    passage: (passage) => index.ofPassage(passage),
    archiveLayers: (said, { name, messages }) => archiveLayers(said, name, messages),
    removeSession: (...session) => removeSessionAgain(deps, ...session),
  };
  return [
    ...accessOperations(deps),
    ...accountOperations(deps),
    ...backupOperations(deps),
    ...filesystemOperations(deps),
    ...contentOperations(deps),
    ...resourceOperations({
      ...deps,
      tokens: () => randomBytes(TOKEN_BYTES).toString("hex"),
      maxUploadBytes: config.maxUploadBytes,
    }),
    ...skillOperations(deps),
    ...packOperations({
      ...deps,
      layerChunk: index.ofLayer.bind(index),
      packLimits: { maxFiles: config.importMaxFiles, maxBytes: config.importMaxBytes },
    }),
    ...relationOperations(deps),
    ...searchOperations(deps),
    ...sessionOperations({ ...deps, ...memories, rules: config.sessionRules }),
    ...memoryOperations({ ...deps, ...memories }),
    ...taskOperations({ ...deps, ...memories }),
    ...trashOperations(deps),
    ...snapshotOperations(deps),
    ...changeOperations({ ...deps, heartbeatSeconds: config.changes.heartbeatSeconds }),
    ...webhookOperations(deps.webhookDeps),
    ...systemOperations({ ...deps, modelTokensPerDay: config.language.maxTokensPerDay }),
    ...observerOperations(deps),
  ];
}
