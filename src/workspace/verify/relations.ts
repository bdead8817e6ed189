import { text } from "../../storage/record-codec.ts";
import { endsOfKey, lastNodeOfKey, nodeOfEnd, nodeOfKey } from "../keys.ts";
import { RELATIONS } from "../records.ts";
import type { Audit } from "./findings.ts";

/** Verifies relations in both directions, their nodes, and the records of removed nodes. */
export async function verifyRelations(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  for await (const [key, value] of audit.records(keys.allRelationsOf("o"))) {
    RELATIONS.decode(value, key);
    const [from, to] = endsOfKey(keys.allRelationsOf("o"), key);
    const shown = `relation from ${shownEnd(audit, from)} to ${shownEnd(audit, to)}`;
    if (kv.get(keys.relation("i", to, from)) === undefined)
      audit.report("relation", shown, "it has no way back");
    for (const end of [from, to]) checkEnd(audit, shown, end);
  }
  for await (const [key] of audit.records(keys.allRelationsOf("i"))) {
    const [to, from] = endsOfKey(keys.allRelationsOf("i"), key);
    if (kv.get(keys.relation("o", from, to)) === undefined)
      audit.report(
        "relation",
        `relation from ${shownEnd(audit, from)} to ${shownEnd(audit, to)}`,
        "there is only its way back",
      );
  }
  for await (const [key, value] of audit.records(keys.allGone())) {
    const node = nodeOfKey(key);
    const isRemoved = audit.placeOf(node) === "pending" || audit.workspace.table.isInTrash(node);
    if (!isRemoved && !audit.isPurging(node))
      audit.report("relation", node, "it is noted as removed, and neither the trash nor a purge owns it");
    if (kv.get(keys.goneNodeAt(text(value), node)) === undefined)
      audit.report("relation", node, "its note has no way back");
  }
  for await (const [key] of audit.records(keys.allGonePlaces())) {
    const node = lastNodeOfKey(key);
    if (kv.get(keys.gone(node)) === undefined)
      audit.report("relation", node, "there is only the way back of its note");
  }
}

function shownEnd(audit: Audit, end: string): string {
  const node = nodeOfEnd(end);
  return node === undefined ? end.slice(1) : audit.named(node);
}

function checkEnd(audit: Audit, shown: string, end: string): void {
  const node = nodeOfEnd(end);
  if (node === undefined) return;
  const place = audit.placeOf(node);
  if (place === "lost") audit.report("relation", shown, `its end node ${node} is nowhere`);
  else if (!audit.workspace.entryOf(node)?.entry.related && place === "reachable")
    audit.report("relation", shown, `the entry of its end node ${node} does not say that it has relations`);
}
