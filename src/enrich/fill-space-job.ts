import {
  dropSpaceJob,
  FILL_SPACE,
  type FillSpace,
  fillSpaceJob,
  type Job,
  payloadOf,
} from "../domain/job.ts";
import { noteFilled, spacesWithVectors } from "../index/spaces.ts";
import { lastTwoNumbers } from "../storage/key-numbers.ts";
import { pairPages, prefixRange } from "../storage/kv.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EmbedDeps } from "./embed-nodes-job.ts";
import { MissingVectors } from "./missing-vectors.ts";

const RECORDS_PER_PAGE = 100;
/** Maximum number of records scanned and texts embedded per job. The rest is enqueued again, for fairness. */
const RECORDS_PER_JOB = 2000;
const CHUNKS_PER_JOB = 64;

/**
 * Makes the missing main vectors of a workspace's chunks in record order; later chunks come after them and
 * have their own jobs. When none is missing, records the space as filled and drops the vectors of other
 * spaces.
 */
export async function fillSpace(deps: EmbedDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { space, from } = payloadOf(job, FILL_SPACE);
  const workspace = await deps.workspaceOf(job.workspace);
  const { embedder } = deps;
  if (!workspace || embedder?.space.name !== space || !embedder.isUsable) return;
  const missing = new MissingVectors(workspace, embedder);
  try {
    const next = await fillSome(workspace, missing, from, signal);
    const vectors = await missing.embedCollected(signal);
    await workspace.transact((draft) => {
      workspace.index.putVectors(draft, vectors);
      if (next) deps.queue.enqueue(draft, fillSpaceJob(job.workspace, { space, from: next }));
      else {
        noteFilled(draft, workspace.keys, space);
        for (const other of spacesWithVectors(draft, workspace.keys))
          if (other !== space) deps.queue.enqueue(draft, dropSpaceJob(job.workspace, other));
      }
      deps.queue.settle(draft, job);
      return () => undefined;
    });
    if (!next) workspace.index.settleVectors();
  } catch (error) {
    if (embedder.isUsable) throw error;
  } finally {
    missing.release();
    deps.count(space, missing.embedded);
  }
}

/** Returns the position at which to resume; undefined at the end. */
async function fillSome(
  workspace: Workspace,
  missing: MissingVectors,
  from: FillSpace["from"],
  signal: AbortSignal,
): Promise<FillSpace["from"]> {
  const { kv, keys } = workspace;
  const all = prefixRange(keys.allChunks(), RECORDS_PER_PAGE);
  let read = 0;
  for await (const page of pairPages(kv, { ...all, gte: from ? keys.chunk(...from) : all.gte })) {
    for (const [key, value] of page) {
      const [partition, doc] = lastTwoNumbers(key);
      const isDue = await missing.collectIfMissing(partition, doc, signal, value);
      if (missing.embedded >= CHUNKS_PER_JOB || ++read > RECORDS_PER_JOB) return [partition, doc + 1];
      if (!isDue) continue;
      await missing.embedAndStoreUnsynced(signal);
    }
  }
  return undefined;
}
