import { wordStart } from "../domain/text/analyse.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { answersKind } from "./answer-cues.ts";
import { MAX_MATCH, type WeighedText } from "./chunk-texts.ts";

/** A shorter passage continues into the next section. */
const ENOUGH = 300;
/**
 * Bonuses of a passage in addition to the score of its chunk: words of the query in its text rather than in
 * headings, and the kind of thing that is asked for.
 */
const WORDS_SHARE = 0.25;
const KIND_SHARE = 0.05;
/** Penalty for short texts: full up to the first length, none from the second on. */
const LITTLE = 80;
const PLENTY = 240;
const LITTLE_LOSS = 0.25;
/** Minimum advantage of another chunk. */
const MARGIN = 0.02;

/** A chunk that may be shown. */
export interface WeighedChunk {
  /** F of the formula. */
  readonly fused: number;
  /** Undefined if the text cannot be read. */
  readonly weighed: WeighedText | undefined;
}

/** Requirements of a query on a passage, computed once for all hits of an answer. */
export interface AskedOfPassage {
  /** Prefixes of the query's words (wordStart), and the weight of each. */
  readonly starts: readonly string[];
  readonly weights: readonly number[];
  /** Whether a text has the kind of thing that is asked for. */
  readonly isKind: (text: string) => boolean;
}

/** `weights`: the weight of each term of the query. */
export const askedOfPassage = (query: string, weights: ReadonlyMap<string, number>): AskedOfPassage => ({
  starts: [...weights.keys()].map(wordStart),
  weights: [...weights.values()],
  isKind: answersKind(query),
});

/**
 * The chunk of a document that answers best; undefined if none can be read. The first one is the one that was
 * found.
 */
export function chooseChunk<T extends WeighedChunk>(
  chunks: readonly T[],
  asked: AskedOfPassage,
): T | undefined {
  const weigh = weigher(asked);
  let best: { readonly chunk: T; readonly score: number } | undefined;
  for (const chunk of chunks) {
    if (chunk.weighed === undefined) continue;
    const score = chunk.fused + weigh(chunk.weighed) + (best === undefined ? MARGIN : 0);
    if (best === undefined || score > best.score) best = { chunk, score };
  }
  return best?.chunk;
}

/** The characters from `start` to `end` of a text as a reader sees them. */
export const readable = (text: string, start: number, end: number, isMarkdown: boolean): string =>
  isMarkdown
    ? plainPassage(text, { start, end }, { max: MAX_MATCH, enough: ENOUGH })
    : text.slice(start, end);

/** Estimates how well a chunk's text answers, beyond its score. */
function weigher({ starts, weights, isKind }: AskedOfPassage): (chunk: WeighedText) => number {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return ({ body, lower, length }) => {
    const found = weights.reduce((sum, weight, i) => sum + (lower.includes(starts[i] ?? "") ? weight : 0), 0);
    return (
      (WORDS_SHARE * found) / (all || 1) +
      (isKind(body) ? KIND_SHARE : 0) -
      LITTLE_LOSS * Math.min(1, Math.max(0, (PLENTY - length) / (PLENTY - LITTLE)))
    );
  };
}
