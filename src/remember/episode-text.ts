import { sentencesOf } from "../domain/sentences.ts";
import { contentWords } from "./content-words.ts";
import type { Episode, Said } from "./episodes.ts";

const MAX_ABSTRACT_LENGTH = 200;
const MAX_OVERVIEW_LENGTH = 600;
const QUESTION_SHARE = 0.5;
/** A sentence above this length is passed over for the abstract. */
const MAX_SENTENCE_LENGTH = 400;

/** An episode as it is stored, and what the index makes of it. */
export interface EpisodeText {
  /** A heading with date and speakers, then what was said, verbatim, each message behind its speaker. */
  readonly text: string;
  /** Where what was said begins, in UTF-16 units. */
  readonly start: number;
  /** What stands before it where its vectors are made: the date. */
  readonly title: string;
  /** What stands around it in the session and counts half. */
  readonly border: string;
}

export function episodeText({ said, border }: Episode): EpisodeText {
  const when = said[0]!.when;
  const heading = `# ${when} · ${[...new Set(said.map(({ speaker }) => speaker))].join(", ")}\n\n`;
  const lines = said.map((one, i) => (one.date === (said[i - 1] ?? one).date ? line(one) : `[${one.when}] ${line(one)}`));
  return {
    text: `${heading}${lines.join("\n\n")}\n`,
    start: heading.length,
    title: `[${when}]`,
    border: border.map(line).join("\n"),
  };
}

const line = ({ speaker, text }: Said): string => `${speaker}: ${text}`;

/** How rare a word is in a conversation: the more messages hold it, the less it says. */
export function rarity(utterances: readonly { readonly text: string }[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { text } of utterances) for (const word of new Set(contentWords(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + utterances.length / (counts.get(word) ?? 1));
}

/** L0: the sentences that say most for their length, in the order in which they were said. L1: more of them, under date and speakers. */
export function episodeLayers(episode: Episode, idf: (word: string) => number): { abstract: string; overview: string } {
  const sentences = episode.said.flatMap(({ text, speaker }) =>
    sentencesOf(text)
      .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
      .map((sentence) => ({ sentence, speaker, score: weigh(sentence, idf) })),
  );
  const best = sentences.map((_, i) => i).sort((a, b) => sentences[b]!.score - sentences[a]!.score || a - b);
  const take = (max: number) => {
    const chosen: number[] = [];
    let room = max;
    for (const i of best) {
      const { sentence, score } = sentences[i]!;
      if (score <= 0 || sentence.length > room) continue;
      chosen.push(i);
      room -= sentence.length + 1;
    }
    return chosen.sort((a, b) => a - b);
  };
  const first = episode.said[0]!;
  const abstract = take(MAX_ABSTRACT_LENGTH)
    .map((i) => sentences[i]!.sentence)
    .join(" ");
  const spoken = take(MAX_OVERVIEW_LENGTH).map((i) => `- ${sentences[i]!.speaker}: ${sentences[i]!.sentence}`);
  const heading = `# ${first.when} · ${[...new Set(episode.said.map(({ speaker }) => speaker))].join(", ")}`;
  return {
    abstract: abstract || cut(first.text),
    overview: [heading, "", ...(spoken.length > 0 ? spoken : [`- ${first.speaker}: ${cut(first.text)}`])].join("\n"),
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
