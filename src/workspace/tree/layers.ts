import type { Entry, NodeId } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import { text } from "../../storage/record-codec.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { type Listed, renderedFrom } from "./listed.ts";
import type { Located, Owner } from "./locate.ts";

export const LAYER_NAMES = { ".abstract.md": 0, ".overview.md": 1 } as const;

const isLayerName = (name: string): name is keyof typeof LAYER_NAMES => Object.hasOwn(LAYER_NAMES, name);
export const META_NAME = ".meta.json";

/**
 * L0 or L1 (`level` 0 or 1) of a node generation; undefined until created. `reader`: the snapshot, for an
 * older entry.
 */
export function layerOf(
  workspace: Workspace,
  entry: Pick<Entry, "node" | "generation">,
  level: 0 | 1,
  reader: KvReader = workspace.kv,
): string | undefined {
  const bytes = reader.get(workspace.keys.layer(entry.node, entry.generation, level));
  return bytes && text(bytes);
}

/** Like layerOf, for a viewer; also undefined if the layer would reveal something hidden. */
export function shownLayer(
  workspace: Workspace,
  { access }: Pick<Owner, "access">,
  entry: Pick<Entry, "node" | "generation">,
  level: 0 | 1,
  reader?: KvReader,
): string | undefined {
  if (access?.showsLayers(entry.node) === false) return undefined;
  // what an older layer reveals may have been removed since, with the grants that hid it and with the layer
  if (reader && access && workspace.sharing.hasBeenUsed && layerOf(workspace, entry, level) === undefined)
    return undefined;
  return layerOf(workspace, entry, level, reader);
}

/** Removes the layers of one generation of a node, and its content unless a snapshot needs it. */
export function dropTexts(
  draft: WorkspaceDraft,
  workspace: Workspace,
  node: NodeId,
  generation: number,
): void {
  if (!draft.kept?.keepsContent(node, generation)) workspace.contents.drop(draft, node, generation);
  dropLayers(draft, node, generation);
}

/** Stores both layers of one generation of a node. */
export function putLayers(
  draft: WorkspaceDraft,
  node: NodeId,
  generation: number,
  { abstract, overview }: { readonly abstract: string; readonly overview: string },
): void {
  draft.put(draft.keys.layer(node, generation, 0), Buffer.from(abstract));
  draft.put(draft.keys.layer(node, generation, 1), Buffer.from(overview));
}

export function dropLayers(draft: WorkspaceDraft, node: NodeId, generation: number): void {
  draft.delete(draft.keys.layer(node, generation, 0));
  draft.delete(draft.keys.layer(node, generation, 1));
}

/** Text of a directory's `.meta.json`, if it was imported. */
export function metaOf(workspace: Workspace, node: NodeId): string | undefined {
  const meta = workspace.entryOf(node)?.record.meta;
  return meta && `${JSON.stringify(meta, null, 2)}\n`;
}

/** Text of a rendered file of a directory; undefined if the file does not exist. */
export function renderedText(
  workspace: Workspace,
  owner: Owner,
  directory: Located,
  name: string,
): string | undefined {
  if (!directory.entry || directory.kind !== "directory") return undefined;
  if (name === META_NAME)
    return owner.access?.passed.has(directory.node) ? undefined : metaOf(workspace, directory.node);
  return isLayerName(name) ? shownLayer(workspace, owner, directory.entry, LAYER_NAMES[name]) : undefined;
}

/** The rendered files of a directory as list items. */
export function layerFiles(workspace: Workspace, owner: Owner, directory: Located): Listed[] {
  return [".abstract.md", META_NAME, ".overview.md"].flatMap((name) => {
    const shown = renderedText(workspace, owner, directory, name);
    if (shown === undefined) return [];
    return [renderedFrom(workspace, directory, name, shown).listed];
  });
}
