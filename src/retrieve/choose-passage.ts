import { analyse, CJK_CHARACTER } from "../domain/analyse.ts";
import { type PlainPassage, plainPassage } from "../domain/plain-passage.ts";
import { answersKind } from "./answer-cues.ts";
import { bestPart } from "./best-part.ts";
import type { ShownChunk } from "./view.ts";

/** Characters of a passage that a hit shows (answers 5). */
export const MAX_MATCH = 1000;
/** A passage of fewer characters goes on into the next section. */
const ENOUGH = 300;
/** What speaks for a passage beside the score of its chunk: words of the query in its text rather than in headings, and the kind of thing that is asked for. */
const WORDS_SHARE = 0.15;
const KIND_SHARE = 0.05;
/** What speaks against it: a text of fewer characters says little, and one of links and boilerplate nothing. */
const LITTLE = 80;
const LITTLE_LOSS = 0.15;
const NOISE_LOSS = 0.4;
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

/** Of the chunks of a document the one that answers best, as a reader sees it. The first one is that by which the document was found. */
export function choosePassage(chunks: readonly ReadChunk[], query: string, terms: readonly string[]): ChosenPassage | undefined {
  const wanted = new Set(terms);
  const isKind = answersKind(query);
  let best: { readonly chunk: ReadChunk; readonly plain: PlainPassage; readonly score: number } | undefined;
  for (const chunk of chunks) {
    const plain = readable(chunk);
    if (plain === undefined) continue;
    const score = chunk.fused + bonusOf(plain, wanted, isKind) + (best === undefined ? MARGIN : 0);
    if (best === undefined || score > best.score) best = { chunk, plain, score };
    if (chunks.length === 1) break;
  }
  return best && { chunk: best.chunk, match: bestPart(best.plain.text, terms, MAX_MATCH) };
}

function readable({ text, start, end, isMarkdown }: ReadChunk): PlainPassage | undefined {
  if (text === undefined) return undefined;
  if (isMarkdown) return plainPassage(text, { start, end }, { max: MAX_MATCH, enough: ENOUGH });
  const passage = text.slice(start, end);
  return { text: passage, body: passage };
}

function bonusOf({ body, text }: PlainPassage, wanted: ReadonlySet<string>, isKind: (passage: string) => boolean): number {
  if (body === "") return -NOISE_LOSS;
  const found = new Set(analyse(body).filter((term) => wanted.has(term))).size;
  const length = CJK_CHARACTER.test(body) ? 2 * text.length : text.length;
  return (WORDS_SHARE * found) / (wanted.size || 1) + (isKind(body) ? KIND_SHARE : 0) - (length < LITTLE ? LITTLE_LOSS : 0);
}
