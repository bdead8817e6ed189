import { CJK_CHARACTER, wordsOf } from "./analyse.ts";

/**
 * Minimum size of a phrase: three different words, or five different CJK characters; shorter queries are
 * topics.
 */
const MIN_SIZE = 9;
const WORD_SIZE = 3;
const CJK_SIZE = 2;
/** Maximum length of a phrase in UTF-16 units; longer than any passage. */
const MAX_LENGTH = 4000;
/** A separator that does not occur inside words. */
const GAP = " ";

/**
 * Whether a text contains the words of a query in order, separated only by punctuation and white space;
 * ignores case.
 */
export type Phrase = (text: string) => boolean;

/** Undefined if the query is too short to be a phrase, or longer than any passage. */
export function phraseOf(query: string): Phrase | undefined {
  if (query.length > MAX_LENGTH) return undefined;
  const words = wordsOf(query);
  let size = 0;
  for (const word of new Set(words)) size += CJK_CHARACTER.test(word) ? CJK_SIZE : WORD_SIZE;
  if (size < MIN_SIZE) return undefined;
  const wanted = spaced(words);
  return (text) => spaced(wordsOf(text)).includes(wanted);
}

const spaced = (words: readonly string[]): string => `${GAP}${words.join(GAP)}${GAP}`;
