import type { Job, Remember } from "../domain/job.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Owner } from "../workspace/locate.ts";
import { finishArchive } from "../workspace/session-changes.ts";
import { countUses } from "../workspace/session-uses.ts";
import type { Archive } from "../workspace/sessions.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface RememberDeps {
  readonly queue: JobQueue;
  readonly workspaceOf: (incarnation: number) => Promise<Workspace | undefined>;
  /** Whose spaces an archive's user and agent have. */
  readonly ownerOf: (of: Pick<Archive, "user" | "agent">) => Owner;
  /** L0 and L1 of an archive. Injected: how texts are summarised is known to `enrich`. */
  readonly summarize: (archive: Archive) => { readonly abstract: string; readonly overview: string };
}

/**
 * The second phase of a commit: usage counts, then layers and statistics of the archive in the change that settles the job. Every step can be repeated; a session
 * that was deleted meanwhile is passed over.
 */
export async function rememberArchive(deps: RememberDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { session, archive: number } = job.payload as Remember;
  const workspace = await deps.workspaceOf(job.workspace);
  const archive = await workspace?.sessions.archive(session, number);
  if (!workspace || !archive) return;
  const owner = deps.ownerOf(archive);
  await countUses(workspace, owner, session, number, signal);
  const layers = deps.summarize(archive);
  await workspace.commit((draft) => {
    finishArchive(draft, workspace, session, number, { layers, memories: 0 });
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}
