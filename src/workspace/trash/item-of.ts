import { type NodeId, TRASH } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Keys } from "../keys.ts";
import { NODE_RECORDS } from "../records.ts";
import type { NodeTable } from "../tree/node-table.ts";
import { TRASHED, type TrashRecord } from "./records.ts";

interface Tables {
  readonly kv: Pick<KvReader, "get">;
  readonly keys: Keys;
  readonly table: Pick<NodeTable, "parentOf">;
}

/** The item of the trash that contains a node; undefined if the node is not in one. */
export function trashItemOf({ kv, keys, table }: Tables, node: NodeId): TrashRecord | undefined {
  for (let at = node; at > 0; at = table.parentOf(at)) {
    const space = table.parentOf(at);
    if (table.parentOf(space) !== TRASH) continue;
    const owner = NODE_RECORDS.readShared(kv, keys.node(space))?.name;
    return owner === undefined ? undefined : TRASHED.read(kv, keys.trashed(owner, at));
  }
  return undefined;
}
