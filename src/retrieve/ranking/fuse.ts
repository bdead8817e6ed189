import {
  fused,
  idf,
  lengthNorm,
  type QueryScale,
  queryScale,
  quoted,
  saturated,
} from "../../domain/score.ts";
import { ScoreBuffer } from "../../index/segments/score-buffer.ts";
import { HALVES } from "../../index/terms.ts";
import { PEAK_ROWS } from "../../index/vectors/scan.ts";
import type { Vectors } from "../../index/vectors/vectors.ts";
import { isPhraseMatch } from "../phrase-matches.ts";
import type { PhraseMatches, SearchQuery, SearchScratch, SearchView } from "../view.ts";
import { queryWordsInBestPassage } from "./agreement.ts";
import { addConversationScores } from "./conversation-scores.ts";
import { addWholeFileScores, MAX_TELLING_PASSAGES } from "./file-scores.ts";
import { countLive, liveRows, type SegmentEvidence } from "./live-rows.ts";

/** Maximum number of rows for which the scratch buffer is kept for the next search. */
const MAX_KEPT_ROWS = 2 ** 22;

const MAX_COSINE = 1;

export interface Evidence {
  readonly segments: readonly SegmentEvidence[];
  /** Holds both scores of the segments. */
  readonly memory: ScoreBuffer;
  readonly scale: QueryScale;
  /** Inverse document frequency in the scope, by query term. */
  readonly weights: ReadonlyMap<string, number>;
  /** Number of live chunks in all segments. */
  readonly documents: number;
  /** By node, as in NodeColumns. */
  readonly isCode: Uint8Array;
}

/** Minimum share of a segment in scope for using its nearest rows; below it, the whole segment is scanned. */
export const MIN_LIVE_SHARE = 0.5;

/**
 * Number of rows that the coarse scan selects in a search over at most NAMED_ROWS rows; nearly all of the
 * nearest ten are among them (docs/storage.md, section 5). Over more rows it grows by their square root: the
 * nearest are then farther from the others, and scoring a row is a cache miss.
 */
const NAMED = 800;
const NAMED_ROWS = 100_000;

/** Share of rows that each segment selects in a search over this many rows. */
export const namedShare = (rows: number): number =>
  (NAMED * Math.sqrt(Math.max(1, rows / NAMED_ROWS))) / rows;

interface Statistics {
  readonly documents: number;
  readonly averageLength: number;
}

/**
 * Computes both scores of every live chunk. Statistics, best score and coverage cover the whole scope, across
 * segments. `scratch` holds the scores until its next use.
 */
export function scoreChunks(view: SearchView, query: SearchQuery, scratch: SearchScratch): Evidence {
  const { segments, memory, rows } = scored(view, scratch);
  const statistics = count(segments);
  const terms = occurrencesOf(query.terms);
  // vectors first: they evict everything else from the processor's cache, and the terms' data is needed next
  const share = namedShare(rows);
  for (const evidence of segments)
    if (!scoreNearest(evidence, view, query.vectors, share)) scoreVectors(evidence, query.vectors);
  const { saturations, weights, ...byPassage } = scoreTerms(memory, segments, terms, statistics);
  const { best, ceiling } = addConversationScores(
    view,
    segments,
    terms,
    addWholeFileScores(view, scratch, segments, saturations, byPassage),
  );
  for (const evidence of segments) evidence.peaks = memory.peaks(evidence.bm25);
  const agreed = queryWordsInBestPassage({ segments, best }, query.terms);
  liftQuotes(view, segments, best);
  const scale = queryScale(query.known, { best, ceiling, agreed }, query.reading);
  return { segments, memory, scale, weights, documents: statistics.documents, isCode: view.nodes.isCode };
}

/** F of one chunk of a node. */
export function fusedRow(
  { scale, isCode }: Evidence,
  { bm25, cosine, scoreRow, scored }: SegmentEvidence,
  node: number,
  row: number,
): number {
  if (scoreRow && Number.isNaN(cosine[row])) {
    cosine[row] = scoreRow(row);
    scored.single.push(row);
  }
  return fused(scale, bm25[row]!, cosine[row]!, isCode[node] === 1);
}

/** Scores the remaining rows, for callers that visit all rows; false if there are none. */
export function scoreAll(
  { phraseMatches }: SearchView,
  { segments }: Evidence,
  { vectors }: SearchQuery,
): boolean {
  const rest = segments.filter(({ scoreRow }) => scoreRow !== undefined);
  for (const evidence of rest) {
    evidence.scoreRow = undefined;
    evidence.scored.nearest = undefined;
    scoreVectors(evidence, vectors);
    eachQuoted(phraseMatches, evidence, (row) => {
      evidence.cosine[row] = quoted(evidence.cosine[row]!, MAX_COSINE);
    });
  }
  return rest.length > 0;
}

/** The segments with empty scores, their memory, and the number of rows. */
function scored(
  view: SearchView,
  scratch: SearchScratch,
): { segments: SegmentEvidence[]; memory: ScoreBuffer; rows: number } {
  const rows = view.segments.reduce((sum, { documents }) => sum + documents.rows, 0);
  const memory = rows <= MAX_KEPT_ROWS ? scratch.scores : new ScoreBuffer();
  memory.reserve(rows);
  memory.column("bm25", 0, rows).fill(0);
  let first = 0;
  const segments: SegmentEvidence[] = view.segments.map((segment) => {
    const { documents } = segment;
    const [from, to] = [first, first + documents.rows];
    first = to;
    const column = (name: "bm25" | "cosine" | "norms") => memory.column(name, from, to);
    const live = liveRows(view, documents);
    const cosine = column("cosine");
    return {
      segment,
      documents,
      live,
      norms: column("norms"),
      bm25: column("bm25"),
      peaks: new Float32Array(0),
      cosine,
      scored: { cosine, nearest: undefined, single: [] },
    };
  });
  memory.clearCosines(segments.map(({ scored }) => scored));
  return { segments, memory, rows };
}

function count(segments: readonly SegmentEvidence[]): Statistics {
  let documents = 0;
  let length = 0;
  for (const { live } of segments) {
    documents += live.count;
    length += live.length;
  }
  return { documents, averageLength: documents === 0 ? 0 : length / documents };
}

function occurrencesOf(terms: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
  return times;
}

/**
 * Returns the best score, the upper bound of any chunk's score, and the saturation of each term that is
 * informative for files.
 */
function scoreTerms(
  memory: ScoreBuffer,
  segments: readonly SegmentEvidence[],
  terms: ReadonlyMap<string, number>,
  { documents, averageLength }: Statistics,
): {
  best: number;
  ceiling: number;
  saturations: ReadonlyMap<string, number>;
  weights: ReadonlyMap<string, number>;
} {
  writeNorms(memory, segments, averageLength);
  const saturations = new Map<string, number>();
  const weights = new Map<string, number>();
  let best = 0;
  let ceiling = 0;
  for (const [term, occurrences] of terms) {
    const lists = segments.map((evidence) => ({ evidence, list: evidence.segment.terms.list(term) }));
    const frequency = lists.reduce(
      (sum, { evidence, list }) => sum + (list ? countLive(evidence.live, list.rows) : 0),
      0,
    );
    const weight = idf(documents, frequency);
    weights.set(term, weight);
    const saturation = saturated(weight) * occurrences;
    ceiling += saturation;
    if (frequency <= MAX_TELLING_PASSAGES) saturations.set(term, saturation);
    if (frequency === 0) continue;
    for (const { list, evidence } of lists)
      if (list) best = Math.max(best, memory.addTerm(list, saturation, evidence.norms, evidence.bm25));
  }
  return { best, ceiling, saturations, weights };
}

/**
 * Writes the norms; reuses those of the previous search unless its scope differs or something has changed.
 */
function writeNorms(memory: ScoreBuffer, segments: readonly SegmentEvidence[], averageLength: number): void {
  if (!memory.needsNorms([averageLength, ...segments.map(({ live }) => live)])) return;
  const { base, slope } = lengthNorm(averageLength);
  for (const { documents, live, norms } of segments) {
    for (let row = 0; row < norms.length; row++)
      norms[row] =
        live.mask[row] === 1 ? HALVES * (base + slope * documents.length[row]!) : Number.POSITIVE_INFINITY;
  }
}

/**
 * Raises phrase matches, which have all words and the meaning of the query. Changes neither the best score
 * nor the coverage, so that no other chunk is affected.
 */
function liftQuotes({ phraseMatches }: SearchView, segments: readonly SegmentEvidence[], best: number): void {
  for (const evidence of segments) {
    const { bm25, peaks, cosine, scoreRow, scored } = evidence;
    eachQuoted(phraseMatches, evidence, (row) => {
      const lifted = quoted(bm25[row]!, best);
      bm25[row] = lifted;
      const peak = Math.floor(row / PEAK_ROWS);
      peaks[peak] = Math.max(peaks[peak] ?? 0, lifted);
      cosine[row] = quoted(scoreRow ? scoreRow(row) : cosine[row]!, MAX_COSINE);
      scored.nearest?.push(row);
    });
  }
}

function eachQuoted(
  phraseMatches: PhraseMatches | undefined,
  { segment, documents, live }: SegmentEvidence,
  lift: (row: number) => void,
): void {
  for (const node of phraseMatches?.keys() ?? []) {
    for (let row = segment.firstRow(node); row >= 0; row = documents.next[row] ?? -1)
      if (live.mask[row] === 1 && isPhraseMatch(phraseMatches, documents, row)) lift(row);
  }
}

/**
 * Scores only the nearest rows if they suffice and most rows are live; otherwise too few of the nearest may
 * remain.
 */
function scoreNearest(
  evidence: SegmentEvidence,
  { nearest, isBroad }: SearchView,
  queries: ReadonlyMap<string, Float32Array>,
  share: number,
): boolean {
  const { segment, documents, cosine, live } = evidence;
  if (!isBroad || live.count < documents.rows * MIN_LIVE_SHARE) return false;
  const [space, query] = [...queries].find(([name]) => segment.vectors.has(name)) ?? [];
  const vectors = segment.vectors.get(space ?? "");
  if (!query || !vectors || vectors.size < documents.rows) return false;
  const named = segment.neighbours?.space === space ? nearest?.get(segment) : undefined;
  const rows = named ? [...named] : vectors.scanNearest(query, cosine, share);
  if (!rows) return false;
  const scoreRow = vectors.scorer(query);
  if (named) for (const row of rows) cosine[row] = scoreRow(row);
  evidence.scoreRow = scoreRow;
  evidence.scored.nearest = rows;
  return true;
}

/** Scores spaces from the worst to the best, so that better ones overwrite worse ones. */
function scoreVectors(
  { segment, live, cosine }: SegmentEvidence,
  queries: ReadonlyMap<string, Float32Array>,
): void {
  const scans: (readonly [Vectors, Float32Array])[] = [];
  for (const [space, query] of queries) {
    const vectors = segment.vectors.get(space);
    if (vectors !== undefined) scans.unshift([vectors, query]);
    // a worse space would be overwritten completely
    if ((vectors?.size ?? 0) >= segment.documents.rows) break;
  }
  for (const [vectors, query] of scans) vectors.scan(query, cosine, live.mask);
}
