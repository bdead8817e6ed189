import { CJK_CHARACTER } from "../../domain/text/analyse.ts";
import { queryUnits } from "../../domain/text/query-units.ts";
import { placeIn } from "../../index/segments/ascending.ts";
import { eachAbove, type SegmentEvidence } from "./live-rows.ts";

/** Maximum difference of scores considered equal, because of rounding. */
const SAME = 1e-5;
const MAX_SAME = 8;
/** Number of query words from which even two common words may match by chance. */
const MANY_WORDS = 5;
/** Two Chinese or Japanese characters are about one word. */
const CHARACTERS_PER_WORD = 2;

/** Scores of passages by the query's words. */
interface ScoredWords {
  readonly segments: readonly SegmentEvidence[];
  /** Highest word score. */
  readonly best: number;
}

/**
 * Whether the best passage by words contains more than one of the query's words, 0 to 1: a single match among
 * several words may be chance, as may two among many. 1 for a query of one word.
 */
export function queryWordsInBestPassage(scored: ScoredWords, terms: readonly string[]): number {
  const [asked, held] = counts(scored, terms);
  const wanted = asked < MANY_WORDS ? Math.min(2, asked) : 3;
  const share = wanted <= 1 ? 1 : Math.max(0, Math.min(1, (held - 1) / (wanted - 1)));
  return wanted > 2 ? share ** 2 : share;
}

/** Number of the query's words, and of those in the best passage. */
function counts(scored: ScoredWords, terms: readonly string[]): [number, number] {
  const best = bestRows(scored);
  // a repeated word counts once; characters are parts of words
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

/** Passages with the best score; only the first ones if there are many. */
function bestRows({ segments, best }: ScoredWords): Row[] {
  const rows: Row[] = [];
  const same = best * (1 - SAME);
  for (const segment of best > 0 ? segments : []) {
    eachAbove(segment, same, (row) => {
      if (rows.length < MAX_SAME) rows.push({ segment, row });
      return rows.length < MAX_SAME ? same : Number.POSITIVE_INFINITY;
    });
  }
  return rows;
}
