import { stem } from "porter2";

/**
 * From text to the terms of BM25* (retrieval.md, "The formula"): NFKC; runs of letters, digits and `_`; the
 * parts of identifiers and the whole identifier; Porter2 stems of ASCII words; CJK runs as single characters
 * and bigrams. Terms are opaque strings, equal when they match.
 */

/** A longer run (a base64 line, a key) is known by its beginning. UTF-16 units. */
export const MAX_TERM_LENGTH = 128;
/** What a query may ask of the index; the rest of a longer one is ignored. */
export const MAX_QUERY_TERMS = 1024;
/** A match in the title counts as this many in the text. */
export const TITLE_WEIGHT = 2;

const MAX_CACHED_WORDS = 50_000;
/** Longer words are rare and would hold the text they were cut from. */
const MAX_CACHED_LENGTH = 40;

const CJK = "\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af";
/** True of a text that begins with one. */
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

/** The terms of a stored text, in no particular order, repeated as often as they occur. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => {
    terms.push(term);
    return true;
  });
  return terms;
}

/**
 * The terms of a query: as `analyse`, without stop words (a query of nothing else keeps them), at most
 * MAX_QUERY_TERMS.
 */
export function analyseQuery(text: string): string[] {
  const terms = firstTerms(text, STOP_WORDS);
  return terms.length > 0 ? terms : firstTerms(text, NOTHING_DROPPED);
}

/**
 * The words of a text in their order, in lower case and without what stands between them; of a CJK run each
 * character is one.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => {
    if (CJK_CHARACTER.test(word)) words.push(...word);
    else words.push(word.toLowerCase());
    return true;
  });
  return words;
}

/**
 * The words of a query that a text holds in any form, as the query writes them, and how many more it does not
 * hold. Stop words count for neither.
 */
export function namedWords(query: string, text: string): { found: string[]; missing: number } {
  const plain = text.toLowerCase();
  // a stem is the beginning of its words but for a last letter that changes
  const holds = (term: string) =>
    plain.includes(term.length > MIN_CUT_STEM ? term.replace(/[ei]$/, "") : term);
  const found = new Set<string>();
  let missing = 0;
  eachWord(query.slice(0, MAX_NAMED_LENGTH), (word) => {
    const terms = CJK_CHARACTER.test(word)
      ? cjkTerms(word).filter(({ length }) => length > 1 || word.length === 1)
      : wordTerms(word, STOP_WORDS);
    for (const term of CJK_CHARACTER.test(word) ? terms : terms.slice(0, 1)) {
      if (!holds(term)) missing++;
      else found.add(CJK_CHARACTER.test(word) ? term : word);
    }
    return true;
  });
  return { found: [...found], missing };
}

const MIN_CUT_STEM = 4;
/** Of a longer query the beginning is named. UTF-16 units. */
const MAX_NAMED_LENGTH = 1000;

/** An underscore inside a word, a capital behind a small letter, or a call. */
const IDENTIFIER = /[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}_]\(/u;

/** Whether a query names something as it is named in code. */
export const namesIdentifier = (text: string): boolean => IDENTIFIER.test(text);

/**
 * What a text is indexed by: each term with its weight, one per occurrence in the text and TITLE_WEIGHT per
 * occurrence in the title.
 */
export function bag(text: string, title = ""): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (weight: number) => (term: string) => {
    weights.set(term, (weights.get(term) ?? 0) + weight);
    return true;
  };
  eachTerm(text, add(1));
  eachTerm(title, add(TITLE_WEIGHT));
  return weights;
}

/** The length of a bag for BM25: the sum of its weights. */
export function bagLength(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return sum;
}

function firstTerms(text: string, dropped: ReadonlySet<string>): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term) < MAX_QUERY_TERMS, dropped);
  return terms;
}

/** Until `take` answers false. */
function eachTerm(text: string, take: (term: string) => boolean, dropped = NOTHING_DROPPED): void {
  eachWord(text, (word) => {
    const terms = dropped === NOTHING_DROPPED ? cachedTerms(word) : wordTerms(word, dropped);
    for (const term of terms) if (!take(term)) return false;
    return true;
  });
}

/** Until `take` answers false. */
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

/** A copy: a substring kept for long would keep the whole text it was cut from. */
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

/** Half a surrogate pair would not survive being written as UTF-8. */
function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const last = term.charCodeAt(MAX_TERM_LENGTH - 1);
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
