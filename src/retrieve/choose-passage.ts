import { CJK_CHARACTER, wordStart } from "../domain/text/analyse.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { answersKind } from "./answer-cues.ts";
import { bestPart } from "./best-part.ts";
import type { ShownChunk } from "./view.ts";

/** Characters of a passage that a hit shows. */
export const MAX_MATCH = 1000;
/** A passage of fewer characters goes on into the next section. */
const ENOUGH = 300;
/**
 * What speaks for a passage beside the score of its chunk: words of the query in its text rather than in
 * headings, and the kind of thing that is asked for.
 */
const WORDS_SHARE = 0.25;
const KIND_SHARE = 0.05;
/** Penalty for texts of so few characters: whole up to the first length, none from the second on. */
const LITTLE = 80;
const PLENTY = 240;
const LITTLE_LOSS = 0.25;
/** Another chunk has to be better by so much. */
const MARGIN = 0.02;

/** A chunk with the text that it stands in. */
export interface ReadChunk extends ShownChunk {
  readonly start: number;
  readonly end: number;
  /** The text around it, undefined where it is too large to be read. */
  readonly text: string | undefined;
  readonly isMarkdown: boolean;
}

export interface ChosenPassage {
  readonly chunk: ReadChunk;
  readonly match: string;
}

/**
 * Of the chunks of a document the one that answers best, as a reader sees it. The first one is that by which
 * the document was found. `weights`: what each term of the query says.
 */
export function choosePassage(
  chunks: readonly ReadChunk[],
  query: string,
  weights: ReadonlyMap<string, number>,
): ChosenPassage | undefined {
  const weigh = chunks.length > 1 ? weigher(query, weights) : () => 0;
  let best: { readonly chunk: ReadChunk; readonly score: number } | undefined;
  for (const chunk of chunks) {
    if (chunk.text === undefined) continue;
    const score =
      chunk.fused + weigh(chunk.text.slice(chunk.start, chunk.end)) + (best === undefined ? MARGIN : 0);
    if (best === undefined || score > best.score) best = { chunk, score };
  }
  return best && { chunk: best.chunk, match: bestPart(readable(best.chunk), [...weights.keys()], MAX_MATCH) };
}

function readable({ text = "", start, end, isMarkdown }: ReadChunk): string {
  return isMarkdown
    ? plainPassage(text, { start, end }, { max: MAX_MATCH, enough: ENOUGH })
    : text.slice(start, end);
}

/** Headings, front matter, link targets, tags and links that stand alone: words in them answer nothing. */
const NOISE =
  /^---\n[\s\S]*?\n---$|^#{1,6} .*$|^[ \t]*(?:[-*+][ \t]+)?!?\[[^\]\n]{0,200}\](?:\([^()\s]{0,500}\))?[ \t]*$|\]\([^()\s]{0,500}\)|<[^<>]{0,500}>/gm;

/** Estimates how well a chunk's text answers, beyond its score. */
function weigher(query: string, weights: ReadonlyMap<string, number>): (chunk: string) => number {
  const wanted = [...weights].map(([term, weight]) => ({ start: wordStart(term), weight }));
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const isKind = answersKind(query);
  return (chunk) => {
    const body = chunk.replace(NOISE, " ").trim();
    const held = body.toLowerCase();
    const found = wanted.reduce((sum, { start, weight }) => sum + (held.includes(start) ? weight : 0), 0);
    const length = CJK_CHARACTER.test(body) ? 2 * body.length : body.length;
    return (
      (WORDS_SHARE * found) / (all || 1) +
      (isKind(body) ? KIND_SHARE : 0) -
      LITTLE_LOSS * Math.min(1, Math.max(0, (PLENTY - length) / (PLENTY - LITTLE)))
    );
  };
}
