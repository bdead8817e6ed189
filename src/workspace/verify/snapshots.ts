import { NUMBERS } from "../../storage/record-codec.ts";
import { keptEntryParts, nodeOfKey, snapshotOfKey } from "../keys.ts";
import { KEPT_ENTRIES, KEPT_NODES, SNAPSHOTS } from "../snapshots/records.ts";
import type { Audit } from "./findings.ts";

/**
 * Verifies that the table in memory matches the stored snapshots, and that the data kept for them is
 * complete: each kept file has its content, and each content has the right reference count.
 */
export async function verifySnapshots(audit: Audit): Promise<void> {
  const { keys, kv, snapshots } = audit.workspace;
  const last = NUMBERS.read(kv, keys.counter("snapshot")) ?? 0;
  let stored = 0;
  for await (const [key, value] of audit.records(keys.allSnapshots())) {
    stored++;
    const { owner, name } = snapshotOfKey(keys, key);
    const { parts } = SNAPSHOTS.decode(value, key);
    const known = snapshots.find(owner, name);
    if (JSON.stringify(known?.parts) !== JSON.stringify(parts))
      audit.report("table", `snapshot ${name}`, "the table in memory has another snapshot");
    if (parts.some(({ number }) => number > last))
      audit.report("counter", `snapshot ${name}`, `its number is above the last one, ${last}`);
  }
  const inMemory = [...snapshots.all].length;
  if (stored !== inMemory)
    audit.report("table", "snapshots", `${stored} are stored, ${inMemory} are in memory`);
  const entries = await countEntries(audit, last);
  for await (const [key, value] of audit.records(keys.allKeptNodes())) {
    const node = nodeOfKey(key);
    for (const [generation, count, state] of KEPT_NODES.decode(value, key).contents ?? []) {
      const content = `${node}/${generation}`;
      const found = entries.get(content) ?? 0;
      entries.delete(content);
      if (found !== count)
        audit.report("snapshot", node, `${count} kept entries are counted for a content, there are ${found}`);
      const isThere = kv.get(keys.content(node, generation)) !== undefined;
      if (!isThere && state !== "forgotten")
        audit.report("snapshot", node, `its kept content of generation ${generation} is missing`);
      // content that is "shared" is verified with the file and its versions
      if (isThere && state === "forgotten")
        audit.report("snapshot", node, `its forgotten content of generation ${generation} is still stored`);
    }
  }
  for (const content of entries.keys())
    audit.report("snapshot", `content ${content}`, "a kept entry needs it, but it is not counted");
}

/** Number of kept entries by node and generation of their content. */
async function countEntries(audit: Audit, last: number): Promise<Map<string, number>> {
  const { keys } = audit.workspace;
  const found = new Map<string, number>();
  for await (const [key, value] of audit.records(keys.allKeptEntries())) {
    const { name, directory, number } = keptEntryParts(keys, key);
    const [, entry] = KEPT_ENTRIES.decode(value, key);
    if (number > last)
      audit.report(
        "counter",
        directory,
        `the kept entry ${name} has number ${number}, above the last, ${last}`,
      );
    if (entry?.kind !== "file") continue;
    const content = `${entry.node}/${entry.generation}`;
    found.set(content, (found.get(content) ?? 0) + 1);
  }
  return found;
}
