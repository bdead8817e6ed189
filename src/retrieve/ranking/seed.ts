import type { Level } from "../../domain/chunk.ts";
import { type NodeId, nodeId } from "../../domain/node.ts";
import type { SearchQuery, SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import { type Evidence, scoreAll } from "./fuse.ts";
import type { SegmentEvidence } from "./live.ts";
import type { NodeScores } from "./node-scores.ts";
import { TopK } from "./top-k.ts";

/** Nodes taken from each score; more if the caller requests many hits. */
const MIN_DEPTH = 100;
const DEPTH_PER_HIT = 2;
/** Limits of directories taken from each score, of files whose directories are taken, and of seeds in all. */
const MAX_SEEDS = 64;
const SEED_FILES = 32;
const LEVELS = 3;

type Half = "bm25" | "cosine";

/** Documents without a word of the query are no lexical candidates; any cosine may be one. */
const FLOOR: Readonly<Record<Half, number>> = { bm25: 0, cosine: Number.NEGATIVE_INFINITY };

/**
 * Rows sampled to estimate the score of the best ones, and the multiple of the wanted rows that should reach
 * it: several may belong to one node.
 */
const SAMPLE = 2048;
const SPARE = 4;
/** Below this multiple of the sample size, sampling does not pay. */
const MIN_STEP = 16;

/**
 * If only the nearest rows were scored, and they belong to less than this share of the wanted nodes, all rows
 * are scored.
 */
const MIN_NODES_SHARE = 0.5;

/** Nodes taken from each score for so many hits. */
export const depthFor = (limit: number): number => Math.max(MIN_DEPTH, DEPTH_PER_HIT * limit);

export interface Candidates {
  /** Nodes that may be hits, unordered, without duplicates. */
  readonly nodes: readonly number[];
  /** Directories of the scope whose layers answer the query, even if the filter excludes them as hits. */
  readonly directories: readonly number[];
  /** Nodes (per level) found by each score. */
  readonly lexical: number;
  readonly dense: number;
}

/**
 * The best of both scores over all segments. Filter and scope are applied before, so that excluded nodes
 * displace nothing.
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

/** The directories whose layers have the best scores. */
function bestLayers({ segments }: Evidence, half: Half): readonly number[] {
  const best = new TopK(MAX_SEEDS, FLOOR[half]);
  for (const evidence of segments) {
    const { node: nodes, level: levels } = evidence.documents;
    const { layers, mask } = evidence.live;
    const scores = evidence[half];
    // the score first: it decides nearly always, and each column is a cache miss
    for (const row of scoredRows(evidence, half) ?? layers)
      if (scores[row]! > best.floor && levels[row] !== 2 && mask[row] === 1)
        best.offer(nodes[row]!, scores[row]!);
  }
  return best.keys();
}

/** The rows among which the best are; undefined for all. */
const scoredRows = ({ nearest }: SegmentEvidence, half: Half): readonly number[] | undefined =>
  half === "cosine" ? nearest : undefined;

/**
 * The best `depth` of the nodes (per level) that may be hits. Searched above an estimated score, and among
 * all if too few reach it.
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
 * A score that about SPARE × `depth` rows should reach, estimated by a sample; the minimum if there are few
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
      const level = levels[row]! as Level;
      const node = nodes[row]!;
      if (mask[row] === 1 && filterMasks[level][node] === 1) best.offer(node * LEVELS + level, scores[row]!);
      return best.floor;
    };
    const rows = scoredRows(segment, half);
    if (!rows) memory.above(scores, best.floor, take);
    else rows.forEach(take);
  }
  return best;
}

export interface Seed {
  readonly directory: NodeId;
  /** Expected score: its better layer, or the best file found in it. */
  readonly priority: number;
}

/**
 * Where the exploration starts: directories that answer the query, directories of the best files, and the
 * directories named by the target. Best first.
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
