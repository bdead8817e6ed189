import { valueFor } from "../../base/expect.ts";
import { idf, lengthNorm, saturated, termScore } from "../../domain/score.ts";
import { readRow } from "../../index/segments/rows.ts";
import type { SearchView } from "../view.ts";
import { parentOf } from "./children.ts";
import type { LiveRows, SegmentEvidence } from "./live-rows.ts";

/** Weight of the conversation's score relative to the part's own (docs/memory.md). */
const CONVERSATION_SHARE = 0.5;

interface Parts {
  readonly sequence: number;
  /** Directory of the conversation by row; -1 if none. */
  readonly groups: Int32Array;
  /** Sum of the lengths by directory. */
  readonly lengths: ReadonlyMap<number, number>;
}

/**
 * Cached per live rows: the parts do not depend on the query, and are valid for one state of the node table.
 */
const known = new WeakMap<LiveRows, Parts>();

function partsOf({ nodes, conversations }: SearchView, { documents, live }: SegmentEvidence): Parts {
  const before = known.get(live);
  if (before?.sequence === nodes.sequence) return before;
  const groups = new Int32Array(documents.rows).fill(-1);
  const lengths = new Map<number, number>();
  for (let row = 0; row < documents.rows; row++) {
    if (live.mask[row] !== 1) continue;
    const { node, level, length } = readRow(documents, row);
    const directory = level === 2 ? parentOf(nodes, node) : -1;
    if (directory < 0 || nodes.parent[directory] !== conversations) continue;
    groups[row] = directory;
    lengths.set(directory, (lengths.get(directory) ?? 0) + length);
  }
  const parts = { sequence: nodes.sequence, groups, lengths };
  known.set(live, parts);
  return parts;
}

/**
 * Adds half of a conversation's score to each of its parts. The conversation is treated as the sum of its
 * parts, with its own statistics. Returns the best score and the new upper bound of any chunk's score.
 */
export function addConversationScores(
  view: SearchView,
  segments: readonly SegmentEvidence[],
  terms: ReadonlyMap<string, number>,
  scored: { readonly best: number; readonly ceiling: number },
): { best: number; ceiling: number } {
  if (!view.conversations) return scored;
  const parts = segments
    .map((segment) => ({ ...segment, ...partsOf(view, segment) }))
    .filter((part) => part.lengths.size > 0);
  const lengths = new Map<number, number>();
  for (const part of parts)
    for (const [directory, length] of part.lengths)
      lengths.set(directory, (lengths.get(directory) ?? 0) + length);
  if (lengths.size === 0) return scored;
  const { scores, ceiling } = scoreWhole(view.nodes.size, parts, terms, lengths);
  let { best } = scored;
  for (const { bm25, groups } of parts) {
    for (let row = 0; row < groups.length; row++) {
      const directory = groups[row]!;
      if (directory < 0) continue;
      const score = Math.fround(bm25[row]! + CONVERSATION_SHARE * (scores.get(directory) ?? 0));
      bm25[row] = score;
      if (score > best) best = score;
    }
  }
  return { best, ceiling: scored.ceiling + CONVERSATION_SHARE * ceiling };
}

function scoreWhole(
  nodes: number,
  parts: readonly (SegmentEvidence & Parts)[],
  terms: ReadonlyMap<string, number>,
  lengths: ReadonlyMap<number, number>,
): { scores: Map<number, number>; ceiling: number } {
  const all = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const { base, slope } = lengthNorm(all / lengths.size);
  const scores = new Map<number, number>();
  const sums = new Float32Array(nodes);
  const touched = new Int32Array(lengths.size);
  let ceiling = 0;
  for (const [term, occurrences] of terms) {
    let count = 0;
    for (const { segment, live, groups } of parts)
      count = segment.terms.sum(term, live.mask, groups, sums, touched, count);
    const saturation = saturated(idf(lengths.size, count)) * occurrences;
    ceiling += saturation;
    for (const directory of touched.subarray(0, count)) {
      const norm = base + slope * valueFor(lengths, directory);
      scores.set(directory, (scores.get(directory) ?? 0) + termScore(saturation, sums[directory]!, norm));
      sums[directory] = 0;
    }
  }
  return { scores, ceiling };
}
