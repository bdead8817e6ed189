import type { LostAccess } from "../accounts/account-changes.ts";
import type { Registry } from "../accounts/registry.ts";
import type { Clock } from "../base/clock.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import { FORGET } from "../domain/forget.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import {
  COMMIT_SESSION,
  COPY,
  DESCRIBE,
  DIRECTORY_LAYERS,
  DROP_SPACE,
  EMBED_NODES,
  ERASE,
  EXPIRE,
  eraseJob,
  FILE_LAYERS,
  FILL_SPACE,
  IMPORT,
  type Job,
  PURGE,
  payloadOf,
  REMEMBER,
  RESTORE_SNAPSHOT,
  STALE_DIRECTORIES,
  SWEEP,
  TRIM,
  trimJob,
} from "../domain/job.ts";
import {
  PRUNE_EXPIRED,
  PRUNE_SNAPSHOTS,
  PRUNE_TRASH,
  PRUNE_VERSIONS,
  pruneSnapshotsJob,
  pruneTrashJob,
  pruneVersionsJob,
} from "../domain/prune-jobs.ts";
import { REDELIVER } from "../domain/webhook-batch.ts";
import { archiveLayers, layersOfArchive } from "../enrich/archive-layers.ts";
import { directoryLayersJobHandler } from "../enrich/directory/directory-layers-job.ts";
import { enqueueStaleDirectories } from "../enrich/directory/stale-directories.ts";
import { type EmbedDeps, embeddingJobs, embedNodes } from "../enrich/embed-nodes-job.ts";
import { fileLayerSteps } from "../enrich/file-layers.ts";
import { type FileSummary, fileLayersJob, type StoredFile } from "../enrich/file-layers-job.ts";
import { fillSpace } from "../enrich/fill-space-job.ts";
import { ModelLayers } from "../enrich/model-layers.ts";
import type { TextIndex } from "../enrich/text-index.ts";
import type { Describer } from "../ingest/describe/describer.ts";
import type { JobHandler } from "../jobs/worker.ts";
import { expireMemory } from "../memory/expire-job.ts";
import { type ClearDeps, clearForgotten } from "../memory/forget/clear-job.ts";
import { modelExtractor } from "../memory/model-extractor.ts";
import { rememberArchive } from "../memory/remember-job.ts";
import { ruleExtractor } from "../memory/rule-extractor.ts";
import type { Adviser } from "../providers/language.ts";
import { purgingItems } from "../service/after-change.ts";
import { copyJob } from "../service/filesystem/copy-job.ts";
import { describeFileJob } from "../service/resource/describe-file-job.ts";
import { importJob } from "../service/resource/import-job.ts";
import type { ImportDeps } from "../service/run-import.ts";
import { commitSessionInTime } from "../service/session/commit-job.ts";
import { removeSessionAgain } from "../service/session/delete-session.ts";
import { pruneExpired } from "../service/session/prune-expired-job.ts";
import { restoreSnapshotJob } from "../service/snapshot/restore-job.ts";
import { redeliver } from "../service/webhook/redeliver-job.ts";
import type { Webhooks } from "../service/webhook/webhooks.ts";
import type { Blobs } from "../storage/blobs.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { dropSpace } from "../workspace/removal/drop-space.ts";
import { eraseIncarnation } from "../workspace/removal/erase.ts";
import { pruneVersions } from "../workspace/removal/prune-versions.ts";
import { purgeRemoved } from "../workspace/removal/purge-removed.ts";
import { trimFirstAnswers } from "../workspace/requests/first-answers.ts";
import { TaskCancelled } from "../workspace/requests/tasks.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import { pruneSnapshots } from "../workspace/snapshots/prune-snapshots.ts";
import { pruneTrash } from "../workspace/trash/prune-trash.ts";
import { TRASH_PAUSE_MS } from "../workspace/trash/trash-limits.ts";
import { bucketOf } from "../workspace/tree/contents.ts";
import { VERSIONS_PAUSE_MS } from "../workspace/version-limits.ts";
import type { Workspace } from "../workspace/workspace.ts";

interface Deps extends ImportDeps {
  readonly kv: Kv;
  readonly blobs: Blobs;
  readonly indexFiles: Blobs;
  readonly registry: Registry;
  readonly index: TextIndex;
  readonly uploads: Uploads;
  readonly embedding: Pick<EmbedDeps, "embedder" | "count">;
  /** Undefined without a language model. */
  readonly adviser: Adviser | undefined;
  readonly clock: Clock;
  readonly describer: Describer;
  readonly webhooks: Pick<Webhooks, "wake">;
}

async function summarize(
  { parse, describer }: Pick<Deps, "parse" | "describer">,
  { name, bytes, hash, workspace }: StoredFile,
  signal: AbortSignal,
): Promise<FileSummary> {
  const parsed = await parse(name, bytes, { workspace, hash, signal });
  const isDescribed = parsed.error === undefined && describer.describes(parsed.mime);
  const layers = await new EventLoopYielder(workspace).through(fileLayerSteps(parsed, name));
  return { layers, text: parsed.kind === "binary" ? "" : parsed.text, isDescribed };
}

/** Handlers by job kind. Wires packages that must not import each other. */
export function jobHandlers(deps: Deps): ReadonlyMap<string, JobHandler> {
  const { queue, tenants, index, embedding, adviser, clock } = deps;
  const workspaceOf = (incarnation: WorkspaceId) => tenants.ofIncarnation(incarnation);
  const extractor = adviser ? modelExtractor({ adviser, clock, fallback: ruleExtractor }) : ruleExtractor;
  const advised = adviser && new ModelLayers(adviser);
  const indexing = {
    chunk: (text: string, about: Parameters<TextIndex["ofText"]>[1]) => index.ofText(text, about),
    vectorJobs: (workspace: Workspace, indexed: Parameters<typeof embeddingJobs>[2]) =>
      embeddingJobs(queue, workspace, indexed, []),
  };
  const memories: ClearDeps = {
    queue,
    workspaceOf,
    tenantOf: (job, of) => tenants.openForJob(job, of),
    archiveLayers: (said, { name, messages }) => archiveLayers(said, name, messages),
    removeSession: (...session) => removeSessionAgain(deps, ...session),
    passage: (passage) => index.ofPassage(passage),
    ...indexing,
  };
  const handlers: [string, JobHandler][] = [
    [
      FILE_LAYERS,
      (job, signal) =>
        fileLayersJob(
          { queue, workspaceOf, summarize: (file) => summarize(deps, file, signal), advised },
          job,
          signal,
        ),
    ],
    [
      DIRECTORY_LAYERS,
      (job, signal) => directoryLayersJobHandler({ queue, workspaceOf, index, advised }, job, signal),
    ],
    [STALE_DIRECTORIES, (job, signal) => enqueueStaleDirectories({ queue, workspaceOf }, job, signal)],
    [
      REMEMBER,
      (job, signal) =>
        rememberArchive(
          {
            ...memories,
            summarize: (archive, asked) => layersOfArchive(advised, archive, asked),
            extractor,
            further: ruleExtractor,
          },
          job,
          signal,
        ),
    ],
    [DESCRIBE, (job, signal) => describeFileJob(deps, job, signal)],
    [EMBED_NODES, (job, signal) => embedNodes({ ...embedding, queue, workspaceOf }, job, signal)],
    [FILL_SPACE, (job, signal) => fillSpace({ ...embedding, queue, workspaceOf }, job, signal)],
    [DROP_SPACE, (job, signal) => drop(deps, job, signal)],
    [IMPORT, (job, signal) => importJob(deps, job, signal)],
    [COPY, (job, signal) => copyJob(deps, job, signal)],
    [PURGE, (job, signal) => purge(deps, job, signal)],
    [SWEEP, async (job) => void (await (await tenants.ofIncarnation(job.workspace))?.contents.sweep())],
    [TRIM, (job) => trim(deps, job)],
    [PRUNE_VERSIONS, (job, signal) => prune(deps, job, signal)],
    [PRUNE_EXPIRED, (job, signal) => pruneExpired(deps, job, signal)],
    [PRUNE_TRASH, (job, signal) => emptyTrash(deps, job, signal)],
    [PRUNE_SNAPSHOTS, (job, signal) => dropUnneeded(deps, job, signal)],
    [RESTORE_SNAPSHOT, (job, signal) => restoreSnapshotJob(deps, job, signal)],
    [
      EXPIRE,
      (job) => expireMemory({ queue, tenantOf: (job, of) => tenants.openForJob(job, of), ...indexing }, job),
    ],
    [COMMIT_SESSION, (job) => commitSessionInTime(deps, job)],
    [REDELIVER, (job) => redeliver(deps, job)],
    [FORGET, (job, signal) => clearForgotten(memories, job, signal)],
    [ERASE, (job, signal) => erase(deps, job, signal)],
  ];
  return new Map(
    handlers.map(([kind, handler]) => [kind, kind === ERASE ? handler : unlessEnded(deps, handler)]),
  );
}

/**
 * Whether a running job has lost its account, or the user it works for. Replacing a key does not end jobs.
 */
export const isOver = ({ kind, workspace, owner }: Job, { what, incarnation, user }: LostAccess): boolean =>
  kind !== ERASE &&
  workspace === incarnation &&
  (what === "account" || (what === "user" && owner?.user === user));

/** Ends a job without an error if its account or user is removed, or its task cancelled, while it runs. */
const unlessEnded =
  ({ tenants }: Deps, handler: JobHandler): JobHandler =>
  async (job, signal) => {
    try {
      await handler(job, signal);
    } catch (error) {
      if (tenants.hasOwner(job) && !(error instanceof TaskCancelled)) throw error;
    }
  };

async function purge({ tenants }: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  if (workspace) await purgeRemoved(workspace, payloadOf(job, PURGE), signal);
}

/** Interval in ms between removals of expired first answers. */
const TRIM_PAUSE_MS = 3600_000;

async function trim({ tenants, queue }: Deps, job: Job): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  const next = workspace && (await trimFirstAnswers(workspace));
  if (!workspace || next === undefined) return;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    queue.enqueue(draft, trimJob(job.workspace, Math.max(next, workspace.clock() + TRIM_PAUSE_MS)));
    queue.settle(draft, job);
    return () => undefined;
  });
}

async function prune({ tenants, queue }: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  if (!workspace || !(await pruneVersions(workspace, signal))) return;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    queue.enqueue(draft, pruneVersionsJob(job.workspace, workspace.clock() + VERSIONS_PAUSE_MS));
    queue.settle(draft, job);
    return () => undefined;
  });
}

async function emptyTrash({ tenants, queue }: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  const next = workspace && (await pruneTrash(workspace, purgingItems(queue, workspace), signal));
  if (!workspace || next === undefined) return;
  const now = workspace.clock();
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    queue.enqueue(
      draft,
      pruneTrashJob(job.workspace, Math.min(Math.max(next, now + TRIM_PAUSE_MS), now + TRASH_PAUSE_MS)),
    );
    queue.settle(draft, job);
    return () => undefined;
  });
}

async function dropUnneeded({ tenants, queue }: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  const next = workspace && (await pruneSnapshots(workspace, signal));
  if (!workspace || next === undefined) return;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    queue.enqueue(draft, pruneSnapshotsJob(job.workspace, next));
    queue.settle(draft, job);
    return () => undefined;
  });
}

async function drop({ tenants }: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await tenants.ofIncarnation(job.workspace);
  if (workspace) await dropSpace(workspace, payloadOf(job, DROP_SPACE).space, signal);
}

/**
 * Erases an account, and its large contents in a second job once no restore can need them. Every step is
 * idempotent; the registry entry is removed last, so that a restarted server can continue.
 */
async function erase(
  { kv, blobs, indexFiles, registry, queue, uploads, clock }: Deps,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  await queue.cancel(job.workspace);
  const watch = queue.watch({ workspace: job.workspace });
  try {
    await watch.drained(signal);
  } finally {
    watch.release();
  }
  await uploads.removeOf(job.workspace);
  await eraseIncarnation(kv, job.workspace, signal);
  await indexFiles.drop(bucketOf(job.workspace));
  if (job.payload === null && blobs.retentionMs > 0)
    return kv.transact((read) => {
      const draft = new Draft(read);
      queue.enqueue(draft, eraseJob(job.workspace, clock() + blobs.retentionMs));
      queue.settle(draft, job);
      return draft.toChange(() => undefined);
    });
  await queue.forget(job.workspace);
  await blobs.drop(bucketOf(job.workspace));
  await registry.finishDeletion(job.workspace);
}
