import type { WorkspaceId } from "../../domain/ids.ts";
import { COMMIT_SESSION, type Job, type JobOwner, type NewJob, rememberJob } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { archiveBuffer } from "../../workspace/sessions/commits.ts";
import type { Tenants } from "../tenants.ts";

/** A session that is committed automatically. */
interface CommitLater {
  /** Node of the session's directory. */
  readonly session: NodeId;
  readonly user: string;
  readonly agent: string;
}

/**
 * Commits a session at `dueAt` (Unix time in ms), or at an earlier time requested before. Excluded from waits
 * for processing.
 */
export const commitSessionJob = (
  workspace: WorkspaceId,
  owner: JobOwner,
  payload: CommitLater,
  dueAt: number,
): NewJob => ({
  queue: "purge",
  class: "interactive",
  kind: COMMIT_SESSION,
  workspace,
  owner,
  payload,
  origins: [],
  sameAs: `${COMMIT_SESSION}/${payload.session}`,
  dueAt,
});

/** Commits a session's messages if it still exists, and enqueues memory extraction. */
export async function commitSessionInTime(
  deps: { readonly tenants: Tenants; readonly queue: JobQueue; readonly ids: () => string },
  job: Job,
): Promise<void> {
  const { session, user, agent } = job.payload as CommitLater;
  const { owner } = job;
  const tenant = await deps.tenants.openForJob(job, { user, agent });
  if (!tenant || owner === undefined) return;
  const { workspace } = tenant;
  await workspace.transact((draft) => {
    deps.queue.settle(draft, job);
    const name = draft.node(session)?.name;
    const found = name === undefined ? undefined : workspace.sessions.find(draft, user, name);
    if (found?.node !== session) return () => undefined;
    const task = deps.ids();
    const archive = archiveBuffer(draft, found, task, workspace.clock());
    if (archive !== undefined)
      deps.queue.enqueue(draft, rememberJob(workspace.incarnation, owner, { session, archive }, [task]));
    return () => undefined;
  });
}
