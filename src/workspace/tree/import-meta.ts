import { FIRST_FREE_NODE, type NodeId, type NodeRecord } from "../../domain/node.ts";
import type { Workspace } from "../workspace.ts";

/** Maximum depth of a URI. */
const MAX_DEPTH = 64;

/** Metadata of the nearest import root at or above a node; undefined outside imports. */
export function importMetaOf(workspace: Workspace, node: NodeId): NodeRecord["meta"] {
  let at = node;
  for (let depth = 0; at >= FIRST_FREE_NODE && depth < MAX_DEPTH; depth++) {
    const record = workspace.entryOf(at)?.record;
    if (!record || record.meta?.import !== undefined) return record?.meta;
    at = record.directory;
  }
  return undefined;
}
