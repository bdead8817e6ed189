import { itemAt } from "../../base/expect.ts";
import { type Chunk, INSTANT_DIMENSIONS } from "../../domain/chunk.ts";
import type { ChunkRange, Entry } from "../../domain/node.ts";
import { manifestOf } from "../../index/manifest.ts";
import type { RecordComparison, SearchableSegment } from "../../index/searchable.ts";
import { decodeChunk } from "../../index/segments/record.ts";
import { readRow } from "../../index/segments/rows.ts";
import { namesOf } from "../../index/segments/segment-files.ts";
import { lastNumber, lastTwoNumbers } from "../../storage/key-numbers.ts";
import { NUMBERS } from "../../storage/record-codec.ts";
import { ENTRIES } from "../records.ts";
import { SHARED } from "../tree/locate.ts";
import { type Audit, holds } from "./findings.ts";

/** Verifies chunks by entry and by record, mutable segments, and partitions. */
export async function verifyIndex(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  const searched = new Map<string, ReadonlySet<number>>();
  for await (const [key, value] of audit.records(keys.allEntries())) {
    const entry = ENTRIES.decode(value, key);
    if (!entry.chunks || audit.placeOf(entry.node) !== "reachable") continue;
    checkRange(audit, entry, entry.chunks);
    checkHome(audit, entry, entry.chunks, searched);
  }
  await checkChunks(audit);
  await checkPartitions(audit);
}

export const chunkName = (partition: number, doc: number): string => `chunk ${doc} of partition ${partition}`;

function checkRange(audit: Audit, entry: Entry, range: ChunkRange): void {
  const { kv, keys } = audit.workspace;
  audit.checkNumber(`doc-${range.partition}`, range.first + range.count - 1, entry.node);
  for (let doc = range.first; doc < range.first + range.count; doc++) {
    if (kv.get(keys.chunk(range.partition, doc)) === undefined)
      audit.report("chunk", entry.node, `${chunkName(range.partition, doc)} is missing`);
  }
}

/** Checks that chunks are in a partition that is searched by everybody who may see the node. */
function checkHome(
  audit: Audit,
  entry: Entry,
  range: ChunkRange,
  searched: Map<string, ReadonlySet<number>>,
): void {
  const owner = audit.workspace.partitionOwnerOf(entry.node);
  if (owner === undefined) return;
  const partitions = searched.get(owner) ?? new Set(audit.workspace.index.partitionsOf([SHARED, owner]));
  searched.set(owner, partitions);
  if (!partitions.has(range.partition))
    audit.report(
      "partition",
      entry.node,
      `its chunks are in partition ${range.partition}, where searches of ${owner} do not look`,
    );
}

/** A loaded partition, to be compared with its records. */
class Memory {
  readonly partition: number;
  readonly #audit: Audit;
  readonly #parts: readonly { part: SearchableSegment; compare: RecordComparison }[] | undefined;
  readonly #seen = new Set<number>();

  constructor(audit: Audit, partition: number) {
    this.partition = partition;
    this.#audit = audit;
    this.#parts = audit.workspace.index
      .loadedSegments([partition])
      ?.map((part) => ({ part, compare: part.comparison() }));
  }

  check(doc: number, chunk: Chunk | undefined): void {
    this.#seen.add(doc);
    if (!this.#parts || !chunk) return;
    const holders = this.#parts.filter(({ part }) => part.has(doc));
    const faults =
      holders.length === 1
        ? itemAt(holders, 0).compare(doc, chunk)
        : [holders.length === 0 ? "it is not in memory" : "it is in memory twice"];
    for (const fault of faults)
      this.#audit.report("tail", chunk.node, `${chunkName(this.partition, doc)}: ${fault}`);
  }

  /** Checks that rows in memory without a record are excluded from searches. */
  end(): void {
    const { table } = this.#audit.workspace;
    let extra = 0;
    for (const { part } of this.#parts ?? []) {
      for (let row = 0; row < part.documents.rows; row++) {
        const { doc, node, generation } = readRow(part.documents, row);
        if (!this.#seen.has(doc) && table.isCurrent(node, generation)) extra++;
      }
    }
    const records = this.#seen.size;
    if (extra > 0)
      this.#audit.report(
        "tail",
        `partition ${this.partition}`,
        `${records + extra} chunks in memory, ${records} in the records`,
      );
  }
}

async function checkChunks(audit: Audit): Promise<void> {
  let memory: Memory | undefined;
  for await (const [key, value] of audit.records(audit.workspace.keys.allChunks())) {
    const [partition, doc] = lastTwoNumbers(key);
    if (memory?.partition !== partition) {
      memory?.end();
      memory = new Memory(audit, partition);
    }
    memory.check(doc, checkChunk(audit, partition, doc, value));
  }
  memory?.end();
}

/** The chunk, unless it is damaged. */
function checkChunk(audit: Audit, partition: number, doc: number, value: Uint8Array): Chunk | undefined {
  const chunk = decoded(value);
  if (!chunk) {
    audit.report("chunk", chunkName(partition, doc), "its record is damaged");
    return undefined;
  }
  const { node, generation, level } = chunk;
  const entry = audit.workspace.entryOf(node)?.entry;
  const isOwned =
    audit.isStagedChunk(partition, doc) ||
    audit.isPurging(node) ||
    (audit.owns(node, generation) && holds(entry?.chunks, partition, doc));
  if (!isOwned)
    audit.report(
      "chunk",
      node,
      `${chunkName(partition, doc)}, of generation ${generation}, belongs to nothing`,
    );
  if (entry && (entry.kind === "file") !== (level === 2))
    audit.report(
      "chunk",
      node,
      `${chunkName(partition, doc)} is of level ${level}, the node is a ${entry.kind}`,
    );
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
    const partition = NUMBERS.decode(value, key);
    audit.checkNumber("partition", partition, `partition of ${owner}`);
    if (owners.has(partition))
      audit.report(
        "partition",
        `partition ${partition}`,
        `it is that of ${owners.get(partition)} and of ${owner}`,
      );
    owners.set(partition, owner);
  }
  const hasFiles = await audit.workspace.index.hasFiles();
  for await (const [key, value] of audit.records(keys.allManifests())) {
    const partition = lastNumber(key);
    const { guests, segments } = manifestOf(value);
    // a partition without an owner keeps its segments while they contain content moved to other owners
    if (!owners.has(partition) && segments.length === 0)
      audit.report("partition", `partition ${partition}`, "it has a manifest and no owner");
    for (const { files } of hasFiles ? segments : [])
      for (const name of namesOf(files))
        await audit.checkIndexFile(name, `a segment of partition ${partition}`);
    for (const guest of guests) audit.checkNumber("partition", guest, `guest of partition ${partition}`);
  }
}
