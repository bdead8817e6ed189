import { TRASH } from "../../domain/node.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { entryParts, trashOfKey } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { TRASHED } from "../trash/records.ts";
import type { Audit } from "./findings.ts";

/**
 * Verifies that each trash item has a record and a directory with the removed node, and that there are no
 * others.
 */
export async function verifyTrash(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  for await (const [key, value] of audit.records(keys.allTrash())) {
    const { owner, item } = trashOfKey(keys, key);
    const { node } = TRASHED.decode(value, key);
    const subject = `item ${item} of the trash of ${owner}`;
    const space = ENTRIES.read(kv, keys.entry(TRASH, owner))?.node;
    const directory = space === undefined ? undefined : ENTRIES.read(kv, keys.entry(space, idKey(item)));
    if (directory?.node !== item) audit.report("trash", subject, "it has no directory");
    else if (audit.workspace.entryOf(node)?.record.directory !== item)
      audit.report("trash", subject, `node ${node}, which it holds, is not in its directory`);
  }
  for await (const [key, value] of audit.records(keys.entries(TRASH))) {
    const [, owner] = entryParts(keys, key);
    const space = ENTRIES.decode(value, key).node;
    for await (const [inner, held] of audit.records(keys.entries(space))) {
      const item = ENTRIES.decode(held, inner).node;
      if (kv.get(keys.trashed(owner, item)) === undefined)
        audit.report("trash", `item ${item} of the trash of ${owner}`, "it has no record");
    }
  }
}
