import type { NodeId } from "../../domain/node.ts";
import { decodeRecord, encodeRecord } from "../../storage/records.ts";
import type { WorkspaceDraft } from "../draft.ts";

/** Use counts of nodes, the input of hotness. */
export interface Usage {
  readonly activeCount: number;
  /** Unix time in ms of the last use. */
  readonly usedAt: number;
}

/** Counts one use of a node. */
export function countUse(draft: WorkspaceDraft, node: NodeId, now: number): void {
  const key = draft.keys.usage(node);
  const activeCount = (decodeRecord<Usage>(draft.get(key))?.activeCount ?? 0) + 1;
  draft.put(key, encodeRecord({ activeCount, usedAt: now } satisfies Usage));
  draft.facts.push({ used: [node, activeCount] });
}
