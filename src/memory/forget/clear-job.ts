import { FORGET, type Forget } from "../../domain/forget.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { DIRECTORY_LAYERS, type Job, PURGE, payloadOf, STALE_DIRECTORIES } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import { AGENTS } from "../../domain/node.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { after, type KeyRange, prefixRange } from "../../storage/kv.ts";
import { eraseChanges, spacesOf } from "../../workspace/changes/erase-changes.ts";
import { getTask, putTask } from "../../workspace/requests/tasks.ts";
import { type Owner, SHARED, SHARED_AGENTS } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { carryOut, type ForgetDeps, storedPlan } from "./carry-out.ts";
import { forgetJob } from "./forget-job.ts";
import { FORGETTING } from "./store-plan.ts";

/** Interval in ms between checks whether required jobs have ended, and maximum number of checks. */
const PUT_OFF_MS = 100;
const MAX_PUT_OFF = 6000;
/** Number of dead letters checked: the account's newest ones. */
const LETTERS = 200;

export interface ClearDeps extends ForgetDeps {
  readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  /** The workspace with the access of a user, and the owners of user and agent spaces. */
  readonly tenantOf: (
    job: Job,
    of: { readonly user: string; readonly agent: string },
  ) => Promise<{ readonly workspace: Workspace; readonly owner: Owner } | undefined>;
}

/**
 * Name of the lock that is held while a user's memories are being forgotten, and shared by jobs that extract
 * memories.
 */
export const memoriesLock = (user: string): string => `memories of ${user}`;

/**
 * Erases forgotten content from disk: carries out the plan if the process died before that, then rewrites
 * files of the index and the store that still contain it. Idempotent; the task ends with this job.
 */
export async function clearForgotten(deps: ClearDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { queue } = deps;
  const forget = payloadOf(job, FORGET);
  const workspace = await deps.workspaceOf(job.workspace);
  if (!workspace) return;
  await finishPlan(deps, workspace, job, forget.user, signal);
  const lastJob = forget.lastJob ?? newestJob(queue, job);
  if (isNeeded(queue, job, forget, lastJob) || (await workspace.contents.sweepFreed(forget.began)) > 0)
    return putOff(queue, workspace, job, { ...forget, lastJob });
  await checkPurged(queue, job, forget);
  signal.throwIfAborted();
  await takeOut(workspace, forget, signal);
  signal.throwIfAborted();
  for (const owner of indexOwners(workspace, forget.user)) await workspace.index.scrub(owner);
  signal.throwIfAborted();
  await workspace.kv.scrub(rangesOf(workspace, forget));
  await end(queue, workspace, job, forget);
}

/** Waits until the request has removed everything; if the request was interrupted, removes the rest. */
async function finishPlan(
  deps: ClearDeps,
  workspace: Workspace,
  job: Job,
  user: string,
  signal: AbortSignal,
): Promise<void> {
  await workspace.locks.share(memoriesLock(user), async () => undefined);
  const plan = storedPlan(workspace, user);
  const tenant = plan && (await deps.tenantOf(job, { user, agent: plan.agent }));
  if (tenant) await workspace.locks.run(memoriesLock(user), () => carryOut(deps, tenant, signal));
}

/**
 * Whether agents belong to the account instead of to users; it then owns a part of a user's memories, too.
 */
const sharesAgents = ({ kv, keys }: Workspace): boolean =>
  kv.get(keys.entry(AGENTS, SHARED_AGENTS)) !== undefined;
const indexOwners = (workspace: Workspace, user: string): string[] =>
  sharesAgents(workspace) ? [user, SHARED] : [user];
const spaceOwners = (workspace: Workspace, user: string): string[] =>
  sharesAgents(workspace) ? [user, SHARED_AGENTS] : [user];

/** Removes changes from the log, because they contain file names derived from the content. */
function takeOut(workspace: Workspace, { user, nodes }: Forget, signal: AbortSignal): Promise<void> {
  const spaces = new Set(spaceOwners(workspace, user).flatMap((owner) => [...spacesOf(workspace, owner)]));
  const unnamed = { spaces, nodes: nodes && new Set(nodes) };
  return eraseChanges(workspace, unnamed, signal);
}

function newestJob(queue: JobQueue, { workspace }: Job): number {
  let newest = 0;
  for (const job of queue.jobs())
    if (job.workspace === workspace && (job.kind === PURGE || layersNodes(job)))
      newest = Math.max(newest, job.sequence);
  return newest;
}

/** Whether unfinished jobs still delete forgotten content, or rebuild layers without it. */
function isNeeded(queue: JobQueue, { workspace }: Job, { nodes }: Forget, lastJob: number): boolean {
  const touched = nodes && new Set(nodes);
  for (const job of queue.jobs()) {
    if (job.workspace !== workspace) continue;
    if (job.kind === PURGE && job.sequence <= lastJob) return true;
    // a directory's job makes the directory above stale, whatever caused it, so wait for each of them
    const stale = layersNodes(job);
    if (stale && (touched ? stale.some((node) => touched.has(node)) : job.sequence <= lastJob)) return true;
  }
  return false;
}

/** The directories whose layers a job rebuilds; undefined for other jobs. */
function layersNodes(job: Job): readonly NodeId[] | undefined {
  if (job.kind === DIRECTORY_LAYERS) return [payloadOf(job, DIRECTORY_LAYERS).node];
  return job.kind === STALE_DIRECTORIES ? payloadOf(job, STALE_DIRECTORIES).nodes : undefined;
}

function putOff(queue: JobQueue, workspace: Workspace, job: Job, forget: Forget): Promise<void> {
  const times = (forget.putOff ?? 0) + 1;
  if (times > MAX_PUT_OFF || !job.owner)
    throw new Error("jobs that remove forgotten content have not ended: see the queue");
  const due = workspace.clock() + PUT_OFF_MS;
  const next = forgetJob(job.workspace, job.owner, { ...forget, putOff: times }, job.origins, due);
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    queue.enqueue(draft, next);
    queue.settle(draft, job);
    return () => undefined;
  });
}

/** Throws if records that a job should have removed still exist. */
async function checkPurged(queue: JobQueue, { workspace }: Job, { began }: Forget): Promise<void> {
  const letters = await queue.letters.list(workspace, LETTERS);
  if (letters.some(({ kind, at }) => kind === PURGE && at >= began))
    throw new Error("records of forgotten content could not be removed: see the dead letters of the queue");
}

/** Key ranges of records that contained forgotten content. */
function rangesOf(workspace: Workspace, forget: Forget): Pick<KeyRange, "gte" | "lt">[] {
  const { keys, index } = workspace;
  const { user, nodes, sessions } = forget;
  const named = nodes?.map((node) => ({ gte: keys.node(node), lt: after(keys.node(node)) })) ?? [];
  const ofNode = (node: NodeId) => [keys.contents(node), keys.layers(node), keys.entries(node)];
  const prefixes = [
    ...(nodes?.flatMap(ofNode) ?? [keys.allNodes(), keys.allContents(), keys.allLayers(), keys.allEntries()]),
    ...(sessions?.map((node) => keys.sessionMessages(node)) ?? [keys.allMessages()]),
    keys.allChanges(),
    keys.allSessions(),
    keys.allRecalled(),
    keys.allRelations(),
    keys.firstAnswers(user),
    keys.forgetPlans(user),
    ...index.partitionsOf(indexOwners(workspace, user)).map((partition) => keys.chunks(partition)),
  ];
  return [...named, ...prefixes.map((prefix) => prefixRange(prefix))];
}

/** Ends the task. A task of an earlier version, which stored no plan, fails unless everything was removed. */
function end(queue: JobQueue, workspace: Workspace, job: Job, { user, task: id }: Forget): Promise<void> {
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const task = id === undefined ? undefined : getTask(draft, draft.keys, user, id);
    if (task?.stage === FORGETTING)
      putTask(draft, {
        ...task,
        status: "failed",
        error: {
          code: "UNAVAILABLE",
          message: "it ended before all was forgotten: forget it again, which takes out what is left",
        },
        updated: workspace.clock(),
      });
    queue.settle(draft, job);
    return () => undefined;
  });
}
