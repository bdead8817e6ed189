import type { NodeId } from "../../domain/node.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { nodeEnd } from "../keys.ts";
import type { RelationRecord } from "../records.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Writes a relation between two ends, and its reverse record. */
export function relate(draft: WorkspaceDraft, from: string, to: string, record: RelationRecord): void {
  draft.put(draft.keys.relation("o", from, to), encodeRecord(record));
  draft.put(draft.keys.relation("i", to, from), encodeRecord(null));
}

export function unrelate(draft: WorkspaceDraft, from: string, to: string): void {
  draft.delete(draft.keys.relation("o", from, to));
  draft.delete(draft.keys.relation("i", to, from));
}

export const relateNodes = (draft: WorkspaceDraft, from: NodeId, to: NodeId, record: RelationRecord): void =>
  relate(draft, nodeEnd(from), nodeEnd(to), record);

export const unrelateNodes = (draft: WorkspaceDraft, from: NodeId, to: NodeId): void =>
  unrelate(draft, nodeEnd(from), nodeEnd(to));
