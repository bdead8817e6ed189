import { itemAt } from "../../base/expect.ts";
import type { Purge } from "../../domain/job.ts";
import type { Entry, NodeId } from "../../domain/node.ts";
import { prefixRange } from "../../storage/kv.ts";
import { eraseChanges } from "../changes/erase-changes.ts";
import { entryParts } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { forgetGone } from "../relations/ends.ts";
import { settleRelations } from "../relations/relations.ts";
import { purgeSession } from "../sessions/purge-session.ts";
import { dropGeneration } from "../tree/tree.ts";
import { purgeVersions } from "../tree/versions.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { guardFormer } from "./guard-former.ts";

/**
 * Maximum number of nodes, and of their chunks, whose records are removed per transaction; small, so that
 * other transactions are not delayed.
 */
const NODES_PER_CHANGE = 64;
const CHUNKS_PER_CHANGE = 10_000;

/**
 * Removes the records of unreachable nodes and everything below them, in small transactions. `removed`: the
 * entries as they were. Sealed segments of orphaned partitions are removed last. Every step is idempotent; an
 * interrupted purge starts over with less to do.
 */
export async function purgeRemoved(
  workspace: Workspace,
  { removed, partition, ofOwner }: Purge,
  signal: AbortSignal,
): Promise<void> {
  const touched = new Set<number>();
  const hidden = workspace.sharing.hiddenBelow(new Set(removed.map(({ node }) => node)), workspace.table);
  // before removing the grants, because these hide the old paths from readers of the log
  if (hidden) {
    await guardFormer(workspace, hidden, signal);
    await eraseChanges(workspace, { spaces: undefined, nodes: hidden }, signal);
    workspace.sharing.revision++;
  }
  for (const entry of removed)
    if (entry.kind === "directory") await purgeBelow(workspace, entry.node, touched, signal);
  await inBatches(
    workspace,
    removed,
    {
      entryOf: (entry) => entry,
      // a replaced file still exists with a new generation
      livesOn: (entry) => workspace.entryOf(entry.node) !== undefined,
      step: (draft, entry) => {
        dropGeneration(draft, workspace, entry);
        if (isLinked(draft, entry)) return;
        dropNode(draft, workspace, entry.node);
        forgetGone(draft, entry.node);
      },
    },
    touched,
    signal,
  );
  const spaces = new Set(removed.map(({ node }) => node));
  if (ofOwner) await eraseChanges(workspace, { spaces, nodes: undefined }, signal);
  if (partition !== undefined) await workspace.index.retire(partition);
  await workspace.index.retireEmpty(touched);
}

function isLinked(draft: WorkspaceDraft, { node }: Entry): boolean {
  const record = draft.node(node);
  return record !== undefined && draft.entry(record.directory, record.name)?.node === node;
}

function dropNode(draft: WorkspaceDraft, { sharing }: Workspace, node: NodeId): void {
  draft.delete(draft.keys.node(node));
  draft.delete(draft.keys.usage(node));
  draft.delete(draft.keys.properties(node));
  draft.delete(draft.keys.schedule(node));
  draft.putTags(node, []);
  // users who may not read it must not read it in a snapshot either
  if (!draft.kept?.needs(node)) sharing.dropNode(draft, node);
}

async function purgeBelow(
  workspace: Workspace,
  directory: NodeId,
  touched: Set<number>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const page = await workspace.kv.range(prefixRange(workspace.keys.entries(directory), NODES_PER_CHANGE));
    if (page.length === 0) return;
    const inner = page.map(([key, value]) => ({
      name: entryParts(workspace.keys, key)[1],
      entry: ENTRIES.decode(value, key),
    }));
    for (const { entry } of inner)
      if (entry.kind === "directory") await purgeBelow(workspace, entry.node, touched, signal);
    await inBatches(
      workspace,
      inner,
      {
        entryOf: ({ entry }) => entry,
        livesOn: () => false,
        step: (draft, { name }) => {
          // a job may have added layers since the page was read
          const entry = draft.entry(directory, name);
          if (!entry) return;
          dropGeneration(draft, workspace, entry);
          dropNode(draft, workspace, entry.node);
          forgetGone(draft, entry.node);
          draft.deleteEntry(directory, name, entry);
        },
      },
      touched,
      signal,
    );
  }
}

/** How a purge removes items. */
interface Removal<T> {
  readonly entryOf: (item: T) => Entry;
  /** Whether the node still exists in another generation and keeps its records. */
  readonly livesOn: (item: T) => boolean;
  readonly step: (draft: WorkspaceDraft, item: T) => void;
}

/** Removes items; adds their partitions to `touched`. */
async function inBatches<T>(
  workspace: Workspace,
  items: readonly T[],
  { entryOf, livesOn, step }: Removal<T>,
  touched: Set<number>,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < items.length; ) {
    signal.throwIfAborted();
    const batch: T[] = [];
    for (let chunks = 0; at < items.length && batch.length < NODES_PER_CHANGE; at++) {
      chunks += entryOf(itemAt(items, at)).chunks?.count ?? 0;
      if (batch.length > 0 && chunks > CHUNKS_PER_CHANGE) break;
      batch.push(itemAt(items, at));
    }
    for (const item of batch) {
      const { node, history, related, session, chunks } = entryOf(item);
      if (chunks) touched.add(chunks.partition);
      if (related) await settleRelations(workspace, node, signal);
      if (session) await purgeSession(workspace, node, signal);
      if (history && !livesOn(item)) await purgeVersions(workspace, node, signal);
    }
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const item of batch) step(draft, item);
      return () => undefined;
    });
  }
}
