import { CJK_CHARACTER, isStopWord } from "../../domain/text/analyse.ts";
import { shorten } from "../shorten.ts";
import { isEmptyWord } from "./themes.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}.'’/+#-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu;
/** Words and characters that are read of a text. */
const MAX_WORDS = 60;
const MAX_TEXT_LENGTH = 600;
const MIN_WORD_LENGTH = 2;
/** Texts tell what they are about in their first words: how fast the worth of a word falls. */
const DECAY = 0.1;
/** Texts among which the rarity of a word counts. */
const SPREAD = 200;
/** The comma and the space between phrases. */
const SEPARATOR = 2;
const MAX_SHARED = 4;

/** In how many of some texts a lower-case word is. */
export type Frequencies = ReadonlyMap<string, number>;

interface Word {
  readonly text: string;
  readonly lower: string;
}

const wordsOf = (text: string): Word[] =>
  (text.slice(0, MAX_TEXT_LENGTH).match(WORD) ?? [])
    .slice(0, MAX_WORDS)
    .map((found) => ({ text: found, lower: found.toLowerCase() }));

export function frequenciesOf(texts: readonly string[]): Frequencies {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(wordsOf(text).map(({ lower }) => lower)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const isTelling = (word: string): boolean =>
  word.length >= MIN_WORD_LENGTH && !isStopWord(word) && !isEmptyWord(word);

/**
 * The words of a text that tell it apart from its neighbours, within a length, in the order of the text:
 * neighbouring words stay a phrase. Words of `known`, such as its name, are left out.
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

/** The words that several of the texts share and few of all have, the most telling first. */
export function sharedWords(texts: readonly string[], counts: Frequencies): string[] {
  return [...frequenciesOf(texts)]
    .filter(([word, n]) => n > 1 && isTelling(word) && !/^[\d.]+$/.test(word) && !CJK_CHARACTER.test(word))
    .map(([word, n]) => ({ word, worth: (n * n) / Math.max(n, counts.get(word) ?? n) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MAX_SHARED)
    .map(({ word }) => word);
}
