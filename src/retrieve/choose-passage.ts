import { itemAt } from "../base/expect.ts";
import { hasWordFrom, wordStart } from "../domain/text/analyse.ts";
import { plainPassage } from "../domain/text/plain-passage.ts";
import { MAX_MATCH, type ShownText, type WeighedText } from "./chunk-texts.ts";

/** Minimum length of a passage in characters; a shorter one continues into the next section. */
const ENOUGH = 300;
/**
 * Bonuses added to a chunk's score: for query words in its text (headings do not count), and for the kind of
 * answer that is asked for.
 */
const WORDS_SHARE = 0.25;
const KIND_SHARE = 0.05;
/** Penalty on short texts: full up to LITTLE characters, none from PLENTY on. */
const LITTLE = 80;
const PLENTY = 240;
const LITTLE_LOSS = 0.25;
/** Bonus of the chunk that was found, so that only a clearly better one replaces it. */
const MARGIN = 0.02;
/** A second passage is shown if its score is at most this much lower. */
const NEARLY = 0.1;

/** Patterns of a kind of question, in several languages, and of passages that answer it. */
interface Cue {
  readonly asks: RegExp;
  readonly tells: RegExp;
}

const CUES: readonly Cue[] = [
  {
    asks: /\bwhy\b|\breasons?\b|\bwarum\b|\bwieso\b|\bpourquoi\b|por qué|为什么|為什麼|なぜ/i,
    tells:
      /\b(?:because|since|so that|therefore|otherwise|reasons?|weil|damit|denn|deshalb|parce que|car|porque)\b|因为|所以|以便|ため/i,
  },
  {
    asks: /\bhow (?:long|many|much|big|large|often|old|fast)\b|\blimits?\b|\bwie (?:viele?|lange|groß|oft)\b|\bcombien\b|\bcuánt[oa]s?\b|多少|多长|多大|几个/i,
    tells: /\p{Nd}/u,
  },
  {
    asks: /^(?:how (?:do|can|to|should)|wie\b|comment\b|cómo\b)|\bcommand\b|\bbefehl\b|如何|怎样|怎么|どうやって/i,
    tells:
      /(?:^|\n)\s*(?:\$|#|>)\s|\b(?:npm|apt|git|sudo|set|use|run|call)\b|\w\(|\/etc\/|--\w|\b[A-Z]+_[A-Z_]+\b/,
  },
  { asks: /\bwhere\b|\bwo\b|\boù\b|\bdónde\b|哪里|どこ/i, tells: /(?:^|[\s"'`(])[~.]?\/[\w.-]+|\w:\\/ },
  {
    asks: /\bwhen\b|\bwann\b|\bquand\b|\bcuándo\b|什么时候|いつ/i,
    tells: /\p{Nd}|\b(?:after|before|until|day|week|month|nach|vor)\b/iu,
  },
];

/** A chunk that may be shown. */
export interface WeighedChunk {
  /** F of the score formula. */
  readonly fused: number;
  /** Undefined if the text cannot be read. */
  readonly weighed: WeighedText | undefined;
}

/** What a query requires of a passage, computed once for all hits. */
export interface AskedOfPassage {
  /** Prefixes of the query's words (wordStart), with their weights. */
  readonly starts: readonly string[];
  readonly weights: readonly number[];
  /** Whether a text contains the kind of thing that is asked for. */
  readonly isKind: (text: string) => boolean;
}

/** `weights`: weight of each query term. */
export const askedOfPassage = (query: string, weights: ReadonlyMap<string, number>): AskedOfPassage => ({
  starts: [...weights.keys()].map(wordStart),
  weights: [...weights.values()],
  isKind: answersKind(query),
});

/** The best chunk of a document, and the next if it answers nearly as well. */
export interface ChosenChunks<T> {
  readonly best: T;
  readonly next?: T | undefined;
}

/**
 * The best chunks of a document; undefined if none can be read. `chunks[0]`: the one that was found, which is
 * preferred if scores are close.
 */
export function chooseChunks<T extends WeighedChunk>(
  chunks: readonly T[],
  asked: AskedOfPassage,
): ChosenChunks<T> | undefined {
  const weigh = weigher(asked);
  const scored: { readonly chunk: T; readonly score: number }[] = [];
  for (const chunk of chunks) {
    if (chunk.weighed === undefined) continue;
    scored.push({ chunk, score: chunk.fused + weigh(chunk.weighed) + (scored.length === 0 ? MARGIN : 0) });
  }
  const [best, next] = scored.sort((a, b) => b.score - a.score);
  if (best === undefined) return undefined;
  return { best: best.chunk, next: next && next.score >= best.score - NEARLY ? next.chunk : undefined };
}

/** Text of a span; Markdown without its markup. */
export const readable = (text: string, start: number, end: number, isMarkdown: boolean): string =>
  isMarkdown
    ? plainPassage(text, { start, end }, { max: MAX_MATCH, enough: ENOUGH })
    : text.slice(start, end);

/** Estimates how well a chunk's text answers the query, beyond its score. */
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

/**
 * Whether a passage contains the kind of thing that a question asks for: a reason, a number, a command, a
 * location.
 */
export function answersKind(query: string): (passage: string) => boolean {
  const cues = CUES.filter(({ asks }) => asks.test(query));
  return (passage) => cues.some(({ tells }) => tells.test(passage));
}

/**
 * For a passage of messages that is too long to show: the message with the most query words, and as many
 * neighbours as fit. `starts`: prefixes of these words (wordStart).
 */
export function bestPart(passage: ShownText, starts: readonly string[]): ShownText {
  if (passage.text.length <= MAX_MATCH) return passage;
  const { parts } = passage;
  if (parts.length === 1) return passage.shownPart(0, () => passage.text.slice(0, MAX_MATCH).trimEnd());
  const scores = parts.map(({ lower }) => starts.filter((start) => hasWordFrom(lower, start)).length);
  const best = scores.indexOf(scores.reduce((a, b) => Math.max(a, b), 0));
  return passage.shownPart(best, () => withNeighbours(passage, best));
}

function withNeighbours({ parts }: ShownText, best: number): string {
  let [from, end, room] = [best, best + 1, MAX_MATCH - itemAt(parts, best).text.length];
  for (let side = 0, stuck = 0; stuck < 2; side = 1 - side) {
    const next = side === 0 ? parts[end] : parts[from - 1];
    if (next === undefined || next.text.length > room) {
      stuck++;
      continue;
    }
    stuck = 0;
    room -= next.text.length;
    if (side === 0) end++;
    else from--;
  }
  const shown = parts.slice(from, end).map(({ text }) => text);
  return shown.join("").trimEnd().slice(0, MAX_MATCH);
}
