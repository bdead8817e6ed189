import type { Level } from "../../domain/chunk.ts";
import { type NodeId, nodeId } from "../../domain/node.ts";
import { PEAK_ROWS } from "../../index/vectors/scan.ts";
import type { SearchQuery, SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import { type Evidence, scoreAll } from "./fuse.ts";
import { eachAbove, type SegmentEvidence } from "./live-rows.ts";
import type { NodeScores } from "./node-scores.ts";
import { TopK } from "./top-k.ts";

/** Number of nodes taken from each score; more if many hits are requested. */
const MIN_DEPTH = 100;
const DEPTH_PER_HIT = 2;
/**
 * Maximum number of directories taken from each score, of files whose directories are used, and of all seeds.
 */
const MAX_SEEDS = 64;
const SEED_FILES = 32;
const LEVELS = 3;

type Half = "bm25" | "cosine";

/** Minimum scores: chunks without any query word are not lexical candidates; any cosine is accepted. */
const FLOOR: Readonly<Record<Half, number>> = { bm25: 0, cosine: Number.NEGATIVE_INFINITY };

/**
 * Number of rows sampled to estimate the score of the best ones, and the multiple of the requested rows that
 * should reach it, because several may belong to one node.
 */
const SAMPLE = 2048;
const SPARE = 4;
/** Minimum multiple of the sample size for which sampling is worthwhile. */
const MIN_STEP = 16;

/** Minimum share of the requested nodes among the nearest rows; below it, all rows are scored. */
const MIN_NODES_SHARE = 0.5;

/** Number of nodes taken from each score for this many hits. */
export const depthFor = (limit: number): number => Math.max(MIN_DEPTH, DEPTH_PER_HIT * limit);

export interface Candidates {
  /** Nodes that may be hits, unordered and unique. */
  readonly nodes: readonly number[];
  /** Directories in scope whose layers match the query, even if the filter excludes them as hits. */
  readonly directories: readonly number[];
  /** Number of nodes (per level) found by each score. */
  readonly lexical: number;
  readonly dense: number;
}

/**
 * The best nodes by either score over all segments. Filter and scope are applied first, so that excluded
 * nodes do not displace others.
 */
export function candidates(
  view: SearchView,
  query: SearchQuery,
  evidence: Evidence,
  limit: number,
): Candidates {
  const depth = depthFor(limit);
  const lexical = bestHits(view, evidence, "bm25", depth);
  let dense = bestHits(view, evidence, "cosine", depth);
  if (dense.size < MIN_NODES_SHARE * depth && scoreAll(view, evidence, query))
    dense = bestHits(view, evidence, "cosine", depth);
  const layers = [...bestLayers(evidence, "bm25"), ...bestLayers(evidence, "cosine")];
  return {
    nodes: [...new Set([...lexical.keys(), ...dense.keys()].map((key) => Math.floor(key / LEVELS)))],
    directories: [...new Set(layers)],
    lexical: lexical.size,
    dense: dense.size,
  };
}

/** The directories with the best layer scores. */
function bestLayers({ segments }: Evidence, half: Half): readonly number[] {
  const best = new TopK(MAX_SEEDS, FLOOR[half]);
  for (const evidence of segments) {
    const { node: nodes, level: levels } = evidence.documents;
    const { layers, mask } = evidence.live;
    const scores = evidence[half];
    // peaks and scores first: they mostly decide, and each column is a cache miss
    const peaks = half === "bm25" ? evidence.peaks : undefined;
    for (const row of scoredRows(evidence, half) ?? layers) {
      if (peaks && (peaks[Math.floor(row / PEAK_ROWS)] ?? 0) <= best.floor) continue;
      if (scores[row]! > best.floor && levels[row] !== 2 && mask[row] === 1)
        best.offer(nodes[row]!, scores[row]!);
    }
  }
  return best.keys();
}

/** Rows that include those with the best scores; undefined if all rows must be searched. */
const scoredRows = ({ scored }: SegmentEvidence, half: Half): readonly number[] | undefined =>
  half === "cosine" ? scored.nearest : undefined;

/**
 * The `depth` best nodes (per level) that may be hits. Searches above an estimated score first, and all rows
 * if too few reach it.
 */
function bestHits(view: SearchView, evidence: Evidence, half: Half, depth: number): TopK {
  const guess = likelyFloor(view, evidence, half, depth);
  if (guess > FLOOR[half]) {
    const best = hitsAbove(view, evidence, half, new TopK(depth, guess));
    if (best.size === depth) return best;
  }
  return hitsAbove(view, evidence, half, new TopK(depth, FLOOR[half]));
}

/**
 * A score that about SPARE × `depth` rows should reach, estimated from a sample; the minimum if there are few
 * rows.
 */
function likelyFloor({ filterMasks }: SearchView, { segments }: Evidence, half: Half, depth: number): number {
  const rows = segments.reduce((sum, { documents }) => sum + documents.rows, 0);
  const step = Math.floor(rows / SAMPLE);
  if (step < MIN_STEP) return FLOOR[half];
  const best = new TopK(Math.ceil((SPARE * depth) / step), FLOOR[half]);
  let first = 0;
  for (const segment of segments) {
    const { node: nodes, level: levels } = segment.documents;
    const { mask } = segment.live;
    const scores = segment[half];
    const isNamed = scoredRows(segment, half) !== undefined;
    for (let row = isNamed ? scores.length : 0; row < scores.length; row += step) {
      const score = scores[row]!;
      if (!(score > best.floor) || mask[row] !== 1) continue;
      if (filterMasks[levels[row]! as Level][nodes[row]!] === 1) best.offer(first + row, score);
    }
    first += scores.length;
  }
  return best.floor;
}

function hitsAbove(
  { filterMasks }: SearchView,
  { segments, memory }: Evidence,
  half: Half,
  best: TopK,
): TopK {
  for (const segment of segments) {
    const { node: nodes, level: levels } = segment.documents;
    const { mask } = segment.live;
    const scores = segment[half];
    const take = (row: number) => {
      const score = scores[row]!;
      if (!(score > best.floor)) return best.floor;
      const level = levels[row]! as Level;
      const node = nodes[row]!;
      if (mask[row] === 1 && filterMasks[level][node] === 1) best.offer(node * LEVELS + level, score);
      return best.floor;
    };
    const rows = scoredRows(segment, half);
    if (rows) rows.forEach(take);
    else if (half === "bm25") eachAbove(segment, best.floor, take);
    else memory.above(scores, best.floor, take);
  }
  return best;
}

export interface Seed {
  readonly directory: NodeId;
  /** Expected score: that of its better layer, or of the best file found in it. */
  readonly priority: number;
}

/**
 * Start of the exploration: directories that match the query, directories of the best files, and target
 * directories. Best first.
 */
export function seeds(view: SearchView, scores: NodeScores, { nodes, directories }: Candidates): Seed[] {
  const priority = new Map<number, number>();
  const add = (directory: number, promise: number) =>
    priority.set(directory, Math.max(promise, priority.get(directory) ?? 0));
  for (const directory of directories) add(directory, scores.layer(directory));
  const files = new TopK(SEED_FILES);
  for (const node of nodes) {
    const parent = parentOf(view.nodes, node);
    if (view.nodes.isDirectory[node] === 1 || parent < 0 || view.scope[parent] !== 1) continue;
    files.offer(node, scores.hit(node)?.own ?? 0);
  }
  for (const node of files.keys()) add(parentOf(view.nodes, node), scores.hit(node)?.own ?? 0);
  const targets = new Set(view.targets);
  for (const target of targets) add(target, scores.layer(target));
  return [...priority]
    .map(([directory, promise]) => ({ directory: nodeId(directory), priority: promise }))
    .sort(
      (a, b) =>
        Number(targets.has(b.directory)) - Number(targets.has(a.directory)) ||
        b.priority - a.priority ||
        a.directory - b.directory,
    )
    .slice(0, MAX_SEEDS)
    .sort((a, b) => b.priority - a.priority || a.directory - b.directory);
}
