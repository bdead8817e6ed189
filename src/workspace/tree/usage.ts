import type { NodeId } from "../../domain/node.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { USAGES, type Usage } from "../records.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

export function countUse(draft: WorkspaceDraft, node: NodeId, now: number): void {
  const key = draft.keys.usage(node);
  const activeCount = (USAGES.read(draft, key)?.activeCount ?? 0) + 1;
  draft.put(key, encodeRecord({ activeCount, usedAt: now } satisfies Usage));
  draft.facts.push({ used: [node, activeCount] });
}
