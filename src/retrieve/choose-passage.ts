import { CJK_CHARACTER, wordStart } from "../domain/text/analyse.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { answersKind } from "./answer-cues.ts";
import { bestPart } from "./best-part.ts";
import type { ShownChunk } from "./view.ts";

/** Characters of a passage that a hit shows. */
export const MAX_MATCH = 1000;
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

/** A chunk with its surrounding text. */
export interface ReadChunk extends ShownChunk {
  readonly start: number;
  readonly end: number;
  /** The surrounding text; undefined if it is too large to be read. */
  readonly text: string | undefined;
  readonly isMarkdown: boolean;
}

export interface ChosenPassage {
  readonly chunk: ReadChunk;
  readonly match: string;
}

/** What a query needs from a passage, computed once for all hits of an answer. */
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
 * The chunk of a document that answers best, as shown to a reader. The first chunk is the one that was found.
 */
export function choosePassage(
  chunks: readonly ReadChunk[],
  asked: AskedOfPassage,
): ChosenPassage | undefined {
  const weigh = chunks.length > 1 ? weigher(asked) : () => 0;
  let best: { readonly chunk: ReadChunk; readonly score: number } | undefined;
  for (const chunk of chunks) {
    if (chunk.text === undefined) continue;
    const score =
      chunk.fused + weigh(chunk.text.slice(chunk.start, chunk.end)) + (best === undefined ? MARGIN : 0);
    if (best === undefined || score > best.score) best = { chunk, score };
  }
  return best && { chunk: best.chunk, match: bestPart(readable(best.chunk), asked.starts, MAX_MATCH) };
}

function readable({ text = "", start, end, isMarkdown }: ReadChunk): string {
  return isMarkdown
    ? plainPassage(text, { start, end }, { max: MAX_MATCH, enough: ENOUGH })
    : text.slice(start, end);
}

/** Headings, front matter, link targets, tags and isolated links: words in them answer nothing. */
const NOISE =
  /^---\n[\s\S]*?\n---$|^#{1,6} .*$|^[ \t]*(?:[-*+][ \t]+)?!?\[[^\]\n]{0,200}\](?:\([^()\s]{0,500}\))?[ \t]*$|\]\([^()\s]{0,500}\)|<[^<>]{0,500}>/gm;

/** Estimates how well a chunk's text answers, beyond its score. */
function weigher({ starts, weights, isKind }: AskedOfPassage): (chunk: string) => number {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return (chunk) => {
    const body = chunk.replace(NOISE, " ").trim();
    const held = body.toLowerCase();
    const found = weights.reduce((sum, weight, i) => sum + (held.includes(starts[i] ?? "") ? weight : 0), 0);
    const length = CJK_CHARACTER.test(body) ? 2 * body.length : body.length;
    return (
      (WORDS_SHARE * found) / (all || 1) +
      (isKind(body) ? KIND_SHARE : 0) -
      LITTLE_LOSS * Math.min(1, Math.max(0, (PLENTY - length) / (PLENTY - LITTLE)))
    );
  };
}
