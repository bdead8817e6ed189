import type { Entry, NodeId } from "../domain/node.ts";
import { prefixRange } from "../storage/kv.ts";
import { decode } from "../storage/records.ts";
import { entryParts } from "./keys.ts";
import { dropVersion } from "./tree.ts";
import type { Workspace } from "./workspace.ts";
import type { WorkspaceDraft } from "./workspace-draft.ts";

/** Nodes whose records go in one transaction: small enough to let others in. */
const NODES_PER_CHANGE = 64;

/**
 * Removes the records of nodes that nothing reaches any more, and of everything below them, in small transactions. `removed` are the entries as they were when
 * they were taken out. Every step can be repeated: a purge that was interrupted begins again and finds less.
 */
export async function purgeRemoved(workspace: Workspace, removed: readonly Entry[], signal: AbortSignal): Promise<void> {
  for (const entry of removed) {
    if (entry.kind === "directory") await purgeBelow(workspace, entry.node, signal);
    signal.throwIfAborted();
    await workspace.commit((draft) => {
      purgeNode(draft, workspace, entry);
      return () => undefined;
    });
  }
}

function purgeNode(draft: WorkspaceDraft, workspace: Workspace, entry: Entry): void {
  dropVersion(draft, workspace, entry);
  draft.delete(draft.keys.node(entry.node));
  draft.delete(draft.keys.usage(entry.node));
}

async function purgeBelow(workspace: Workspace, directory: NodeId, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const page = await workspace.kv.range(prefixRange(workspace.keys.entries(directory), NODES_PER_CHANGE));
    if (page.length === 0) return;
    const inner = page.map(([key, value]) => ({ key, name: entryParts(workspace.keys, key)[1], entry: decode<Entry>(value) }));
    for (const { entry } of inner) if (entry.kind === "directory") await purgeBelow(workspace, entry.node, signal);
    await workspace.commit((draft) => {
      for (const { name, entry } of inner) {
        purgeNode(draft, workspace, entry);
        draft.deleteEntry(directory, name, entry.node);
      }
      return () => undefined;
    });
  }
}
