import { fileLayersJobs } from "../domain/job.ts";
import type { Path } from "../domain/uri.ts";
import { embeddingJobs } from "../enrich/embed-nodes-job.ts";
import { ImportNotes } from "../ingest/import-notes.ts";
import { type ImportPlan, planImport } from "../ingest/import-tree.ts";
import type { FileReading } from "../ingest/prepare-file.ts";
import type { ImportSource, Sources } from "../ingest/source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { retryConflicts } from "../workspace/conflict.ts";
import type { FoundSecrets } from "../workspace/found-secrets.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import type { SecretReport } from "../workspace/secret-guard.ts";
import { locate } from "../workspace/tree/locate.ts";
import { addTags } from "../workspace/tree/node-tags.ts";
import type { PendingCleanup } from "../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "./after-change.ts";
import type { TaskFollower } from "./task-follower.ts";
import type { Tenant, Tenants } from "./tenants.ts";

/** Dependencies of immediate and queued imports. */
export interface ImportDeps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
  readonly sources: Sources;
  readonly uploads: Pick<Uploads, "find">;
}

export interface ImportRequest {
  readonly source: ImportSource;
  /** Called again after a conflict, because the name may be in use by then. */
  readonly chooseRoot: () => Path;
  readonly strict: boolean;
  readonly index: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Tags to add to the root. */
  readonly tags?: readonly string[] | undefined;
  /** Task id: the origin of the enqueued jobs. */
  readonly origin: string;
  readonly signal: AbortSignal;
  /** Receives the secrets in the source. */
  readonly report: SecretReport;
  readonly onProgress: (done: number) => void;
  /** Runs in the transaction that makes the import visible. `built`: number of written files. */
  readonly onLink: (draft: WorkspaceDraft, imported: Imported, built: number) => void;
}

export interface Imported {
  readonly rootUri: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Imports a source: everything is built invisibly, then one transaction makes it visible together with its
 * jobs.
 */
export function runImport(
  deps: FileReading & { queue: JobQueue },
  tenant: Tenant,
  request: ImportRequest,
): Promise<Imported> {
  const { workspace, owner } = tenant;
  const { source } = request;
  const attempt = async (found: FoundSecrets) => {
    found.clear();
    const root = request.chooseRoot();
    const rootUri = workspace.uris.format(root);
    // a task checks again, because grants may have changed since it was accepted
    owner.access?.check(root, rootUri, "write");
    const plan = await planImport(deps, workspace, owner, source.files, {
      ...request,
      root,
      rootUri,
      meta: request.meta,
      found,
    });
    try {
      const warnings = new ImportNotes();
      warnings.add(source.warnings);
      warnings.add(found.notes);
      warnings.include(plan.warnings);
      const imported = { rootUri, errors: plan.errors.told, warnings: warnings.told };
      await link(deps.queue, tenant, plan, imported, { ...request, root });
      return imported;
    } catch (error) {
      await plan.abandon();
      throw error;
    } finally {
      plan.release();
    }
  };
  return workspace.secrets.watch(request.report, (found) => retryConflicts(() => attempt(found)));
}

function link(
  queue: JobQueue,
  { workspace, owner }: Tenant,
  plan: ImportPlan,
  imported: Imported,
  { origin, onLink, root, tags = [] }: ImportRequest & { readonly root: Path },
): Promise<void> {
  let cleanup: PendingCleanup = { purge: [], stale: [] };
  const prepare = function* (draft: WorkspaceDraft): Generator<void> {
    cleanup = yield* plan.link(draft);
    const { incarnation } = workspace;
    const processing = [
      fileLayersJobs(incarnation, plan.built, [origin]),
      embeddingJobs(queue, workspace, plan.indexed, [origin]),
    ];
    for (const jobs of [...processing, purgeJobs(workspace, cleanup)]) {
      for (const job of jobs) {
        queue.enqueue(draft, job);
        yield;
      }
    }
  };
  const decide = (draft: WorkspaceDraft) => {
    enqueueDirectoryLayers(draft, queue, workspace, cleanup, [origin]);
    const node = locate(draft, draft.keys, owner, root)?.node;
    if (node !== undefined) addTags(draft, node, tags, "tags");
    onLink(draft, imported, plan.built.length);
    return () => undefined;
  };
  if (plan.isLarge) return workspace.transactLarge(prepare, decide);
  return workspace.transact((draft) => {
    for (const _ of prepare(draft));
    return decide(draft);
  });
}
