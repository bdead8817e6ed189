import { atOnce } from "../../base/event-loop.ts";
import { itemAt } from "../../base/expect.ts";
import { sentencesOf } from "../../domain/text/sentences.ts";
import { isSpace } from "../../domain/text/tokens.ts";
import { contentWords } from "../content-words.ts";
import type { Episode, Said } from "./split-episodes.ts";

const MAX_ABSTRACT_LENGTH = 200;
const MAX_OVERVIEW_LENGTH = 600;
const QUESTION_SHARE = 0.5;
/** Maximum length of a sentence in an abstract. */
const MAX_SENTENCE_LENGTH = 400;
/**
 * Maximum number of different words counted in a conversation; further words are treated as rare, which most
 * are.
 */
const MAX_COUNTED_WORDS = 100_000;
/** Characters processed per step, and the lookahead for the end of the last word. */
const PART_LENGTH = 4000;
const MAX_WORD_LENGTH = 100;

/** An episode as stored, and as indexed. */
export interface EpisodeText {
  /**
   * A heading with date and speakers, then the conversation verbatim, with the speaker before each message.
   */
  readonly text: string;
  /** Start of the conversation in the text, in UTF-16 units. */
  readonly start: number;
  /** Prefix for embedding: the date. */
  readonly title: string;
  /** Neighbouring messages in the session, with half the weight. */
  readonly border: string;
}

export function episodeText({ said, border }: Episode): EpisodeText {
  const when = itemAt(said, 0).when;
  const heading = `# ${when} · ${[...new Set(said.map(({ speaker }) => speaker))].join(", ")}\n\n`;
  const lines = said.map((one, i) =>
    one.date === (said[i - 1] ?? one).date ? line(one) : `[${one.when}] ${line(one)}`,
  );
  return {
    text: `${heading}${lines.join("\n\n")}\n`,
    start: heading.length,
    title: `[${when}]`,
    border: border.map(line).join("\n"),
  };
}

const line = ({ speaker, text }: Said): string => `${speaker}: ${text}`;

/** Rarity of a word: lower the more messages contain it. */
export const rarity = (utterances: readonly { readonly text: string }[]): ((word: string) => number) =>
  atOnce(raritySteps(utterances));

/** Like `rarity`, in steps of at most a millisecond. */
export function* raritySteps(
  utterances: readonly { readonly text: string }[],
): Generator<undefined, (word: string) => number> {
  const counts = new Map<string, number>();
  for (const { text } of utterances) {
    const words = new Set<string>();
    for (const part of wordParts(text)) {
      for (const word of contentWords(part)) words.add(word);
      yield;
    }
    for (const word of words) {
      const count = counts.get(word) ?? 0;
      if (count > 0 || counts.size < MAX_COUNTED_WORDS) counts.set(word, count + 1);
    }
    yield;
  }
  return (word) => Math.log(1 + utterances.length / (counts.get(word) ?? 1));
}

/** Splits a text into parts that end at white space if possible. */
function* wordParts(text: string): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(text.length, from + PART_LENGTH);
    const limit = Math.min(text.length, to + MAX_WORD_LENGTH);
    while (to < limit && !isSpace(text.charCodeAt(to))) to++;
    yield text.slice(from, to);
  }
}

/**
 * L0: the sentences with the most information for their length, in conversation order. L1: more of them,
 * after date and speakers.
 */
export function episodeLayers(
  episode: Episode,
  idf: (word: string) => number,
): { abstract: string; overview: string } {
  const sentences = episode.said.flatMap(({ text, speaker }) =>
    sentencesOf(text)
      .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
      .map((sentence) => ({ sentence, speaker, score: weigh(sentence, idf) })),
  );
  const best = sentences
    .map((_, i) => i)
    .sort((a, b) => itemAt(sentences, b).score - itemAt(sentences, a).score || a - b);
  const take = (max: number) => {
    const chosen: number[] = [];
    let room = max;
    for (const i of best) {
      const { sentence, score } = itemAt(sentences, i);
      if (score <= 0 || sentence.length > room) continue;
      chosen.push(i);
      room -= sentence.length + 1;
    }
    return chosen.sort((a, b) => a - b);
  };
  const first = itemAt(episode.said, 0);
  const abstract = take(MAX_ABSTRACT_LENGTH)
    .map((i) => itemAt(sentences, i).sentence)
    .join(" ");
  const spoken = take(MAX_OVERVIEW_LENGTH).map(
    (i) => `- ${itemAt(sentences, i).speaker}: ${itemAt(sentences, i).sentence}`,
  );
  const heading = `# ${first.when} · ${[...new Set(episode.said.map(({ speaker }) => speaker))].join(", ")}`;
  return {
    abstract: abstract || cut(first.text),
    overview: [
      heading,
      "",
      ...(spoken.length > 0 ? spoken : [`- ${first.speaker}: ${cut(first.text)}`]),
    ].join("\n"),
  };
}

function weigh(sentence: string, idf: (word: string) => number): number {
  let sum = 0;
  for (const word of new Set(contentWords(sentence))) sum += idf(word);
  return (sum / Math.sqrt(sentence.length || 1)) * (/[?？]\s*$/.test(sentence) ? QUESTION_SHARE : 1);
}

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_ABSTRACT_LENGTH
    ? line
    : `${line
        .slice(0, MAX_ABSTRACT_LENGTH - 1)
        .toWellFormed()
        .replaceAll("\ufffd", "")}…`;
};
