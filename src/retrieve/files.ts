import { lengthNorm, termScore } from "../domain/score.ts";
import type { PartitionEvidence } from "./evidence.ts";
import type { LiveRows } from "./live.ts";
import type { SearchView } from "./view.ts";

/** What a whole file says counts this much of what a passage of it says itself. */
const FILE_SHARE = 0.5;

/** A word in more passages than these says little of a file, and to look through them all would take long. */
export const MAX_TELLING_PASSAGES = 4096;

/** The live passages of each node together. */
interface Files {
  /** What it was worked out from. */
  readonly live: readonly LiveRows[];
  /** By node, the sum of the lengths of its passages. */
  readonly lengths: Float32Array;
  readonly averageLength: number;
  /** By partition, runs of rows that count and are of one node: three numbers each, the node, the first row, and the one behind the last. */
  readonly runs: readonly Int32Array[];
  /** Some node has more than one passage. */
  readonly isDivided: boolean;
}

/** By scope: worked out once for all searches in it until the tree or a table changes. */
const known = new WeakMap<Uint8Array, Files>();

const memoryFor = (nodes: number) => ({
  /** By node, with nothing in them between searches. */
  sums: new Float32Array(nodes),
  scores: new Float32Array(nodes),
  /** Nodes that have a sum, and those that have a score. */
  summed: new Int32Array(nodes),
  scored: new Int32Array(nodes),
});

/** One memory for all searches. */
let kept = memoryFor(0);

/**
 * Adds to the BM25 of each passage half of that of its whole file: words that stand in other passages of it count too. `saturations` by term as in termScore. Answers
 * the best score and the most any document could have now. Where every file is one passage nothing changes: both would be the same.
 */
export function addFiles(
  view: SearchView,
  partitions: readonly PartitionEvidence[],
  saturations: ReadonlyMap<string, number>,
  scored: { readonly best: number; readonly ceiling: number },
): { best: number; ceiling: number } {
  const files = filesOf(view, partitions);
  if (!files.isDivided || scored.best === 0) return scored;
  if (kept.scores.length < view.nodes.size) kept = memoryFor(view.nodes.size);
  const { scores, scored: nodes } = kept;
  const count = scoreFiles(partitions, saturations, files);
  let { best, ceiling } = scored;
  for (const saturation of saturations.values()) ceiling += FILE_SHARE * saturation;
  if (count === 0) return { best, ceiling };
  for (const [i, evidence] of partitions.entries()) best = Math.max(best, addTo(evidence, files.runs[i]!, scores));
  for (let i = 0; i < count; i++) scores[nodes[i]!] = 0;
  return { best, ceiling };
}

/** Adds what the files have to their passages in a partition; the best score of these. */
function addTo({ bm25 }: PartitionEvidence, runs: Int32Array, scores: Float32Array): number {
  let best = 0;
  for (let run = 0; run < runs.length; run += 3) {
    const whole = scores[runs[run]!]!;
    if (whole === 0) continue;
    const end = runs[run + 2]!;
    for (let row = runs[run + 1]!; row < end; row++) {
      const score = bm25[row]! + FILE_SHARE * whole;
      bm25[row] = score;
      if (score > best) best = score;
    }
  }
  return Math.fround(best);
}

/** Answers how many nodes have a score. */
function scoreFiles(
  partitions: readonly PartitionEvidence[],
  saturations: ReadonlyMap<string, number>,
  { lengths, averageLength }: Files,
): number {
  const { sums, scores, summed, scored } = kept;
  const { base, slope } = lengthNorm(averageLength);
  let all = 0;
  for (const [term, saturation] of saturations) {
    let count = 0;
    for (const { partition, documents, live } of partitions)
      count = partition.terms.sum(term, live.mask, documents.node, sums, summed, count);
    for (let i = 0; i < count; i++) {
      const node = summed[i]!;
      const before = scores[node]!;
      if (before === 0) scored[all++] = node;
      scores[node] = before + termScore(saturation, sums[node]!, base + slope * lengths[node]!);
      sums[node] = 0;
    }
  }
  return all;
}

function filesOf({ nodes, scope }: SearchView, partitions: readonly PartitionEvidence[]): Files {
  const before = known.get(scope);
  if (before?.live.length === partitions.length && partitions.every(({ live }, i) => live === before.live[i])) return before;
  const lengths = new Float32Array(nodes.size);
  let [files, passages, sum] = [0, 0, 0];
  for (const { documents, live } of partitions) {
    for (let row = 0; row < live.mask.length; row++) {
      if (live.mask[row] !== 1) continue;
      const node = documents.node[row]!;
      if (lengths[node] === 0) files++;
      lengths[node]! += documents.length[row]!;
    }
    passages += live.count;
    sum += live.length;
  }
  const made = {
    live: partitions.map(({ live }) => live),
    lengths,
    averageLength: sum / (files || 1),
    runs: passages > files ? partitions.map(runsOf) : [],
    isDivided: passages > files,
  };
  known.set(scope, made);
  return made;
}

/** Few, since rows of a node lie side by side as they were added together. */
function runsOf({ documents: { node: nodes }, live: { mask, count } }: PartitionEvidence): Int32Array {
  const runs = new Int32Array(3 * count);
  let end = 0;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] !== 1) continue;
    if (end === 0 || runs[end - 1] !== row || runs[end - 3] !== nodes[row]) {
      runs[end] = nodes[row]!;
      runs[end + 1] = row;
      end += 3;
    }
    runs[end - 1] = row + 1;
  }
  return runs.slice(0, end);
}
