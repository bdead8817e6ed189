import type { WorkspaceId } from "../domain/ids.ts";
import { CLASSES, DESCRIBE, DIRECTORY_LAYERS, FILE_LAYERS, payloadOf } from "../domain/job.ts";
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
        const job = JOBS.decode(value);
        if (job.kind === DIRECTORY_LAYERS) nodes.add(payloadOf(job, DIRECTORY_LAYERS).node);
        if (job.kind === DESCRIBE) nodes.add(payloadOf(job, DESCRIBE).node);
        if (job.kind === FILE_LAYERS) for (const [node] of payloadOf(job, FILE_LAYERS).files) nodes.add(node);
      }
    }
  }
  return nodes;
}
