import { atOnce } from "../../base/event-loop.ts";
import { CJK_CHARACTER, isStopWord } from "../../domain/text/analyse.ts";
import { shorten } from "../shorten.ts";
import { isEmptyWord } from "./themes.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}.'’/+#-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu;
/** Maximum number of words and characters read from a text. */
const MAX_WORDS = 60;
const MAX_TEXT_LENGTH = 600;
const MIN_WORD_LENGTH = 2;
/** Decrease of a word's weight per position: the first words of a text are the most informative. */
const DECAY = 0.1;
/** Number of texts with a word at which its weight has dropped to ln 2. */
const SPREAD = 200;
/** Number of characters between phrases: a comma and a space. */
const SEPARATOR = 2;
const MAX_SHARED = 4;

/** Number of texts that contain a word, by lower-case word. */
export type Frequencies = ReadonlyMap<string, number>;

interface Word {
  readonly text: string;
  readonly lower: string;
}

const wordsOf = (text: string): Word[] =>
  (text.slice(0, MAX_TEXT_LENGTH).match(WORD) ?? [])
    .slice(0, MAX_WORDS)
    .map((found) => ({ text: found, lower: found.toLowerCase() }));

export const frequenciesOf = (texts: readonly string[]): Frequencies => atOnce(frequencySteps(texts));

/** Like `frequenciesOf`, in a step for each text. */
export function* frequencySteps(texts: readonly string[]): Generator<undefined, Frequencies> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    yield;
    for (const word of new Set(wordsOf(text).map(({ lower }) => lower)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const isTelling = (word: string): boolean =>
  word.length >= MIN_WORD_LENGTH && !isStopWord(word) && !isEmptyWord(word);

/**
 * The words that distinguish a text from its neighbours, in text order up to a length; adjacent words form a
 * phrase. Words in `known`, such as those of its name, are omitted.
 */
export function keyPhrases(text: string, known: string, room: number, counts: Frequencies): string {
  if (CJK_CHARACTER.test(text)) return shorten(text, Math.max(SEPARATOR, room));
  const words = wordsOf(text);
  const seen = new Set(wordsOf(known.replaceAll(/[-_./]/g, " ")).map(({ lower }) => lower));
  const worths = words.map(({ lower }, i) => {
    if (!isTelling(lower) || seen.has(lower)) return 0;
    seen.add(lower);
    return Math.log(1 + SPREAD / (1 + (counts.get(lower) ?? 0))) / (1 + i * DECAY);
  });
  const chosen = new Set<number>();
  let left = room + SEPARATOR;
  for (const [i, worth] of [...worths.entries()].sort(([, a], [, b]) => b - a)) {
    const length = (words[i]?.text.length ?? 0) + SEPARATOR;
    if (worth === 0 || length > left) continue;
    left -= length;
    chosen.add(i);
  }
  return words.reduce((said, { text: word }, i) => {
    if (!chosen.has(i)) return said;
    return `${said}${said === "" ? "" : chosen.has(i - 1) ? " " : ", "}${word}`;
  }, "");
}

/** Words shared by several of the texts but few of all texts, most informative first. */
export function sharedWords(texts: readonly string[], counts: Frequencies): string[] {
  return [...frequenciesOf(texts)]
    .filter(([word, n]) => n > 1 && isTelling(word) && !/^[\d.]+$/.test(word) && !CJK_CHARACTER.test(word))
    .map(([word, n]) => ({ word, worth: (n * n) / Math.max(n, counts.get(word) ?? n) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MAX_SHARED)
    .map(({ word }) => word);
}
