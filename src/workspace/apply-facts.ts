import { pairPages, prefixRange } from "../storage/kv.ts";
import { entryParts, nodeOfKey } from "./keys.ts";
import { type ChangeFact, ENTRIES, NODE_TAGS, USAGES } from "./records.ts";
import { countedBytes, isCounted, putCounted, recountStored } from "./tree/stored-bytes.ts";
import { nodeFacts, WorkspaceDraft } from "./workspace-draft.ts";
import type { WorkspaceParts } from "./workspace-parts.ts";

const PAGE = 2000;

/** Updates the tables in memory with the facts of a change. */
export function applyFacts(
  { table, index }: Pick<WorkspaceParts, "table" | "index">,
  facts: readonly ChangeFact[],
): void {
  for (const fact of facts) {
    if ("put" in fact) table.put(fact.put);
    else if ("cut" in fact) table.cut(fact.cut);
    else if ("used" in fact) table.setUsage(fact.used[0], fact.used[1]);
    else if ("tagged" in fact) table.setTags(fact.tagged[0], fact.tagged[1]);
    else if ("dropped" in fact) index.drop(fact.dropped);
  }
}

/** Fills the node table from the records. */
export async function scanTable({
  kv,
  keys,
  table,
}: Pick<WorkspaceParts, "kv" | "keys" | "table">): Promise<void> {
  for await (const page of pairPages(kv, prefixRange(keys.allEntries(), PAGE))) {
    for (const [key, value] of page) {
      const [directory, name] = entryParts(keys, key);
      table.put(nodeFacts(directory, name, ENTRIES.decode(value, key)));
    }
  }
  const usage = await kv.range(prefixRange(keys.allUsage()));
  for (const [key, value] of usage) table.setUsage(nodeOfKey(key), USAGES.decode(value, key).activeCount);
}

/** Loads the tags into the node table. */
export async function scanTags({
  kv,
  keys,
  table,
}: Pick<WorkspaceParts, "kv" | "keys" | "table">): Promise<void> {
  for await (const page of pairPages(kv, prefixRange(keys.allTags(), PAGE)))
    for (const [key, value] of page) table.setTags(nodeOfKey(key), NODE_TAGS.decode(value, key));
}

/** Counts the bytes of a workspace on its first opening, if an earlier version did not count all of them. */
export async function countOnce({ kv, keys }: Pick<WorkspaceParts, "kv" | "keys">): Promise<void> {
  if (isCounted(kv, keys)) return;
  const counted = await recountStored(kv, keys);
  if (counted.bytes === 0 && countedBytes(kv, keys) === undefined) return;
  await kv.transact((read) => {
    const draft = new WorkspaceDraft(read, keys);
    putCounted(draft, counted);
    return draft.toChange(() => undefined);
  });
}
