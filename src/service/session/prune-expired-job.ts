import { EventLoopYielder } from "../../base/event-loop.ts";
import type { Job } from "../../domain/job.ts";
import { SESSIONS } from "../../domain/node.ts";
import { EXPIRED_PAUSE_MS, pruneExpiredJob } from "../../domain/prune-jobs.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { keyPages, prefixRange } from "../../storage/kv.ts";
import { pruneTasks } from "../../workspace/requests/tasks.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenants } from "../tenants.ts";
import { removeSessionAgain } from "./delete-session.ts";

interface Deps {
  readonly tenants: Pick<Tenants, "ofIncarnation">;
  readonly queue: JobQueue;
}

/** Number of users whose sessions are examined per read. */
const USERS_PAGE = 500;

/**
 * Removes finished tasks and sessions that are older than the account's retention. Runs again a day later if
 * a retention is set.
 */
export async function pruneExpired(deps: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await deps.tenants.ofIncarnation(job.workspace);
  if (!workspace) return;
  const { tasks = Number.POSITIVE_INFINITY, sessions = Number.POSITIVE_INFINITY } =
    workspace.limits.lifetimes;
  const now = workspace.clock();
  if (Number.isFinite(tasks)) await pruneTasks(workspace, now - tasks, signal);
  if (Number.isFinite(sessions)) await pruneSessions(deps, workspace, now - sessions, signal);
  if (!Number.isFinite(tasks) && !Number.isFinite(sessions)) return;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    deps.queue.enqueue(draft, pruneExpiredJob(job.workspace, workspace.clock() + EXPIRED_PAUSE_MS));
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}

/** Removes sessions unchanged since `before` (Unix time in ms); their memories are kept. */
async function pruneSessions(
  deps: Deps,
  workspace: Workspace,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const isOld = ({ record }: FoundSession): boolean => record.updated <= before;
  for await (const user of usersWithSessions(workspace))
    for await (const session of workspace.sessions.of(workspace.kv, user)) {
      signal.throwIfAborted();
      await yielder.yieldIfDue();
      if (isOld(session)) await removeSessionAgain(deps, workspace, user, session.id, isOld);
    }
}

async function* usersWithSessions({ kv, keys }: Workspace): AsyncGenerator<string> {
  const prefix = keys.entries(SESSIONS);
  for await (const page of keyPages(kv, prefixRange(prefix, USERS_PAGE)))
    for (const key of page) yield key.slice(prefix.length);
}
