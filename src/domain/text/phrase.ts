import { CJK_CHARACTER, wordsOf } from "./analyse.ts";

/** Less is a subject, not a quote: three different words, or five different CJK characters. */
const MIN_SIZE = 9;
const WORD_SIZE = 3;
const CJK_SIZE = 2;
/** Longer than any passage. UTF-16 units. */
const MAX_LENGTH = 4000;
/** Stands between words, and in none of them. */
const GAP = " ";

/**
 * Tells whether a text holds the words of a query in their order with nothing but punctuation and white space
 * between them, whatever their case.
 */
export type Phrase = (text: string) => boolean;

/** Undefined for a query that is too short to be a quote, or too long to stand in a passage. */
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
