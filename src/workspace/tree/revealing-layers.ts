import { FIRST_FREE_NODE, type NodeId } from "../../domain/node.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { dropLayers } from "./layers.ts";
import { MAX_DEPTH } from "./locate.ts";

/**
 * Must be called before a node leaves a directory. While the node is there, its grants hide the layers of the
 * folders above from users who may not read it; afterwards nothing does. So these layers are removed at once,
 * and a job creates them again. A description given by a user stays.
 */
export function dropRevealingLayers(
  draft: WorkspaceDraft,
  { sharing, table, generations }: Pick<Workspace, "sharing" | "table" | "generations">,
  directory: NodeId,
  node: NodeId,
): void {
  if (!sharing.isDeniedWithin(node, table)) return;
  let at = directory;
  for (let depth = 0; at >= FIRST_FREE_NODE && depth < MAX_DEPTH; depth++) {
    const record = draft.node(at);
    const entry = record && draft.entry(record.directory, record.name);
    if (!record || entry?.node !== at) return;
    const { chunks, layered: _, ...kept } = entry;
    const abstract = entry.described ? draft.get(draft.keys.layer(at, entry.generation, 0)) : undefined;
    // a new generation, so that a job that has read the node can no longer write its result
    const generation = generations.take(draft);
    dropLayers(draft, at, entry.generation);
    if (chunks) draft.dropChunks(chunks);
    if (abstract) draft.put(draft.keys.layer(at, generation, 0), abstract);
    draft.updateEntry(record.directory, record.name, { ...kept, generation });
    at = record.directory;
  }
}
