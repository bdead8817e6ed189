import type { WorkspaceId } from "../domain/ids.ts";
import {
  EMBED_NODES,
  embedNodesJob,
  FILES_PER_JOB,
  INTERACTIVE_CHUNKS,
  type Job,
  type NewJob,
  payloadOf,
} from "../domain/job.ts";
import type { NodeId } from "../domain/node.ts";
import { noteUnfilled } from "../index/spaces.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { QueuedEmbedder } from "../providers/embedding.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { MissingVectors } from "./missing-vectors.ts";

/** Jobs for a transaction that adds chunks: they make the main vectors, if there is a main space. */
export function embeddingJobs(
  queue: JobQueue,
  workspace: Workspace,
  indexed: readonly (readonly [node: NodeId, chunks: number])[],
  origins: readonly string[],
): NewJob[] {
  if (workspace.index.mainSpace === undefined) return [];
  const { incarnation } = workspace;
  const chunks = indexed.reduce((sum, [, count]) => sum + count, 0);
  const isAwaited = queue.drain.isAwaited({ queue: "embedding", workspace: incarnation, origins });
  const jobClass = isAwaited || chunks <= INTERACTIVE_CHUNKS ? "interactive" : "bulk";
  const jobs: NewJob[] = [];
  for (let at = 0; at < indexed.length; at += FILES_PER_JOB) {
    const nodes = indexed.slice(at, at + FILES_PER_JOB).map(([node]) => node);
    jobs.push(embedNodesJob(incarnation, nodes, jobClass, origins));
  }
  return jobs;
}

export interface EmbedDeps {
  readonly queue: JobQueue;
  readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  /** Embedder of the main space; undefined if there is none. */
  readonly embedder: QueuedEmbedder | undefined;
  /** Called with the number of texts embedded for documents. */
  readonly count: (space: string, texts: number) => void;
}

/** Maximum number of chunks per job; the rest goes to a new job at the end of the queue, for fairness. */
const CHUNKS_PER_JOB = 64;

/** Makes the missing main vectors of nodes. Finished vectors are kept even if the job fails. */
export async function embedNodes(deps: EmbedDeps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await deps.workspaceOf(job.workspace);
  if (!workspace) return;
  if (!deps.embedder?.isUsable) return leave(deps.queue, workspace, job);
  const missing = new MissingVectors(workspace, deps.embedder);
  try {
    const left = await storeSome(workspace, missing, payloadOf(job, EMBED_NODES).nodes, signal);
    const vectors = await missing.embedCollected(signal);
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      workspace.index.putVectors(draft, vectors);
      if (left.length > 0) deps.queue.enqueue(draft, embedNodesJob(job.workspace, left, "bulk", job.origins));
      deps.queue.settle(draft, job);
      return () => undefined;
    });
  } catch (error) {
    if (deps.embedder.isUsable) throw error;
    return leave(deps.queue, workspace, job);
  } finally {
    missing.release();
    deps.count(deps.embedder.space.name, missing.embedded);
  }
  const { pending, inProgress } = deps.queue.drain.counts("embedding", job.workspace);
  if (pending + inProgress === 0) workspace.index.settleVectors();
}

/** Returns the unfinished nodes. */
async function storeSome(
  workspace: Workspace,
  missing: MissingVectors,
  nodes: readonly NodeId[],
  signal: AbortSignal,
): Promise<readonly NodeId[]> {
  for (const [i, node] of nodes.entries()) {
    const range = workspace.entryOf(node)?.entry.chunks;
    // removed nodes keep their records until they are purged
    if (!range || !workspace.table.isKept(node)) continue;
    for (let doc = range.first; doc < range.first + range.count; doc++) {
      if (!(await missing.collectIfMissing(range.partition, doc, signal))) continue;
      if (missing.embedded >= CHUNKS_PER_JOB) return nodes.slice(i);
      await missing.embedAndStoreUnsynced(signal);
    }
  }
  return [];
}

/** Gives up because embedding is unavailable; the next start with a model finds the missing vectors. */
async function leave(queue: JobQueue, workspace: Workspace, job: Job): Promise<void> {
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    noteUnfilled(draft, workspace.keys);
    queue.settle(draft, job);
    return () => undefined;
  });
}
