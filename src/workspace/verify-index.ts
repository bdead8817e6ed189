import { type Chunk, INSTANT_DIMENSIONS } from "../domain/chunk.ts";
import type { ChunkRange, Entry } from "../domain/node.ts";
import { decode } from "../storage/records.ts";
import { decodeChunk } from "../storage/segments/record.ts";
import type { Compare, Tail } from "../storage/segments/tail.ts";
import { type Audit, holds } from "./audit.ts";
import { lastNumber, lastTwoNumbers } from "./keys.ts";

/** Chunks by entry and by record, the tails in memory, vectors of further spaces, partitions. */
export async function verifyIndex(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  const searched = new Map<string, ReadonlySet<number>>();
  for await (const [, value] of audit.records(keys.allEntries())) {
    const entry = decode<Entry>(value);
    if (!entry.chunks || audit.placeOf(entry.node) !== "reachable") continue;
    checkRange(audit, entry, entry.chunks);
    checkHome(audit, entry, entry.chunks, searched);
  }
  await checkChunks(audit);
  for await (const [key] of audit.records(keys.allVectors())) {
    const [partition, doc] = lastTwoNumbers(key);
    if (audit.workspace.kv.get(keys.chunk(partition, doc)) === undefined)
      audit.report("vector", shown(partition, doc), "it has a vector and no chunk");
  }
  await checkPartitions(audit);
}

const shown = (partition: number, doc: number): string => `chunk ${doc} of partition ${partition}`;

function checkRange(audit: Audit, entry: Entry, range: ChunkRange): void {
  const { kv, keys } = audit.workspace;
  audit.checkNumber(`doc-${range.partition}`, range.first + range.count - 1, entry.node);
  for (let doc = range.first; doc < range.first + range.count; doc++) {
    if (kv.get(keys.chunk(range.partition, doc)) === undefined)
      audit.report("chunk", entry.node, `${shown(range.partition, doc)} is missing`);
  }
}

/** Chunks are found where the searches of those who may see the node look for them. */
function checkHome(audit: Audit, entry: Entry, range: ChunkRange, searched: Map<string, ReadonlySet<number>>): void {
  const owner = audit.workspace.partitionOwnerOf(entry.node);
  if (owner === undefined) return;
  const partitions = searched.get(owner) ?? new Set(audit.workspace.index.visibleTo(owner));
  searched.set(owner, partitions);
  if (!partitions.has(range.partition))
    audit.report("partition", entry.node, `its chunks are in partition ${range.partition}, where searches of ${owner} do not look`);
}

async function checkChunks(audit: Audit): Promise<void> {
  const { keys, index } = audit.workspace;
  let open: { partition: number; tail: Tail | undefined; compare: Compare | undefined; count: number } | undefined;
  const close = () => {
    if (open?.tail && open.tail.count !== open.count) {
      audit.report("tail", `partition ${open.partition}`, `${open.tail.count} chunks in memory, ${open.count} in the records`);
    }
  };
  for await (const [key, value] of audit.records(keys.allChunks())) {
    const [partition, doc] = lastTwoNumbers(key);
    if (open?.partition !== partition) {
      close();
      const tail = index.opened(partition);
      open = { partition, tail, compare: tail?.comparison(), count: 0 };
    }
    open.count++;
    const chunk = checkChunk(audit, partition, doc, value);
    if (chunk) for (const fault of open.compare?.(doc, chunk) ?? []) audit.report("tail", chunk.node, `${shown(partition, doc)}: ${fault}`);
  }
  close();
}

/** The chunk, unless it is damaged. */
function checkChunk(audit: Audit, partition: number, doc: number, value: Uint8Array): Chunk | undefined {
  const chunk = decoded(value);
  if (!chunk) {
    audit.report("chunk", shown(partition, doc), "its record is damaged");
    return undefined;
  }
  const { node, generation, level } = chunk;
  const entry = audit.workspace.entryOf(node)?.entry;
  const isOwned =
    audit.isStagedChunk(partition, doc) || audit.isPurging(node) || (audit.owns(node, generation) && holds(entry?.chunks, partition, doc));
  if (!isOwned) audit.report("chunk", node, `${shown(partition, doc)}, of generation ${generation}, belongs to nothing`);
  if (entry && (entry.kind === "file") !== (level === 2))
    audit.report("chunk", node, `${shown(partition, doc)} is of level ${level}, the node is a ${entry.kind}`);
  return chunk;
}

function decoded(value: Uint8Array): Chunk | undefined {
  try {
    const chunk = decodeChunk(value);
    return chunk.instant.values.length === INSTANT_DIMENSIONS ? chunk : undefined;
  } catch {
    return undefined;
  }
}

async function checkPartitions(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  const owners = new Map<number, string>();
  for await (const [key, value] of audit.records(keys.allPartitions())) {
    const owner = key.slice(keys.allPartitions().length);
    const partition = decode<number>(value);
    audit.checkNumber("partition", partition, `partition of ${owner}`);
    if (owners.has(partition))
      audit.report("partition", `partition ${partition}`, `it is that of ${owners.get(partition)} and of ${owner}`);
    owners.set(partition, owner);
  }
  for await (const [key, value] of audit.records(keys.allManifests())) {
    const partition = lastNumber(key);
    if (!owners.has(partition)) audit.report("partition", `partition ${partition}`, "it has guests and no owner");
    for (const guest of decode<{ guests: number[] }>(value).guests)
      audit.checkNumber("partition", guest, `guest of partition ${partition}`);
  }
}
