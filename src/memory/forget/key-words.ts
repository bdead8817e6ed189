import { languageOf, stopWordsOf } from "../../domain/text/languages.ts";
import { contentWords } from "../content-words.ts";

/** Maximum number of words of a phrase that count. */
const MAX_WORDS = 64;
/** Minimum number of letters that two forms of a word share, and minimum share of the longer form. */
const MIN_STEM_LENGTH = 4;
const STEM_SHARE = 0.7;
/** Endings of a second form that count as the same word without confirmation by another word. */
const PLURALS: ReadonlySet<string> = new Set(["s", "es", "n", "en", "e"]);
const LETTERS = /^[^\p{N}]*$/u;

/** Maximum characters of a text processed per step. */
const MAX_PIECE = 16 * 1024;
/** Characters at the end of a piece searched for a word boundary. */
const MAX_CUT_BACK = 256;
const IN_WORD = /[\p{L}\p{M}\p{N}'’]/u;
/** Maximum number of words with the same beginning that are compared with a word of a phrase. */
const MAX_ALIKE = 1000;
/** Maximum number of words for which a text is scanned without an index. */
const MAX_SCANNED = 32;

/** Words of a text to compare with a phrase. */
export type Words = ReadonlySet<string>;

export const wordsOf = (text: string): Words =>
  new Set(contentWords(text.normalize("NFKC")).map((word) => word.replace(/['’]s$/u, "")));

/** The words of a text of any length, in steps of a few milliseconds. */
export function* wordSteps(text: string): Generator<undefined, Words> {
  const words = new Set<string>();
  for (let at = 0; at < text.length; ) {
    yield;
    const end = pieceEnd(text, at);
    for (const word of wordsOf(text.slice(at, end))) words.add(word);
    at = end;
  }
  return words;
}

/** End of the piece of a text that starts at `from`; between two words if possible. */
export function pieceEnd(text: string, from: number): number {
  const most = from + MAX_PIECE;
  if (most >= text.length) return text.length;
  for (let end = most; end > most - MAX_CUT_BACK; end--) if (!IN_WORD.test(text.charAt(end - 1))) return end;
  return most;
}

/** The letters common to all forms of a word. */
export const beginningOf = (word: string): string => word.slice(0, MIN_STEM_LENGTH);

/** Words by beginning, cached for texts that were searched for word forms. */
const indexes = new WeakMap<Words, ReadonlyMap<string, readonly string[]>>();

/** The words of a text that may be forms of a word. */
function formsIn(words: Words, word: string): Iterable<string> {
  if (words.size <= MAX_SCANNED) return words;
  const known = indexes.get(words) ?? indexOf(words);
  indexes.set(words, known);
  return known.get(beginningOf(word)) ?? [];
}

function indexOf(words: Words): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const word of words) {
    const beginning = beginningOf(word);
    const alike = index.get(beginning);
    if (alike === undefined) index.set(beginning, [word]);
    else if (alike.length < MAX_ALIKE) alike.push(word);
  }
  return index;
}

function hasForm(words: Words, word: string, isForm: (a: string, b: string) => boolean): boolean {
  for (const other of formsIn(words, word)) if (isForm(word, other)) return true;
  return false;
}

/** The words of a text without the function words of its language, unless there are no others. */
function tellingWords(text: string): string[] {
  const all = [...wordsOf(text)];
  const language = languageOf(text);
  const dropped = language === undefined ? undefined : stopWordsOf(language);
  const telling = dropped ? all.filter((word) => !dropped.has(word)) : all;
  return (telling.length > 0 ? telling : all).slice(0, MAX_WORDS);
}

/** The words of a phrase to forget, in a searchable form. */
export class KeyWords {
  readonly words: readonly string[];

  /** A text, or the words of an earlier phrase. */
  constructor(phrase: string | readonly string[]) {
    this.words = typeof phrase === "string" ? tellingWords(phrase) : phrase;
  }

  /** Whether the phrase has no content words, so that it matches nothing. */
  get isEmpty(): boolean {
    return this.words.length === 0;
  }

  /** Share of the phrase's words in a text, 0 to 1; other word forms count if another word confirms them. */
  shareIn(words: Words): number {
    if (this.isEmpty) return 0;
    const left = this.words.filter((word) => !words.has(word) && !hasForm(words, word, isPlural));
    const found = this.words.length - left.length;
    if (left.length === 0 || found === 0) return Number(found > 0);
    const forms = left.filter((word) => hasForm(words, word, isFormOf));
    return (found + forms.length) / this.words.length;
  }

  /** Share of a text's words that belong to the phrase, 0 to 1. */
  shareOf(text: string): number {
    return new KeyWords(text).shareIn(new Set(this.words));
  }

  /** Fast pre-check by substring search: whether a lower-case text may reach `minShare`. */
  mayBeIn(lowerCase: string, minShare: number): boolean {
    const found = this.words.filter((word) => lowerCase.includes(stemOf(word)));
    return found.length > 0 && found.length >= minShare * this.words.length;
  }
}

/** The common prefix of a word's forms. */
const stemOf = (word: string): string =>
  word.slice(0, Math.max(MIN_STEM_LENGTH, Math.floor(word.length * STEM_SHARE)));

const byLength = (a: string, b: string): [short: string, long: string] =>
  a.length <= b.length ? [a, b] : [b, a];

function isPlural(a: string, b: string): boolean {
  const [short, long] = byLength(a, b);
  return short.length >= MIN_STEM_LENGTH && long.startsWith(short) && PLURALS.has(long.slice(short.length));
}

/** Whether two words differ only in their ending. Numbers, and names with numbers, must be equal. */
function isFormOf(a: string, b: string): boolean {
  const [short, long] = byLength(a, b);
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return (
    shared >= Math.max(MIN_STEM_LENGTH, long.length * STEM_SHARE) &&
    LETTERS.test(short.slice(shared)) &&
    LETTERS.test(long.slice(shared))
  );
}
