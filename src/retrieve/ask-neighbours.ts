import { valueFor } from "../base/expect.ts";
import type { SegmentTables } from "../index/searchable.ts";
import { readRow } from "../index/segments/rows.ts";
import type { ExactReason } from "../index/vectors/neighbours.ts";
import { MIN_LIVE_SHARE } from "./ranking/fuse.ts";
import { depthFor } from "./ranking/seed.ts";
import type { NodeColumns, SearchQuery } from "./view.ts";

/**
 * Number of rows to request: twice MAX_DEPTH, because up to half may be out of scope, and some more for files
 * with several chunks.
 */
const NEIGHBOURS = 320;
const MAX_DEPTH = 128;
/** Number of rows sampled to estimate how much of a segment is in scope. */
const SAMPLE = 256;

interface Wish {
  readonly limit: number;
  readonly isFiltered: boolean;
}

interface Breadth extends Wish {
  readonly nodes: NodeColumns;
  readonly scope: () => Uint8Array;
}

/** Why a search needs more than the nearest rows; undefined if it does not. */
export function reasonToScanAll({ limit, isFiltered }: Wish): ExactReason | undefined {
  if (isFiltered) return "filter";
  return depthFor(limit) > MAX_DEPTH ? "depth" : undefined;
}

/**
 * Queries the neighbour indexes of the segments. Segments missing from the result must be scanned: the search
 * is too narrow or too deep for an index, or the index did not answer in time.
 */
export async function askNeighbours(
  parts: readonly SegmentTables[],
  { vectors }: SearchQuery,
  { nodes, scope, ...wish }: Breadth,
): Promise<Map<SegmentTables, Uint32Array>> {
  const found = new Map<SegmentTables, Uint32Array>();
  const indexed = parts.filter(({ neighbours }) => neighbours !== undefined);
  if (indexed.length === 0) return found;
  const need = reasonToScanAll(wish);
  const mask = need ? undefined : scope();
  const ask = async (part: SegmentTables): Promise<void> => {
    const { neighbours } = part;
    const space = [...vectors.keys()].find((name) => part.vectors.has(name));
    if (!neighbours || neighbours.space !== space) return;
    const obstacle = neighbours.isSmall
      ? "small"
      : (need ?? (mask && isMostly(part, nodes, mask) ? undefined : "scope"));
    if (obstacle) return neighbours.passOver(obstacle);
    const rows = await neighbours.nearest(valueFor(vectors, space), NEIGHBOURS);
    if (rows) found.set(part, rows);
  };
  await Promise.all(indexed.map(ask));
  return found;
}

/** Whether most rows of a segment are visible, estimated from a sample. */
function isMostly({ documents }: SegmentTables, nodes: NodeColumns, scope: Uint8Array): boolean {
  const step = Math.max(1, Math.floor(documents.rows / SAMPLE));
  let seen = 0;
  let live = 0;
  for (let row = 0; row < documents.rows; row += step) {
    const { node, generation } = readRow(documents, row);
    seen++;
    if (scope[node] === 1 && nodes.generation[node] === generation) live++;
  }
  return live >= seen * MIN_LIVE_SHARE;
}
