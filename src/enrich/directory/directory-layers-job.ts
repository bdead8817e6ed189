import { EventLoopYielder } from "../../base/event-loop.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import {
  DIRECTORY_LAYERS,
  directoryLayersJob,
  embedDirectoryJob,
  type Job,
  LAYERS_DELAY_MS,
  payloadOf,
} from "../../domain/job.ts";
import { type Entry, FIRST_FREE_NODE, type NodeId, type NodeRecord } from "../../domain/node.ts";
import { isProtected } from "../../domain/scope.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { isTrashPlace } from "../../workspace/trash/trash.ts";
import { layerOf, putLayers } from "../../workspace/tree/layers.ts";
import { SHARED } from "../../workspace/tree/locate.ts";
import { dropGeneration } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { isSummarized, wishOf } from "../is-summarized.ts";
import type { Layers } from "../layers.ts";
import type { ModelLayers } from "../model-layers.ts";
import { DIRECTORY_LAYERS_PROMPT } from "../prompts.ts";
import type { TextIndex } from "../text-index.ts";
import { groupSteps } from "./child-groups.ts";
import { type Children, mayBeWide } from "./child-lines.ts";
import { READ_ABSTRACTS, readChildren } from "./children.ts";
import { childListing, directoryLayerSteps, withList } from "./directory-layers.ts";
import { nestedLines } from "./nested-lines.ts";
import { topicsIn } from "./topics.ts";

interface Deps {
  readonly queue: JobQueue;
  readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  readonly index: TextIndex;
  /** Undefined without a language model. */
  readonly advised: ModelLayers | undefined;
}

/**
 * Number of leading characters of an overview that the parent's overview shows; only changes there affect the
 * parent.
 */
const SHOWN_ABOVE = 1000;

/**
 * Creates L0 and L1 of a directory, with their chunks, from the layers of its content. Marks the parent
 * directory as stale if the L0, or the part of the L1 that is shown in the parent, changes.
 */
export async function directoryLayersJobHandler(deps: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await deps.workspaceOf(job.workspace);
  if (!workspace) return;
  await retryConflicts(async () => {
    signal.throwIfAborted();
    await refresh(deps, workspace, payloadOf(job, DIRECTORY_LAYERS).node, job, signal);
  });
}

function markAbove(
  queue: JobQueue,
  draft: WorkspaceDraft,
  workspace: Workspace,
  record: NodeRecord,
  job: Job,
): void {
  if (record.directory >= FIRST_FREE_NODE)
    queue.enqueue(
      draft,
      directoryLayersJob(
        workspace.incarnation,
        record.directory,
        job.origins,
        queue.dueAfter(LAYERS_DELAY_MS, job),
      ),
    );
}

/**
 * Creates the layers, with a model if the directory is to be summarised. If children are unfinished, the
 * directory is processed again afterwards.
 */
async function layersOf(
  { advised, index }: Deps,
  workspace: Workspace,
  node: NodeId,
  name: string,
  children: Children,
  signal: AbortSignal,
) {
  const steps = groupSteps(children.shown, (text) => index.vectorOf(text));
  const yielder = new EventLoopYielder(workspace.incarnation);
  const groups = mayBeWide(children) ? await yielder.through(steps) : undefined;
  const made = await yielder.through(directoryLayerSteps(name, children, groups));
  if (!advised || children.shown.some(({ abstract }) => abstract === "") || !isSummarized(workspace, node))
    return made;
  const asked = { workspace: workspace.incarnation, signal };
  const told = { label: "folder", text: childListing(name, children.shown), wish: wishOf(workspace, node) };
  const layers = await advised.of(DIRECTORY_LAYERS_PROMPT, told, asked);
  return layers ? withList(layers, made) : made;
}

const shownAbove = (overview = ""): string => nestedLines(topicsIn(overview), SHOWN_ABOVE).join("\n");

/** Whether a changed part of an overview is shown in the parent directory. */
async function isShownOtherwise(
  { incarnation }: Workspace,
  before: string | undefined,
  after: string,
): Promise<boolean> {
  const yielder = new EventLoopYielder(incarnation);
  await yielder.yieldIfDue();
  const shown = shownAbove(after);
  await yielder.yieldIfDue();
  return shown !== shownAbove(before);
}

/** Whether a directory has layers: directories below the scopes, or in the trash. */
function hasLayers(workspace: Workspace, node: NodeId): boolean {
  const { table } = workspace;
  if (table.isInTrash(node)) return !isTrashPlace(table, node);
  const path = workspace.pathOf(node);
  return path !== undefined && !isProtected(path) && table.isReachable(node);
}

async function refresh(
  deps: Deps,
  workspace: Workspace,
  node: NodeId,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const found = workspace.entryOf(node);
  // removed nodes keep their records until they are purged
  if (!found || !hasLayers(workspace, node)) return;
  const { record, entry } = found;
  const children = await readChildren(workspace, node, entry, READ_ABSTRACTS);
  const made = await layersOf(deps, workspace, node, record.name, children, signal);
  const before = { abstract: layerOf(workspace, entry, 0), overview: layerOf(workspace, entry, 1) };
  const layers: Layers =
    entry.described && before.abstract !== undefined ? { ...made, abstract: before.abstract } : made;
  if (
    layers.abstract === before.abstract &&
    layers.overview === before.overview &&
    Boolean(entry.chunks) !== Boolean(entry.unindexed)
  )
    return;
  const isAboveStale =
    layers.abstract !== before.abstract ||
    (await isShownOtherwise(workspace, before.overview, layers.overview));
  const home =
    entry.chunks?.partition ?? (await workspace.partitionFor(workspace.partitionOwnerOf(node) ?? SHARED));
  const chunks = entry.unindexed
    ? []
    : [
        deps.index.ofLayer(layers.abstract, record.name, 0),
        deps.index.ofLayer(layers.overview, record.name, 1),
      ];
  const first = chunks.length === 0 ? 0 : await workspace.index.reserve(home, chunks.length);
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const now = draft.node(node);
    const current = now && draft.entry(now.directory, now.name);
    if (!now || current?.node !== node) {
      deps.queue.settle(draft, job);
      return () => undefined;
    }
    if (current.generation !== entry.generation || now.directory !== record.directory)
      throw new Conflict(record.name);
    const generation = workspace.generations.take(draft);
    dropGeneration(draft, workspace, current);
    putLayers(draft, node, generation, layers);
    const { chunks: _, ...kept } = current;
    const next: Entry = {
      ...kept,
      generation,
      layered: true,
      ...(chunks.length > 0 && { chunks: { partition: home, first, count: chunks.length } }),
    };
    draft.updateEntry(now.directory, now.name, next);
    for (const [i, chunk] of chunks.entries()) {
      const indexed = { partition: home, doc: first + i, chunk: { ...chunk, node, generation } };
      workspace.index.putRecord(draft, indexed);
      draft.chunks.push(indexed);
    }
    if (chunks.length > 0 && workspace.index.mainSpace !== undefined)
      deps.queue.enqueue(draft, embedDirectoryJob(workspace.incarnation, node, job.origins));
    if (isAboveStale) markAbove(deps.queue, draft, workspace, now, job);
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}
