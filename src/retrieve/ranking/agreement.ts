import { CJK_CHARACTER } from "../../domain/text/analyse.ts";
import { queryUnits } from "../../domain/text/query-units.ts";
import { placeIn } from "../../index/segments/ascending.ts";
import type { SegmentEvidence } from "./evidence.ts";

/** Scores that differ by less are the same but for rounding. */
const SAME = 1e-5;
const MAX_SAME = 8;
/** Two Chinese or Japanese characters make about a word. */
const CHARACTERS_PER_WORD = 2;

/**
 * Whether the best passage by words has more than one of the words of a query, 0 to 1: a single word of
 * several may well be chance. 1 for a query of one word.
 */
export function agreement(segments: readonly SegmentEvidence[], terms: readonly string[]): number {
  const [asked, held] = counts(segments, terms);
  const wanted = Math.min(2, asked);
  return wanted <= 1 ? 1 : Math.max(0, Math.min(1, (held - 1) / (wanted - 1)));
}

/** Words of a query, and those of them that the best passage holds. */
function counts(segments: readonly SegmentEvidence[], terms: readonly string[]): [number, number] {
  const best = bestRows(segments);
  // a word that is asked for twice is one; characters are parts of words
  const units = new Map(queryUnits(terms).map((unit, i) => [isCjk(unit) ? i : unit.join(" "), unit]));
  const held = best.map(() => 0);
  let asked = 0;
  for (const unit of units.values()) {
    const weight = isCjk(unit) ? 1 / CHARACTERS_PER_WORD : 1;
    asked += weight;
    for (const [i, { segment, row }] of best.entries())
      if (unit.some((term) => holds(segment, term, row))) held[i] = (held[i] ?? 0) + weight;
  }
  return [asked, Math.max(0, ...held)];
}

const isCjk = ([term = ""]: readonly string[]): boolean => CJK_CHARACTER.test(term);

const holds = ({ segment }: SegmentEvidence, term: string, row: number): boolean => {
  const rows = segment.terms.list(term)?.rows;
  return rows !== undefined && placeIn(rows, row) >= 0;
};

interface Row {
  readonly segment: SegmentEvidence;
  readonly row: number;
}

/** Passages that have the best score: the first of them, where many are the same. */
function bestRows(segments: readonly SegmentEvidence[]): Row[] {
  let best: Row[] = [];
  let highest = 0;
  for (const segment of segments) {
    const { bm25 } = segment;
    for (let row = 0; row < bm25.length; row++) {
      const score = bm25[row] ?? 0;
      if (score <= highest * (1 - SAME)) continue;
      if (score > highest * (1 + SAME)) best = [];
      if (score > 0 && best.length < MAX_SAME) best.push({ segment, row });
      highest = Math.max(highest, score);
    }
  }
  return best;
}
