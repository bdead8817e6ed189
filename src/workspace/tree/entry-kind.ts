import type { NodeKind } from "../../domain/node.ts";
import { ENTRIES } from "../records.ts";

const BEFORE_NODE = '{"node":';
const BEFORE_KIND = ',"kind":"';
const [ZERO, NINE] = [0x30, 0x39];

/** Reads the kind from an entry record, where it follows the node, without parsing the rest. */
export function kindIn(record: string): NodeKind {
  let at = BEFORE_NODE.length;
  if (!record.startsWith(BEFORE_NODE)) return ENTRIES.parse(record).kind;
  while (record.charCodeAt(at) >= ZERO && record.charCodeAt(at) <= NINE) at++;
  if (!record.startsWith(BEFORE_KIND, at)) return ENTRIES.parse(record).kind;
  return record[at + BEFORE_KIND.length] === "d" ? "directory" : "file";
}
