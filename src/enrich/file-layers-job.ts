import { directoryLayersJob, type FileLayers, type Job, LAYERS_DELAY_MS } from "../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Layers } from "./file-layers.ts";

/** Makes the layers of a file from its bytes. Injected: what a file holds is known to `ingest`. */
export type FileSummary = (name: string, bytes: Uint8Array) => Promise<Layers>;

/** Writes L0 and L1 of files, then marks their directories as stale. A file that was replaced or removed meanwhile is passed over. */
export async function fileLayersJob(
  deps: { queue: JobQueue; workspaceOf: (incarnation: number) => Promise<Workspace | undefined>; summarize: FileSummary },
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await deps.workspaceOf(job.workspace);
  if (!workspace) return;
  const made: { node: NodeId; generation: number; layers: Layers }[] = [];
  for (const [node, generation] of (job.payload as FileLayers).files) {
    signal.throwIfAborted();
    const found = workspace.entryOf(node);
    if (!found || found.entry.generation !== generation) continue;
    const layers = await deps.summarize(found.record.name, await workspace.contents.read(found.entry));
    made.push({ node, generation, layers });
    await nextTurn();
  }
  await workspace.commit((draft) => {
    const stale = new Set<NodeId>();
    for (const { node, generation, layers } of made) {
      const record = draft.node(node);
      if (!record || draft.entry(record.directory, record.name)?.generation !== generation) continue;
      draft.put(draft.keys.layer(node, generation, 0), Buffer.from(layers.abstract));
      draft.put(draft.keys.layer(node, generation, 1), Buffer.from(layers.overview));
      if (record.directory >= FIRST_FREE_NODE) stale.add(record.directory);
    }
    const due = deps.queue.dueAfter(LAYERS_DELAY_MS, job);
    for (const node of stale) deps.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, job.origins, due));
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}

/** Lets requests have their turn between two files. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
