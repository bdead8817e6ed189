import { embedNodesJob, FILES_PER_JOB, INTERACTIVE_CHUNKS, type NewJob } from "../domain/job.ts";
import type { NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Workspace } from "../workspace/workspace.ts";

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
