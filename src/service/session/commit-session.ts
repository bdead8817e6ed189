import type { Caller } from "../../domain/caller.ts";
import { jobOwner, rememberJob } from "../../domain/job.ts";
import { type SessionRules, type SessionStats, statsView } from "../../domain/session.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { putTask } from "../../workspace/requests/tasks.ts";
import { archiveBuffer } from "../../workspace/sessions/commits.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { TaskFollower } from "../task-follower.ts";
import type { Tenants } from "../tenants.ts";
import { waitForJobs } from "../wait-for-jobs.ts";
import { expired, requireActiveSession } from "./own-session.ts";

export interface CommitDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly follower: TaskFollower;
  readonly ids: () => string;
  readonly rules: SessionRules;
}

export interface Committed {
  sessionId: string;
  status: string;
  archived?: boolean;
  memoriesExtracted?: number;
  activeCountUpdated?: number;
  stats?: SessionStats;
  taskId?: string;
}

/**
 * POST sessions/{session_id}/commit. One transaction archives the uncommitted messages and enqueues the
 * extraction job; `wait` (default) waits for it. The response names the task if it did not wait, or if the
 * rules require it. Errors of the extraction are reported in the task and leave the archive unchanged.
 */
export async function commitSession(
  deps: CommitDeps,
  call: ServiceCall,
  input: { readonly sessionId: string; readonly wait?: boolean | undefined },
): Promise<Committed> {
  const wait = input.wait ?? true;
  const isNamed = !wait || deps.rules.commitsNameTask;
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const task = deps.ids();
  const named = isNamed ? { taskId: task } : {};
  const watch = deps.follower.watchJobs(task, !wait);
  try {
    const { session, archive } = await workspace.transact((draft) => {
      const session = requireActiveSession(draft, workspace, call.caller, input.sessionId);
      const archive = archiveBuffer(draft, session, task, workspace.clock());
      if (archive !== undefined)
        deps.queue.enqueue(
          draft,
          rememberJob(workspace.incarnation, jobOwner(call.caller), { session: session.node, archive }, [
            task,
          ]),
        );
      if (archive !== undefined || isNamed)
        noteTask(draft, workspace, call.caller.user, task, session, archive);
      call.keepAnswer?.(
        draft,
        archive === undefined && wait ? { ...nothingArchived(session), ...named } : accepted(session, task),
      );
      return () => ({ session, archive });
    });
    if (archive !== undefined || isNamed)
      deps.follower.endTaskAfterJobs(workspace, { id: task, user: call.caller.user });
    if (!wait) return accepted(session, task);
    if (archive === undefined) return { ...nothingArchived(session), ...named };
    await waitForJobs(watch, { operation: "commit", timeout: undefined, call });
    return { ...committed(workspace, call.caller, session, archive), ...named };
  } finally {
    deps.follower.abandonUnlessFollowed(task);
  }
}

const accepted = ({ id }: FoundSession, task: string): Committed => ({
  sessionId: id,
  status: "accepted",
  taskId: task,
});

const nothingArchived = ({ id, record }: FoundSession): Committed => ({
  sessionId: id,
  status: "committed",
  archived: false,
  memoriesExtracted: 0,
  activeCountUpdated: 0,
  stats: record.stats,
});

function committed(
  { kv, sessions }: Workspace,
  { user }: Caller,
  { id, node }: FoundSession,
  archive: number,
): Committed {
  const isThere = sessions.find(kv, user, id)?.node === node;
  const record = isThere ? sessions.archiveRecord(kv, node, archive) : undefined;
  if (!record) throw expired(id);
  const { memories, activeCountUpdated, stats } = record;
  return {
    sessionId: id,
    status: "committed",
    archived: true,
    memoriesExtracted: memories,
    activeCountUpdated,
    stats,
  };
}

/** Creates the task of a commit; finished at once if nothing is archived. */
function noteTask(
  draft: WorkspaceDraft,
  workspace: Workspace,
  user: string,
  id: string,
  { id: session, record }: FoundSession,
  archive: number | undefined,
): void {
  const now = workspace.clock();
  const nothing = {
    session_id: session,
    status: "committed",
    archived: false,
    memories_extracted: 0,
    active_count_updated: 0,
    stats: statsView(record.stats),
  };
  putTask(draft, {
    id,
    user,
    type: "commit_session",
    status: "running",
    stage: "remembering",
    done: 0,
    total: 1,
    created: now,
    updated: now,
    result: archive === undefined ? nothing : { session_id: session },
  });
}
