import type { Entry, NodeId } from "../../domain/node.ts";
import { checkTags } from "../../domain/tags.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Keys } from "../keys.ts";
import { NODE_TAGS } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import type { Owner } from "./locate.ts";

/** A node's own tags, sorted; they are kept when the node moves or its content changes. */
export const tagsOf = (reader: Pick<KvReader, "get">, keys: Keys, node: NodeId): readonly string[] =>
  NODE_TAGS.read(reader, keys.tags(node)) ?? [];

/** A node's own tags, as visible to a reader. */
export const shownTags = (
  { table }: Pick<Workspace, "table">,
  { access }: Pick<Owner, "access">,
  node: NodeId,
): readonly string[] => (access?.passed.has(node) ? [] : table.tagsOf(node));

/** Sets the tags of a node and of its derived text and sections, which searches find. */
export function putTags(draft: WorkspaceDraft, node: NodeId, tags: readonly string[]): void {
  const { text, sections } = draft.node(node)?.derived ?? {};
  for (const one of [node, text, sections]) if (one !== undefined) draft.putTags(one, tags);
}

/** Adds tags to a node. Throws INVALID_ARGUMENT naming `field` if it would have too many. */
export function addTags(draft: WorkspaceDraft, node: NodeId, tags: readonly string[], field: string): void {
  if (tags.length > 0) putTags(draft, node, checkTags([...tagsOf(draft, draft.keys, node), ...tags], field));
}

/** Gives a derived node the tags of its source. */
export function inheritTags(draft: WorkspaceDraft, source: NodeId, derived: Entry): void {
  draft.putTags(derived.node, tagsOf(draft, draft.keys, source));
}

/** Whether all of these tags apply to a node, as visible to a reader. */
export function taggedWith(
  { table }: Pick<Workspace, "table">,
  { access }: Pick<Owner, "access">,
  tags: readonly string[],
): (node: NodeId) => boolean {
  if (tags.length === 0) return () => true;
  return (node) => {
    const held = table.tagsHeldBy(node, access?.passed);
    return tags.every((tag) => held.includes(tag));
  };
}
