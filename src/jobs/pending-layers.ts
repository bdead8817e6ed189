import {
  CLASSES,
  DIRECTORY_LAYERS,
  type DirectoryLayers,
  FILE_LAYERS,
  type FileLayers,
  type Job,
  jobsOf,
} from "../domain/job.ts";
import type { NodeId } from "../domain/node.ts";
import { type KvPages, pairPages, prefixRange } from "../storage/kv.ts";
import { decodeRecord } from "../storage/records.ts";

const PAGE = 500;

/** Nodes of a workspace whose layers are about to be made anew; what contains them follows. */
export async function pendingLayers(kv: KvPages, workspace: number): Promise<Set<NodeId>> {
  const nodes = new Set<NodeId>();
  for (const jobClass of CLASSES) {
    for await (const page of pairPages(kv, prefixRange(jobsOf("semantic", jobClass, workspace), PAGE))) {
      for (const [, value] of page) {
        const { kind, payload } = decodeRecord<Job>(value);
        if (kind === DIRECTORY_LAYERS) nodes.add((payload as DirectoryLayers).node);
        if (kind === FILE_LAYERS) for (const [node] of (payload as FileLayers).files) nodes.add(node);
      }
    }
  }
  return nodes;
}
