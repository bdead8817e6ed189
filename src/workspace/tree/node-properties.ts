import type { NodeId } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { Keys } from "../keys.ts";
import { type DeadProperty, NODE_PROPERTIES } from "../records.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Client-defined properties of a node; they are kept when the node moves or its content changes. */
export const propertiesOf = (
  reader: Pick<KvReader, "get">,
  keys: Keys,
  node: NodeId,
): readonly DeadProperty[] => NODE_PROPERTIES.read(reader, keys.properties(node)) ?? [];

export function putProperties(
  draft: WorkspaceDraft,
  node: NodeId,
  properties: readonly DeadProperty[],
): void {
  const key = draft.keys.properties(node);
  if (properties.length > 0) draft.put(key, encodeRecord(properties));
  else draft.delete(key);
}
