/** The score formula (retrieval.md, "The formula"), as pure functions of numbers. */

const K1 = 1.2;
const B = 0.75;
/**
 * Weight of the cosine in F if the model knows all query words. For sentence models it rises to
 * MAX_DENSE_SHARE if few query words are found, and for code unless the query contains an identifier.
 */
const DENSE_SHARE = 0.6;
const MAX_DENSE_SHARE = 0.8;
/** Coverage of the query's words above which they count as found, and below which they count as not found. */
const FOUND_COVER = 0.3;
const LOST_COVER = 0.1;
/** Share of its own BM25 or cosine by which a phrase match exceeds the best other value. */
const QUOTE_SHARE = 0.5;
/** Steepness of the confidence curve. */
const STEEPNESS = 16;
const STEEPNESS_PER_KNOWN = -4;
/**
 * Midpoint of the confidence curve. It is lower for words alone. For partly known queries it is above the
 * linear interpolation, because `lex` of the best match is at least `known`.
 */
const MIDDLE = 0.36;
const MIDDLE_PER_KNOWN = 0.22;
const MIDDLE_PER_PARTLY_KNOWN = 0.28;
/**
 * Shift of the confidence midpoint if the best passage contains only one of several query words:
 * ALONE_BY_WORDS always, plus ALONE_PER_KNOWN × known.
 */
const ALONE_BY_WORDS = 0.2;
const ALONE_PER_KNOWN = -0.14;
const PROPAGATION = 0.5;
const HOTNESS_SHARE = 0.2;
const HOTNESS_HALF_LIFE_DAYS = 7;
const DAY_MILLISECONDS = 86_400_000;

/** Inverse document frequency of a term that `frequency` of `documents` chunks contain. */
export const idf = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** Maximum score that one query term of this idf can add to a chunk. */
export const saturated = (termIdf: number): number => termIdf * (K1 + 1);

/** BM25 length normalisation: `norm = base + slope × length`. */
export interface LengthNorm {
  readonly base: number;
  readonly slope: number;
}

export const lengthNorm = (averageLength: number): LengthNorm => ({
  base: K1 * (1 - B),
  slope: (K1 * B) / (averageLength || 1),
});

/**
 * Score that a term of weight `weight` adds to a chunk with `norm`. `saturation`: `saturated(idf)` times the
 * term's occurrences in the query.
 */
export const termScore = (saturation: number, weight: number, norm: number): number =>
  (saturation * weight) / (weight + norm);

/** Constants of the score for one query. */
export interface QueryScale {
  /** Share of the query's word pieces that the model knows, 0 to 1. */
  readonly known: number;
  /** F for which the shown score is .5. */
  readonly middle: number;
  /** Factor from BM25 to `lex`. */
  readonly lexical: number;
  /** Weight of the cosine similarity in F, for text and for source code. */
  readonly dense: number;
  readonly denseOfCode: number;
}

/** Properties of a query that determine the weight of the cosine. */
export interface QueryReading {
  /** Whether the model embeds sentences and not only words. */
  readonly isOfSentences: boolean;
  /** Whether the query contains an identifier, which finds code better than the embedding. */
  readonly isOfIdentifiers: boolean;
}

/** How well the query's words matched over all candidates. */
export interface WordEvidence {
  /** Highest BM25 score. */
  readonly best: number;
  /** Upper bound for any chunk: the sum of `saturated` over the query's terms, including repeated ones. */
  readonly ceiling: number;
  /** Degree to which the best passage contains more than one of the query's words, 0 to 1. */
  readonly agreed: number;
}

export function queryScale(
  known: number,
  { best, ceiling, agreed }: WordEvidence,
  { isOfSentences, isOfIdentifiers }: QueryReading,
): QueryScale {
  const cover = best > 0 && ceiling > 0 ? Math.min(1, best / ceiling) : 0;
  const lost = isOfSentences
    ? Math.min(1, Math.max(0, (FOUND_COVER - cover) / (FOUND_COVER - LOST_COVER)))
    : 0;
  const dense = DENSE_SHARE + (MAX_DENSE_SHARE - DENSE_SHARE) * lost;
  return {
    known,
    middle:
      MIDDLE +
      MIDDLE_PER_KNOWN * known +
      MIDDLE_PER_PARTLY_KNOWN * known * (1 - known) +
      (1 - agreed) * (ALONE_BY_WORDS + ALONE_PER_KNOWN * known),
    lexical: best > 0 ? (known + (1 - known) * Math.sqrt(cover)) / best : 0,
    dense: dense * known,
    denseOfCode: (isOfSentences && !isOfIdentifiers ? MAX_DENSE_SHARE : dense) * known,
  };
}

/**
 * F, which determines the order of candidates. If `cosine` is NaN, the chunk has no vector in the query's
 * spaces and only the terms count.
 */
export function fused(scale: QueryScale, bm25: number, cosine: number, isCode: boolean): number {
  const lex = bm25 * scale.lexical;
  if (Number.isNaN(cosine)) return lex;
  const dense = isCode ? scale.denseOfCode : scale.dense;
  return (1 - dense) * lex + dense * Math.max(0, cosine);
}

/** Replaces the BM25 or cosine of a phrase match by a value above all others (`best`). */
export const quoted = (own: number, best: number): number => best + QUOTE_SHARE * Math.max(0, own);

/** Lexical and dense contributions to F. */
export function halves(
  scale: QueryScale,
  bm25: number,
  cosine: number,
  isCode: boolean,
): { lexical: number; dense: number } {
  const lex = bm25 * scale.lexical;
  if (Number.isNaN(cosine)) return { lexical: lex, dense: 0 };
  const share = isCode ? scale.denseOfCode : scale.dense;
  return { lexical: (1 - share) * lex, dense: share * Math.max(0, cosine) };
}

/** Maps F to the score shown to callers, 0 to 1; the order is unchanged. */
export function shownScore(f: number, { known, middle }: Pick<QueryScale, "known" | "middle">): number {
  return 1 / (1 + Math.exp(-(STEEPNESS + STEEPNESS_PER_KNOWN * known) * (f - middle)));
}

/**
 * Raises a score by that of the directory; never lowers it. `parent`: the better layer score of the
 * directory.
 */
export const propagated = (own: number, parent: number): number =>
  Math.max(own, (1 - PROPAGATION) * own + PROPAGATION * parent);

/**
 * sigmoid(ln(1 + activeCount)) × 2^(-age / 7 days); .5 for new, unused content. Times after `now` count as
 * `now`. Times in ms.
 */
export function hotness(activeCount: number, updatedAt: number, now: number): number {
  const days = Math.max(0, now - updatedAt) / DAY_MILLISECONDS;
  return ((1 + activeCount) / (2 + activeCount)) * 2 ** (-days / HOTNESS_HALF_LIFE_DAYS);
}

/** The final score of a hit. */
export const blended = (semantic: number, heat: number): number =>
  (1 - HOTNESS_SHARE) * semantic + HOTNESS_SHARE * heat;
