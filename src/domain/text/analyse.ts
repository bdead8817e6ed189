import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stem } from "porter2";
import { append } from "../../base/append.ts";
import { germanStem } from "./german.ts";
import { cjkContent, languageOf, type StemmedLanguage, stopWordsOf } from "./languages.ts";

/**
 * Converts text to terms for BM25* (retrieval.md, "The formula"): NFKC; runs of letters, digits and `_`;
 * parts of identifiers and the whole identifier; Porter2 stems of ASCII words; CJK runs as single characters
 * and bigrams. Terms are opaque strings that match if they are equal.
 */

/**
 * Maximum length of a term in UTF-16 units; longer runs (a base64 line, a key) are indexed by their
 * beginning.
 */
export const MAX_TERM_LENGTH = 128;
/** Maximum number of query terms; the rest is ignored. */
export const MAX_QUERY_TERMS = 1024;
/** Weight of an occurrence in the title, relative to one in the text. */
export const TITLE_WEIGHT = 2;

const MAX_CACHED_WORDS = 50_000;
/** Maximum length of a cached word: longer ones are rare, and a cached substring retains its whole text. */
const MAX_CACHED_LENGTH = 40;

const CJK = "\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af";
/** Matches text that starts with a CJK character. */
export const CJK_CHARACTER = new RegExp(`^[${CJK}]`);
const WORD = new RegExp(`[${CJK}]+|[[\\p{L}\\p{N}_]--[${CJK}]]+`, "gv");
const ASCII_WORD = /\w+/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\p{Nd}+|[[\p{L}\p{Nl}\p{No}]--[A-Za-z]]+/gv;
const ASCII_LETTERS = /^[a-z]+$/;
const LOWER_WORD = /^(?:[a-z]+|\d+)$/;
const BEYOND_ASCII = /[^\u0000-\u007f]/;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been being but by can could did do does doing for from had has have having he her hers him his how i if in into is it its " +
    "just me my no nor not of on or our ours she should so some such than that the their theirs them then there these they this those to too " +
    "was we were what when where which who whom why will with would you your yours am us about any also"
  ).split(" "),
);
const NOTHING_DROPPED: ReadonlySet<string> = new Set();

/** Whether a lower-case word is an English stop word. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** The terms of a stored text, one per occurrence, in no particular order. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => {
    terms.push(term);
    return true;
  });
  return terms;
}

/** Language of a text (see languageOf), for callers that have already detected it. */
interface InLanguage {
  readonly language: StemmedLanguage | undefined;
}

const inItsLanguage = (text: string): InLanguage => ({ language: languageOf(text) });

/**
 * The terms of a query: like `analyse`, without the stop words of its language (unless there are no other
 * words), at most MAX_QUERY_TERMS. A non-English word is searched both by its stem and unchanged, because
 * texts in an unknown language are indexed unchanged.
 */
export function analyseQuery(text: string, { language }: InLanguage = inItsLanguage(text)): string[] {
  const dropped = language === undefined ? STOP_WORDS : stopWordsOf(language);
  const terms = firstTerms(text, dropped, language);
  return terms.length > 0 ? terms : firstTerms(text, NOTHING_DROPPED, language);
}

const STEMMERS: Readonly<Record<StemmedLanguage, (word: string) => string>> = {
  de: germanStem,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
};

/** Words without digits and underscores; only these are stemmed. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

const stems = new Map<StemmedLanguage, Map<string, string>>();

/**
 * The stem of a word, prefixed with its language, so that equal stems of different languages differ. "" for
 * stop words and non-words.
 */
function stemOf(language: StemmedLanguage, word: string): string {
  const known = stems.get(language)?.get(word);
  if (known !== undefined) return known;
  const lower = word.toLowerCase();
  const isStemmed = LETTERS.test(lower) && !CJK_CHARACTER.test(lower) && !stopWordsOf(language).has(lower);
  const term = isStemmed ? detached(`${language}:${STEMMERS[language](cut(lower))}`) : "";
  if (word.length > MAX_CACHED_LENGTH) return term;
  let cached = stems.get(language);
  if (cached === undefined || cached.size >= MAX_CACHED_WORDS) {
    cached = new Map();
    stems.set(language, cached);
  }
  cached.set(detached(word), term);
  return term;
}

/** The words of a text in order, in lower case, without separators. Each character of a CJK run is a word. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => {
    if (CJK_CHARACTER.test(word)) append(words, word);
    else words.push(word.toLowerCase());
    return true;
  });
  return words;
}

export type NamedWords = (text: string) => { readonly found: string[]; readonly missing: number };

/**
 * The query words that a text contains in any form, in the query's spelling, and the number of missing words.
 * Ignores stop words.
 */
export function namedWords(query: string, { language }: InLanguage = inItsLanguage(query)): NamedWords {
  const wanted: { readonly shown: string; readonly start: string }[] = [];
  const read = query.slice(0, MAX_NAMED_LENGTH);
  eachWord(read, (word) => {
    const isCjk = CJK_CHARACTER.test(word);
    const terms = isCjk ? cjkContent(word).flatMap(cjkPairs) : namedBy(language, word);
    for (const term of terms) {
      wanted.push({ shown: isCjk ? term : word, start: wordStart(term) });
    }
    return true;
  });
  return (text) => {
    const plain = text.toLowerCase();
    const held = wanted.filter(({ start }) => plain.includes(start));
    return { found: [...new Set(held.map(({ shown }) => shown))], missing: wanted.length - held.length };
  };
}

/**
 * Common prefix of all forms of a term in lower case: the stem without a changeable last letter and without
 * the language prefix.
 */
export function wordStart(term: string): string {
  const plain = term.replace(/^[a-z]{2}:/, "");
  return plain.length > MIN_CUT_STEM ? plain.replace(/[ei]$/, "") : plain;
}

/** Whether a lower-case text has a word starting with `start`; in CJK text, at any position. */
export function hasWordFrom(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    if (at === 0 || !WORD_UNIT.test(text.charAt(at - 1))) return true;
  return false;
}

const WORD_UNIT = new RegExp(`[[\\p{L}\\p{N}_]--[${CJK}]]`, "v");

/** Prefixes that find the forms of a query word in a text; none for a stop word. */
function namedBy(language: StemmedLanguage | undefined, word: string): string[] {
  if (language === undefined) return termsWithout(word, STOP_WORDS).slice(0, 1);
  const stemmed = stemOf(language, word);
  if (stemmed === "") return termsWithout(word, stopWordsOf(language)).slice(0, 1);
  // stems have no accents, so cut the word itself to the stem's length
  return [cut(word.toLowerCase()).slice(0, Math.max(MIN_CUT_STEM, stemmed.length - language.length - 1))];
}

const MIN_CUT_STEM = 4;
/** Length in UTF-16 units of the query prefix checked for missing words. */
const MAX_NAMED_LENGTH = 1000;

/** Pattern of an identifier: an underscore inside a word, a capital after a lower-case letter, or a call. */
const IDENTIFIER = /[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}_]\(/u;

export const namesIdentifier = (text: string): boolean => IDENTIFIER.test(text);

/**
 * Indexed terms of a text with their weights: 1 per occurrence in the text, TITLE_WEIGHT per occurrence in
 * the title.
 */
export function weightedTerms(
  text: string,
  title = "",
  { language }: InLanguage = inItsLanguage(text),
): Map<string, number> {
  const weights = new Map<string, number>();
  const read = (source: string, weight: number) =>
    eachWord(source, (word) => {
      const add = (term: string) => weights.set(term, (weights.get(term) ?? 0) + weight);
      cachedTerms(word).forEach(add);
      const stemmed = language === undefined ? "" : stemOf(language, word);
      if (stemmed !== "") add(stemmed);
      return true;
    });
  read(text, 1);
  read(title, TITLE_WEIGHT);
  return weights;
}

/** Length of a bag of terms for BM25: the sum of its weights. */
export function weightedLength(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return sum;
}

function firstTerms(
  text: string,
  dropped: ReadonlySet<string>,
  language: StemmedLanguage | undefined,
): string[] {
  const terms: string[] = [];
  const take = (term: string) => terms.push(term) < MAX_QUERY_TERMS;
  eachWord(text, (word) => {
    if (CJK_CHARACTER.test(word)) {
      const runs = dropped === NOTHING_DROPPED ? [word] : cjkContent(word);
      return runs.flatMap(cjkPairs).every(take);
    }
    return (
      language === undefined ? termsWithout(word, dropped) : foreignTerms(language, word, dropped)
    ).every(take);
  });
  return terms;
}

/**
 * Terms of a non-English word: its stem, and the whole word as in texts of an unknown language, without
 * splitting it at accents.
 */
function foreignTerms(language: StemmedLanguage, word: string, dropped: ReadonlySet<string>): string[] {
  const lower = word.toLowerCase();
  if (dropped.has(lower)) return [];
  const stemmed = stemOf(language, lower);
  if (!LETTERS.test(lower)) return wordTerms(word, dropped);
  return [...(stemmed === "" ? [] : [stemmed]), ASCII_LETTERS.test(lower) ? stem(cut(lower)) : cut(lower)];
}

/** Calls `take` with each term until it returns false. */
function eachTerm(text: string, take: (term: string) => boolean): void {
  eachWord(text, (word) => {
    for (const term of cachedTerms(word)) if (!take(term)) return false;
    return true;
  });
}

/** Calls `take` with each word until it returns false. */
function eachWord(text: string, take: (word: string) => boolean): void {
  const plain = text.normalize("NFKC").replaceAll("\u2019", "'");
  const word = new RegExp(BEYOND_ASCII.test(plain) ? WORD : ASCII_WORD);
  for (let found = word.exec(plain); found !== null; found = word.exec(plain)) if (!take(found[0])) return;
}

const cache = new Map<string, readonly string[]>();

function cachedTerms(word: string): readonly string[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const terms = wordTerms(word, NOTHING_DROPPED).map(detached);
  if (word.length > MAX_CACHED_LENGTH) return terms;
  if (cache.size >= MAX_CACHED_WORDS) cache.clear();
  cache.set(detached(word), terms);
  return terms;
}

/** The terms of a query word, without those in `dropped`. */
function termsWithout(word: string, dropped: ReadonlySet<string>): readonly string[] {
  if (!LOWER_WORD.test(word)) return wordTerms(word, dropped);
  return dropped.has(word) ? [] : cachedTerms(word);
}

/** Copies a substring, which would otherwise retain the whole text. */
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

function wordTerms(word: string, dropped: ReadonlySet<string>): string[] {
  if (CJK_CHARACTER.test(word)) return cjkTerms(word);
  const parts = LOWER_WORD.test(word) ? [word] : (word.match(PART) ?? []).map((part) => part.toLowerCase());
  const terms = parts.length > 1 ? [cut(word.toLowerCase())] : [];
  for (const part of parts) {
    if (dropped.has(part)) continue;
    const term = cut(part);
    terms.push(ASCII_LETTERS.test(term) ? stem(term) : term);
  }
  return terms;
}

function cjkTerms(run: string): string[] {
  const terms = run.split("");
  for (let at = 0; at + 1 < run.length; at++) terms.push(run.slice(at, at + 2));
  return terms;
}

/** Character pairs of a CJK run in a query: single characters occur in too many words. */
const cjkPairs = (run: string): string[] => (run.length > 1 ? cjkTerms(run).slice(run.length) : [run]);

/** Cuts a term without splitting a surrogate pair, half of which cannot be encoded as UTF-8. */
function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const last = term.charCodeAt(MAX_TERM_LENGTH - 1);
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
