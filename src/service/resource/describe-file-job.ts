import { EventLoopYielder } from "../../base/event-loop.ts";
import { sha256InTurns } from "../../base/sha256.ts";
import { DESCRIBE, type DescribeFile, fileLayersJobs, type Job, payloadOf } from "../../domain/job.ts";
import { type Entry, FIRST_FREE_NODE, type NodeRecord } from "../../domain/node.ts";
import { embeddingJobs } from "../../enrich/embed-nodes-job.ts";
import { fileLayerSteps } from "../../enrich/file-layers.ts";
import type { Describer } from "../../ingest/describe/describer.ts";
import { type FileReading, prepareParsed } from "../../ingest/prepare-file.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Builder } from "../../workspace/tree/builder.ts";
import { holdContent } from "../../workspace/tree/held-content.ts";
import { importMetaOf } from "../../workspace/tree/import-meta.ts";
import { SHARED } from "../../workspace/tree/locate.ts";
import { attachNode } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueLayersAndPurges } from "../after-change.ts";
import type { Tenants } from "../tenants.ts";

interface Deps extends FileReading {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly describer: Describer;
}

/** Maximum number of segments in a URI. */
const MAX_DEPTH = 64;

interface DescribedFile {
  readonly workspace: Workspace;
  readonly file: { readonly record: NodeRecord; readonly entry: Entry };
  readonly bytes: Uint8Array;
}

/**
 * Stores the models' description of a picture, recording or video as its text. Skips a file that was replaced
 * or removed meanwhile.
 */
export async function describeFileJob(deps: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await deps.tenants.ofIncarnation(job.workspace);
  const { node, generation } = payloadOf(job, DESCRIBE);
  const file = workspace?.entryOf(node);
  // removed nodes keep their records until they are purged
  if (!workspace || file?.entry.generation !== generation || !workspace.table.isKept(node)) return;
  const held = await holdContent(workspace, file.entry, signal);
  if (!held) return;
  try {
    await describe(deps, job, { workspace, file, bytes: held.bytes }, signal);
  } finally {
    held.release();
  }
}

async function describe(
  deps: Deps,
  job: Job,
  { workspace, file, bytes }: DescribedFile,
  signal: AbortSignal,
): Promise<void> {
  const { entry, record } = file;
  const { node } = entry;
  const { name } = record;
  const asking = { workspace: workspace.incarnation, signal };
  const hash = entry.hash ?? (await sha256InTurns(bytes));
  const parsed = await deps.parse(name, bytes, { ...asking, hash });
  const instruction = String(importMetaOf(workspace, node)?.instruction ?? "");
  const described = await deps.describer.describe({ parsed, bytes, instruction }, asking);
  if (!described) return;
  // names of derived files are chosen when the text is linked
  const options = { index: !entry.unindexed, isTaken: () => false };
  const prepared = await prepareParsed(
    { ...deps, contents: workspace.contents },
    { name, bytes, hash, parsed: described },
    options,
  );
  const partition =
    entry.chunks?.partition ?? (await workspace.partitionFor(workspace.partitionOwnerOf(node) ?? SHARED));
  const builder = new Builder(workspace, partition);
  try {
    const { created, modified } = entry;
    const built = await builder.addFile(prepared.file, {
      node,
      created,
      modified,
      layers: await new EventLoopYielder(workspace.incarnation).through(fileLayerSteps(described, name)),
    });
    const isLinked = await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      deps.queue.settle(draft, job);
      const now = placeOf(draft, payloadOf(job, DESCRIBE));
      if (!now) return () => false;
      const { directory, name, meta } = now;
      const cleanup = attachNode(draft, workspace, directory, name, built, meta ? { meta } : {});
      builder.putRest(draft);
      for (const next of fileLayersJobs(workspace.incarnation, builder.versions, job.origins))
        deps.queue.enqueue(draft, next);
      for (const next of embeddingJobs(deps.queue, workspace, builder.indexed, job.origins))
        deps.queue.enqueue(draft, next);
      enqueueLayersAndPurges(draft, deps.queue, workspace, { ...cleanup, stale: [directory] }, job.origins);
      return () => true;
    });
    if (!isLinked) await builder.abandon();
  } catch (error) {
    await builder.abandon();
    throw error;
  } finally {
    prepared.release();
  }
}

/** Location of the file generation to describe; undefined if it is no longer in the tree. */
function placeOf(draft: WorkspaceDraft, { node, generation }: DescribeFile): NodeRecord | undefined {
  const place = draft.node(node);
  if (!place || draft.entry(place.directory, place.name)?.generation !== generation) return undefined;
  let at = node;
  for (let depth = 0; at >= FIRST_FREE_NODE && depth < MAX_DEPTH; depth++) {
    const record = draft.node(at);
    if (!record || draft.entry(record.directory, record.name)?.node !== at) return undefined;
    at = record.directory;
  }
  return place;
}
