import { EventLoopYielder } from "../base/event-loop.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import {
  describeJob,
  directoryLayersJob,
  FILE_LAYERS,
  type Job,
  LAYERS_DELAY_MS,
  payloadOf,
} from "../domain/job.ts";
import { FIRST_FREE_NODE, type NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { holdContent } from "../workspace/tree/held-content.ts";
import { putLayers } from "../workspace/tree/layers.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isSummarized, wishOf } from "./is-summarized.ts";
import type { Layers } from "./layers.ts";
import { type ModelLayers, readPart } from "./model-layers.ts";
import { FILE_LAYERS_PROMPT } from "./prompts.ts";

/** Maximum number of files for which a language model is asked concurrently. */
const ASKED_AT_ONCE = 4;
/**
 * Time in ms after which the model is not asked about further files, because the job must end within its
 * lease.
 */
const ASK_MS = 8 * 60_000;

/** Summary of a file: its layers without a language model, and the text for a model ("" if there is none). */
export interface FileSummary {
  readonly layers: Layers;
  readonly text: string;
  /** Whether a model can describe it: a picture, recording or video. */
  readonly isDescribed: boolean;
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly hash: string | undefined;
  /** The incarnation of the account. */
  readonly workspace: WorkspaceId;
}

interface Deps {
  readonly queue: JobQueue;
  readonly workspaceOf: (incarnation: WorkspaceId) => Promise<Workspace | undefined>;
  /** Injected, because reading files belongs to `ingest`. */
  readonly summarize: (file: StoredFile) => Promise<FileSummary>;
  /** Undefined without a language model. */
  readonly advised: ModelLayers | undefined;
}

interface Made {
  readonly node: NodeId;
  readonly generation: number;
  /** Text for the model; "" if it is not asked. */
  readonly text: string;
  readonly isDescribed: boolean;
  layers: Layers;
}

/**
 * Writes L0 and L1 of files, then marks their directories as stale. Skips files that were replaced or removed
 * meanwhile.
 */
export async function fileLayersJob(deps: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await deps.workspaceOf(job.workspace);
  if (!workspace) return;
  const made: Made[] = [];
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const [node, generation] of payloadOf(job, FILE_LAYERS).files) {
    signal.throwIfAborted();
    const found = workspace.entryOf(node);
    // removed nodes keep their records until they are purged
    if (found?.entry.generation !== generation || !workspace.table.isKept(node)) continue;
    const held = await holdContent(workspace, found.entry, signal);
    if (!held) continue;
    const { name } = found.record;
    const { hash } = found.entry;
    try {
      const file = { name, bytes: held.bytes, hash, workspace: workspace.incarnation };
      const { layers, isDescribed, text } = await deps.summarize(file);
      const isAsked = deps.advised !== undefined && isSummarized(workspace, node);
      made.push({ node, generation, layers, isDescribed, text: isAsked ? readPart(text) : "" });
    } finally {
      held.release();
    }
    await yielder.yieldIfDue();
  }
  if (deps.advised) await advise(deps.advised, workspace, made, signal);
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const stale = new Set<NodeId>();
    for (const { node, generation, layers, isDescribed } of made) {
      const record = draft.node(node);
      const entry = record && draft.entry(record.directory, record.name);
      if (!record || entry?.generation !== generation) continue;
      draft.changes.describe(record.directory, record.name, entry);
      putLayers(draft, node, generation, layers);
      if (isDescribed)
        deps.queue.enqueue(draft, describeJob(workspace.incarnation, { node, generation }, job.origins));
      if (record.directory >= FIRST_FREE_NODE) stale.add(record.directory);
    }
    const due = deps.queue.dueAfter(LAYERS_DELAY_MS, job);
    for (const node of stale)
      deps.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, node, job.origins, due));
    deps.queue.settle(draft, job);
    return () => undefined;
  });
}

/** Replaces the layers of files that are to be summarised, if the model returns any. */
async function advise(
  advised: ModelLayers,
  workspace: Workspace,
  made: readonly Made[],
  signal: AbortSignal,
): Promise<void> {
  const asked = made.filter(({ text }) => text !== "");
  const until = workspace.clock() + ASK_MS;
  for (let at = 0; at < asked.length && workspace.clock() < until; at += ASKED_AT_ONCE) {
    await Promise.all(
      asked.slice(at, at + ASKED_AT_ONCE).map(async (file) => {
        const told = { label: "file", text: file.text, wish: wishOf(workspace, file.node) };
        file.layers =
          (await advised.of(FILE_LAYERS_PROMPT, told, { workspace: workspace.incarnation, signal })) ??
          file.layers;
      }),
    );
  }
}
