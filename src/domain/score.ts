/** The scoring rules of retrieval.md ("The formula") and ruling Q14, as pure functions of numbers. */

const K1 = 1.2;
const B = 0.75;
/**
 * Share of the cosine in F for a query that the model understands completely: larger for sentence models,
 * which find what words cannot.
 */
const DENSE_SHARE = 0.6;
const MAX_DENSE_SHARE = 0.8;
/** Cover of a query's words above which it counts as found, and below which as lost. */
const FOUND_COVER = 0.3;
const LOST_COVER = 0.1;
/** Share of its own lexical score when a phrase match is ranked first. */
const QUOTE_SHARE = 0.5;
/**
 * The scale of F. Words alone separate relevant from irrelevant at a lower F than words and meaning together.
 * The midpoint between them lies above the straight line, since `lex` has a floor there that the cosine
 * hardly lowers.
 */
const STEEPNESS = 16;
const STEEPNESS_PER_KNOWN = -4;
const MIDDLE = 0.36;
const MIDDLE_PER_KNOWN = 0.22;
const MIDDLE_PER_PARTLY_KNOWN = 0.28;
/**
 * Added to the midpoint of the confidence curve if the best passage has only one of several words:
 * ALONE_BY_WORDS always, ALONE_PER_KNOWN in addition if the meaning is known.
 */
const ALONE_BY_WORDS = 0.2;
const ALONE_PER_KNOWN = -0.14;
const PROPAGATION = 0.5;
const HOTNESS_SHARE = 0.2;
const HOTNESS_HALF_LIFE_DAYS = 7;
const DAY_MILLISECONDS = 86_400_000;

/** Inverse document frequency of a term in `frequency` of `documents`. */
export const idf = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** Upper bound of the score that one query term of this idf adds to a document. */
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
 * Score that a term of weight `weight` adds to a document with `norm`; `saturation` is `saturated(idf)` times
 * the term's occurrences in the query.
 */
export const termScore = (saturation: number, weight: number, norm: number): number =>
  (saturation * weight) / (weight + norm);

/** Per-query constants of the score. */
export interface QueryScale {
  /** Share of the query's word pieces the model knows, 0 to 1. */
  readonly known: number;
  /** F at which a hit shows .5. */
  readonly middle: number;
  /** lex = BM25 × this. */
  readonly lexical: number;
  /** Share of the cosine in F, of documents and of source code. */
  readonly dense: number;
  readonly denseOfCode: number;
}

/** Inputs that decide the share of the cosine. */
export interface QueryReading {
  /** The model embeds sentences, not only words. */
  readonly isOfSentences: boolean;
  /** The query contains an identifier, which finds code better than its meaning does. */
  readonly isOfIdentifiers: boolean;
}

/** How well the words of a query matched overall. */
export interface WordEvidence {
  /** The highest BM25. */
  readonly best: number;
  /** Upper bound for any document: the sum of `saturated` over the query's terms (repeated ones included). */
  readonly ceiling: number;
  /** Whether the best passage has more than one of the query's words, 0 to 1. */
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
 * F: the order of the candidates. `cosine` NaN = no vector in any space of the query; then only the terms
 * count.
 */
export function fused(scale: QueryScale, bm25: number, cosine: number, isCode: boolean): number {
  const lex = bm25 * scale.lexical;
  if (Number.isNaN(cosine)) return lex;
  const dense = isCode ? scale.denseOfCode : scale.dense;
  return (1 - dense) * lex + dense * Math.max(0, cosine);
}

/**
 * Replaces the BM25 or cosine of a phrase match: puts it above all others (`best`), whatever else the passage
 * contains.
 */
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

/** F mapped to the scale of 0 to 1 that callers see; same order. */
export function shownScore(f: number, { known, middle }: Pick<QueryScale, "known" | "middle">): number {
  return 1 / (1 + Math.exp(-(STEEPNESS + STEEPNESS_PER_KNOWN * known) * (f - middle)));
}

/**
 * A directory can raise the score of its contents, never lower it. `parent` is the better layer score of the
 * directory.
 */
export const propagated = (own: number, parent: number): number =>
  Math.max(own, (1 - PROPAGATION) * own + PROPAGATION * parent);

/**
 * sigmoid(ln(1 + activeCount)) × 2^(-age / 7 days); .5 for fresh, unused content. Updates after `now` count
 * as fresh. Times in ms.
 */
export function hotness(activeCount: number, updatedAt: number, now: number): number {
  const days = Math.max(0, now - updatedAt) / DAY_MILLISECONDS;
  return ((1 + activeCount) / (2 + activeCount)) * 2 ** (-days / HOTNESS_HALF_LIFE_DAYS);
}

/** The score of a hit. */
export const blended = (semantic: number, heat: number): number =>
  (1 - HOTNESS_SHARE) * semantic + HOTNESS_SHARE * heat;
