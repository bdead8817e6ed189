import type { Entry, NodeKind } from "../domain/node.ts";
import { decode } from "../storage/records.ts";

const BEFORE_NODE = Buffer.from('{"node":');
const BEFORE_KIND = Buffer.from(',"kind":"');
const [ZERO, NINE] = [0x30, 0x39];
const DIRECTORY_INITIAL = 0x64;

/** The kind of an entry without reading the rest of its record, where it stands first as it is written here. */
export function kindIn(record: Uint8Array): NodeKind {
  let at = BEFORE_NODE.length;
  if (!holdsAt(record, 0, BEFORE_NODE)) return decode<Entry>(record).kind;
  while (record[at]! >= ZERO && record[at]! <= NINE) at++;
  if (!holdsAt(record, at, BEFORE_KIND)) return decode<Entry>(record).kind;
  return record[at + BEFORE_KIND.length] === DIRECTORY_INITIAL ? "directory" : "file";
}

function holdsAt(record: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) if (record[at + i] !== part[i]) return false;
  return true;
}
