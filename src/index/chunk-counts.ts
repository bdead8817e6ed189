import { lastNumber } from "../storage/key-numbers.ts";
import { type KvPages, keyPages, prefixRange } from "../storage/kv.ts";
import { NUMBERS } from "../storage/record-codec.ts";
import type { IndexKeys } from "./keys.ts";
import { manifestOf } from "./manifest.ts";

const PAGE = 1000;

interface PartitionCount {
  readonly partition: number;
  readonly chunks: number;
}

interface SearchedCount extends PartitionCount {
  /** Number of chunks in segments with a neighbour index. */
  readonly indexed: number;
}

/**
 * Number of chunks by partition of a workspace, for observers. `loaded` has the counts of partitions in
 * memory; all others are counted from their records.
 */
export async function chunkCounts(
  kv: KvPages,
  keys: IndexKeys,
  loaded: readonly PartitionCount[],
): Promise<SearchedCount[]> {
  const known = new Map(loaded.map(({ partition, chunks }) => [partition, chunks]));
  const partitions = new Set<number>();
  for (const [key, value] of await kv.range(prefixRange(keys.allPartitions())))
    partitions.add(NUMBERS.decode(value, key));
  // a removed user's chunks remain if content was moved out of the user's space
  const indexed = new Map<number, number>();
  for (const [key, value] of await kv.range(prefixRange(keys.allManifests()))) {
    const { guests, segments } = manifestOf(value);
    for (const partition of [lastNumber(key), ...guests]) partitions.add(partition);
    indexed.set(
      lastNumber(key),
      segments.reduce((sum, { files, docs }) => sum + (files.neighbours ? docs : 0), 0),
    );
  }
  const counts: SearchedCount[] = [];
  for (const partition of partitions) {
    const chunks = known.get(partition) ?? (await countRecords(kv, keys, partition));
    // a segment keeps deleted rows until compaction, so its count may be too high
    counts.push({ partition, chunks, indexed: Math.min(chunks, indexed.get(partition) ?? 0) });
  }
  return counts;
}

async function countRecords(kv: KvPages, keys: IndexKeys, partition: number): Promise<number> {
  let count = 0;
  for await (const page of keyPages(kv, prefixRange(keys.chunks(partition), PAGE))) count += page.length;
  return count;
}
