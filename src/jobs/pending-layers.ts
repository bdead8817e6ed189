import type { WorkspaceId } from "../domain/ids.ts";
import {
  CLASSES,
  DESCRIBE,
  DIRECTORY_LAYERS,
  FILE_LAYERS,
  type Job,
  payloadOf,
  STALE_DIRECTORIES,
} from "../domain/job.ts";
import { jobsOf } from "../domain/job-keys.ts";
import type { NodeId } from "../domain/node.ts";
import { type KvPages, pairPages, prefixRange } from "../storage/kv.ts";
import { JOBS } from "./job-records.ts";

const PAGE = 500;

/** Nodes whose layers pending jobs will rebuild. The directories above them will be rebuilt, too. */
export async function pendingLayers(kv: KvPages, workspace: WorkspaceId): Promise<Set<NodeId>> {
  const nodes = new Set<NodeId>();
  for (const jobClass of CLASSES) {
    for await (const page of pairPages(kv, prefixRange(jobsOf("semantic", jobClass, workspace), PAGE))) {
      for (const [, value] of page) {
        for (const node of nodesOf(JOBS.decode(value))) nodes.add(node);
      }
    }
  }
  return nodes;
}

function nodesOf(job: Job): readonly NodeId[] {
  if (job.kind === DIRECTORY_LAYERS) return [payloadOf(job, DIRECTORY_LAYERS).node];
  if (job.kind === STALE_DIRECTORIES) return payloadOf(job, STALE_DIRECTORIES).nodes;
  if (job.kind === DESCRIBE) return [payloadOf(job, DESCRIBE).node];
  return job.kind === FILE_LAYERS ? payloadOf(job, FILE_LAYERS).files.map(([node]) => node) : [];
}
