import { itemAt } from "../../base/expect.ts";
import type { NodeId } from "../../domain/node.ts";
import { isSameVector } from "../../domain/quantise.ts";
import { decodeVector } from "../../index/segments/record.ts";
import { spacesOf } from "../../index/spaces.ts";
import { lastTwoNumbers } from "../../storage/key-numbers.ts";
import { ENTRIES } from "../records.ts";
import type { Audit } from "./findings.ts";
import { chunkName } from "./index.ts";

/**
 * Verifies vectors outside the instant space: each has a chunk and is identical in memory, and none is
 * missing in the filled space.
 */
export async function verifyVectors(audit: Audit, unembedded: ReadonlySet<NodeId>): Promise<void> {
  const { workspace } = audit;
  const { kv, keys } = workspace;
  const { spaces, filled } = spacesOf(kv, keys) ?? { spaces: [] };
  for await (const [key, value] of audit.records(keys.allVectors())) {
    const [partition, doc] = lastTwoNumbers(key);
    const space = itemAt(key.slice(keys.allVectors().length).split("/"), 0);
    const report = (fault: string) =>
      audit.report("vector", `${chunkName(partition, doc)} in ${space}`, fault);
    if (!spaces.includes(space)) report("the workspace knows nothing of the space");
    if (kv.get(keys.chunk(partition, doc)) === undefined) report("it has a vector and no chunk");
    const holder = workspace.index.loadedSegments([partition])?.find((part) => part.has(doc));
    if (
      holder &&
      workspace.index.searches(space) &&
      !isSameVector(holder.vectorOf(space, doc), decodeVector(value))
    )
      report("its vector in memory is not that of its record");
  }
  if (filled === undefined) return;
  for await (const [key, value] of audit.records(keys.allEntries())) {
    const { node, chunks } = ENTRIES.decode(value, key);
    if (!chunks || unembedded.has(node) || audit.placeOf(node) !== "reachable") continue;
    for (let doc = chunks.first; doc < chunks.first + chunks.count; doc++)
      if (!workspace.index.hasVector(filled, chunks.partition, doc))
        audit.report("vector", node, `${chunkName(chunks.partition, doc)} has none in ${filled}`);
  }
}
