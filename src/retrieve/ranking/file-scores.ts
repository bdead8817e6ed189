import { lengthNorm, termScore } from "../../domain/score.ts";
import { fileScratch, type SearchScratch, type SearchView } from "../view.ts";
import type { LiveRows, SegmentEvidence } from "./live-rows.ts";
import { END, FROM, NEXT, NODE, RUN } from "./live-rows.ts";

/** Weight of the file score relative to the passage score. */
const FILE_SHARE = 0.25;

/**
 * Maximum number of passages with a word; a more frequent word carries little information about a file, and
 * scanning its passages is slow.
 */
export const MAX_TELLING_PASSAGES = 4096;

/** The live passages of each node, combined. */
interface Files {
  /** Inputs of the cached value. */
  readonly live: readonly LiveRows[];
  /** Sum of the lengths of its passages, by node. */
  readonly lengths: Float32Array;
  readonly averageLength: number;
  /** Whether any node has more than one passage. */
  readonly isDivided: boolean;
}

/** Cached by scope; valid for all searches in it until the tree or a table changes. */
const known = new WeakMap<Uint8Array, Files>();

/**
 * Adds a quarter of the whole file's BM25 to each of its passages, so that words in its other passages count.
 * `saturations`: by term, as in termScore. Returns the best score and the new upper bound of any chunk's
 * score. No change if every file has only one passage, because both scores would be equal.
 */
export function addWholeFileScores(
  view: SearchView,
  scratch: SearchScratch,
  segments: readonly SegmentEvidence[],
  saturations: ReadonlyMap<string, number>,
  scored: { readonly best: number; readonly ceiling: number },
): { best: number; ceiling: number } {
  const files = filesOf(view, segments);
  if (!files.isDivided || scored.best === 0) return scored;
  if (scratch.files.scores.length < view.nodes.size) scratch.files = fileScratch(view.nodes.size);
  const { scores, scored: nodes } = scratch.files;
  const count = scoreFiles(scratch.files, segments, saturations, files);
  let { best, ceiling } = scored;
  for (const saturation of saturations.values()) ceiling += FILE_SHARE * saturation;
  if (count === 0) return { best, ceiling };
  const found = nodes.subarray(0, count);
  for (const evidence of segments) best = Math.max(best, addTo(evidence, found, scores));
  for (const node of found) scores[node] = 0;
  return { best, ceiling };
}

/** Adds the scores of files to their passages in a segment; returns the best resulting score. */
function addTo({ bm25, live }: SegmentEvidence, nodes: Int32Array, scores: Float32Array): number {
  const { runs } = live;
  const { numbers } = runs;
  let best = 0;
  for (const node of nodes) {
    const added = FILE_SHARE * scores[node]!;
    for (let run = runs.of(node); run >= 0; run = numbers[run + NEXT]!) {
      const end = numbers[run + END]!;
      for (let row = numbers[run + FROM]!; row < end; row++) {
        const score = bm25[row]! + added;
        bm25[row] = score;
        if (score > best) best = score;
      }
    }
  }
  return Math.fround(best);
}

/** Returns the number of nodes with a score. */
function scoreFiles(
  { sums, scores, summed, scored }: SearchScratch["files"],
  segments: readonly SegmentEvidence[],
  saturations: ReadonlyMap<string, number>,
  { lengths, averageLength }: Files,
): number {
  const { base, slope } = lengthNorm(averageLength);
  let all = 0;
  for (const [term, saturation] of saturations) {
    let count = 0;
    for (const { segment, documents, live } of segments)
      count = segment.terms.sum(term, live.mask, documents.node, sums, summed, count);
    for (const node of summed.subarray(0, count)) {
      const before = scores[node]!;
      if (before === 0) scored[all++] = node;
      scores[node] = before + termScore(saturation, sums[node]!, base + slope * lengths[node]!);
      sums[node] = 0;
    }
  }
  return all;
}

function filesOf({ nodes, scope }: SearchView, segments: readonly SegmentEvidence[]): Files {
  const before = known.get(scope);
  if (before?.live.length === segments.length && segments.every(({ live }, i) => live === before.live[i]))
    return before;
  const lengths = new Float32Array(nodes.size);
  let [files, passages, sum] = [0, 0, 0];
  for (const { documents, live } of segments) {
    const { numbers } = live.runs;
    for (let run = 0; run < numbers.length; run += RUN) {
      const node = numbers[run + NODE]!;
      if (lengths[node] === 0) files++;
      for (let row = numbers[run + FROM]!; row < numbers[run + END]!; row++)
        lengths[node]! += documents.length[row]!;
    }
    passages += live.count;
    sum += live.length;
  }
  const made = {
    live: segments.map(({ live }) => live),
    lengths,
    averageLength: sum / (files || 1),
    isDivided: passages > files,
  };
  known.set(scope, made);
  return made;
}
