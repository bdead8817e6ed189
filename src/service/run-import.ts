import { fileLayersJobs } from "../domain/job.ts";
import type { Path } from "../domain/uri.ts";
import { planImport } from "../ingest/import-tree.ts";
import type { Chunker } from "../ingest/prepare.ts";
import type { Source } from "../ingest/source.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { retryConflicts } from "../workspace/conflict.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import { enqueueAftermath } from "./aftermath.ts";
import type { Tenant } from "./tenants.ts";

export interface ImportRequest {
  readonly source: Source;
  /** Asked anew after a conflict: the name may have been taken meanwhile. */
  readonly chooseRoot: () => Path;
  readonly strict: boolean;
  readonly index: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Task id: the origin of the jobs. */
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  /** Joins the change that makes the import visible; `built` counts the files that were written. */
  readonly onLink: (draft: WorkspaceDraft, rootUri: string, built: number) => void;
}

export interface Imported {
  readonly rootUri: string;
  readonly warnings: readonly string[];
}

/** What one import may link, replace and remove in the one change that makes it visible: some hundred bytes a file that changed. */
const MAX_LINK_BYTES = 128 * 1024 * 1024;

/** Imports a source: everything is built unseen, then one change makes it visible together with its jobs. */
export function runImport(deps: { chunk: Chunker; queue: JobQueue }, tenant: Tenant, request: ImportRequest): Promise<Imported> {
  const { workspace, owner } = tenant;
  const { source, origin } = request;
  return retryConflicts(async () => {
    const root = request.chooseRoot();
    const rootUri = workspace.uris.format(root);
    const plan = await planImport(deps, workspace, owner, source.files, { ...request, root, rootUri, meta: request.meta });
    try {
      await workspace.commit(
        (draft) => {
          const aftermath = plan.link(draft);
          for (const job of fileLayersJobs(workspace.incarnation, plan.built, [origin])) deps.queue.enqueue(draft, job);
          enqueueAftermath(draft, deps.queue, workspace, aftermath, [origin]);
          request.onLink(draft, rootUri, plan.built.length);
          return () => undefined;
        },
        { maxBytes: MAX_LINK_BYTES },
      );
      return { rootUri, warnings: [...source.warnings, ...plan.warnings] };
    } catch (error) {
      await plan.abandon();
      throw error;
    } finally {
      plan.release();
    }
  });
}
