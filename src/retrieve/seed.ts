import type { Level } from "../domain/chunk.ts";
import type { ScoreMemory } from "../storage/segments/score-memory.ts";
import { BestKeys } from "./best-keys.ts";
import type { PartitionEvidence } from "./evidence.ts";
import type { Evidence } from "./fuse.ts";
import type { NodeScores } from "./node-scores.ts";
import type { SearchView } from "./view.ts";

/** Nodes taken from each half of the formula; more where the caller asks for many hits. */
const MIN_DEPTH = 100;
const DEPTH_PER_HIT = 2;
/** Directories taken from each half, files whose directories are taken, and starting directories in all. */
const MAX_SEEDS = 64;
const SEED_FILES = 32;
const LEVELS = 3;

/** Nodes taken from each half for so many hits. */
export const depthFor = (limit: number): number => Math.max(MIN_DEPTH, DEPTH_PER_HIT * limit);

export interface Candidates {
  /** Nodes that may be hits, in no order, none twice. */
  readonly nodes: readonly number[];
  /** Directories of the scope whose layers answer the query, whether or not the filter lets them be hits. */
  readonly directories: readonly number[];
  /** Nodes per level found by each half. */
  readonly lexical: number;
  readonly dense: number;
}

/** The best of both halves over all partitions. Filter and scope are applied before, so that what they leave out takes nobody's place. */
export function candidates(view: SearchView, evidence: Evidence, limit: number): Candidates {
  const depth = depthFor(limit);
  const hits = new BestOfHalves(depth);
  const directories = new BestOfHalves(MAX_SEEDS);
  for (const partition of evidence.partitions) {
    offerHits(view, evidence.memory, partition, partition.bm25, hits.lexical);
    offerHits(view, evidence.memory, partition, partition.cosine, hits.dense);
    const { node } = partition.documents;
    for (const row of partition.live.layers) directories.offer(node[row]!, partition.bm25[row]!, partition.cosine[row]!);
  }
  return {
    nodes: [...new Set(hits.keys().map((key) => Math.floor(key / LEVELS)))],
    directories: [...new Set(directories.keys())],
    lexical: hits.lexical.size,
    dense: hits.dense.size,
  };
}

function offerHits(
  { admitted }: SearchView,
  memory: ScoreMemory,
  { documents, live }: PartitionEvidence,
  scores: Float32Array,
  best: BestKeys,
): void {
  const { node: nodes, level: levels } = documents;
  const { mask } = live;
  memory.above(scores, best.floor, (row) => {
    const level = levels[row]! as Level;
    const node = nodes[row]!;
    if (mask[row] === 1 && admitted[level][node] === 1) best.offer(node * LEVELS + level, scores[row]!);
    return best.floor;
  });
}

class BestOfHalves {
  readonly lexical: BestKeys;
  readonly dense: BestKeys;

  constructor(depth: number) {
    this.lexical = new BestKeys(depth, 0);
    this.dense = new BestKeys(depth);
  }

  offer(key: number, bm25: number, cosine: number): void {
    if (bm25 > this.lexical.floor) this.lexical.offer(key, bm25);
    if (cosine > this.dense.floor) this.dense.offer(key, cosine);
  }

  keys(): number[] {
    return [...this.lexical.keys(), ...this.dense.keys()];
  }
}

export interface Seed {
  readonly directory: number;
  /** What it promises: its better layer, or the best file found in it. */
  readonly priority: number;
}

/** Where the exploration starts: directories that answer the query, directories of the best files, and the directories named by the target. Best first. */
export function seeds(view: SearchView, scores: NodeScores, { nodes, directories }: Candidates): Seed[] {
  const priority = new Map<number, number>();
  const add = (directory: number, promise: number) => priority.set(directory, Math.max(promise, priority.get(directory) ?? 0));
  for (const directory of directories) add(directory, scores.layer(directory));
  const files = new BestKeys(SEED_FILES);
  for (const node of nodes) {
    const parent = view.nodes.parent[node]!;
    if (view.nodes.isDirectory[node] === 1 || parent < 0 || view.scope[parent] !== 1) continue;
    files.offer(node, scores.hit(node)?.own ?? 0);
  }
  for (const node of files.keys()) add(view.nodes.parent[node]!, scores.hit(node)?.own ?? 0);
  const targets = new Set(view.targets);
  for (const target of targets) add(target, scores.layer(target));
  return [...priority]
    .map(([directory, promise]) => ({ directory, priority: promise }))
    .sort(
      (a, b) => Number(targets.has(b.directory)) - Number(targets.has(a.directory)) || b.priority - a.priority || a.directory - b.directory,
    )
    .slice(0, MAX_SEEDS)
    .sort((a, b) => b.priority - a.priority || a.directory - b.directory);
}
