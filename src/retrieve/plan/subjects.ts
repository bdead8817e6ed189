import { itemAt } from "../../base/expect.ts";
import { analyseQuery } from "../../domain/text/analyse.ts";

/** A message of a conversation. */
export interface Turn {
  readonly role: string;
  readonly text: string;
}

/** Maximum number of turns read, and characters of each. */
const MAX_TURNS = 8;
const MAX_CHARACTERS = 2000;
/** Maximum number of capitalised names read in a text: each needs an analysis of its words. */
const MAX_NAMES = 100;
/** Weight of a turn relative to the next one. */
const FADING = 0.6;
/** Weight of assistant turns relative to user turns. */
const ASSISTANT_SHARE = 0.7;
/**
 * Minimum terms of a question that is clear by itself; maximum terms of one in which a POINTER refers back.
 */
const MIN_TERMS = 2;
const FEW_TERMS = 4;
/** Number of words from the user's last turn that are used if nothing is named. */
const MAX_WORDS = 6;

const PRONOUN = /\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers)\b|[它他她]们?|其/iu;
const POINTER =
  /\b(?:this|that|these|those|there|ones?|same|former|latter|again|more|else|then)\b|[这那](?:个|些|里|样|种)?|同样|另外/iu;
const CARRIES_ON =
  /^(?:(?:and|but|so|then|also|or|what about|how about|what else)\b|why(?: not)?\s*[?？]?$|那|还有|然后|另外|也)/iu;

/** Runs of capitalised words; the first word of a sentence is handled separately. */
const NAME =
  /(?<![\p{L}\p{N}_./-])\p{Lu}[\p{L}\p{N}'’-]*(?:\s+(?:(?:of|de|van|von|the)\s+)?\p{Lu}[\p{L}\p{N}'’-]*)*/gu;
const QUOTED = /["“「『《`]([^"”」』》`\n]{2,60})["”」』》`]/gu;
/** camelCase, snake_case, paths and names with dots. */
const IDENTIFIER = /\b(?:[a-z]+[A-Z]\w*|\w+_\w+|\w+(?:[./-]\w+)+)\b/g;
const SENTENCE_START = /(?:^|[.!?。！？:]\s*|\n\s*)$/u;
const NO_NAME: ReadonlySet<string> = new Set(
  "i i'm i've i'd i'll ok okay yes no sure hi hello hey thanks thank please well so monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
);

/** Whether a question depends on the preceding conversation. */
export function refersBack(query: string): boolean {
  const terms = analyseQuery(query).length;
  if (terms < MIN_TERMS || CARRIES_ON.test(query.trim())) return true;
  if (namesIn(query).some(({ isCertain }) => isCertain)) return false;
  return PRONOUN.test(query) || (terms <= FEW_TERMS && POINTER.test(query));
}

/**
 * Subjects of the turns, most likely first: names, quotes and identifiers; otherwise the words of the user's
 * last turn.
 */
export function subjectsOf(turns: readonly Turn[], most: number): string[] {
  const weights = new Map<string, { text: string; weight: number; isCertain: boolean }>();
  let worth = 1;
  for (const { role, text } of turns.slice(-MAX_TURNS).reverse()) {
    for (const { text: name, isCertain } of namesIn(text.slice(0, MAX_CHARACTERS))) {
      const key = name.toLowerCase();
      const known = weights.get(key) ?? { text: name, weight: 0, isCertain: false };
      known.weight += role === "user" ? worth : worth * ASSISTANT_SHARE;
      known.isCertain ||= isCertain;
      weights.set(key, known);
    }
    worth *= FADING;
  }
  const named = [...weights.values()]
    .filter(({ isCertain }) => isCertain)
    .sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  if (named.length > 0) return named.slice(0, most).map(({ text }) => text);
  const last = turns.findLast(({ role }) => role === "user")?.text.slice(0, MAX_CHARACTERS) ?? "";
  const words = last.match(/[\p{Script=Han}]{2,8}|[\p{L}\p{N}_'-]+/gu) ?? [];
  return words.filter((word) => isTelling(word)).slice(-MAX_WORDS);
}

interface Name {
  readonly text: string;
  /** False if only the start of a sentence may have caused the capital. */
  readonly isCertain: boolean;
}

function namesIn(text: string): Name[] {
  const found: Name[] = [];
  for (const match of text.matchAll(QUOTED)) found.push({ text: itemAt(match, 1).trim(), isCertain: true });
  for (const match of text.matchAll(IDENTIFIER)) found.push({ text: match[0], isCertain: true });
  let count = 0;
  for (const match of text.matchAll(NAME)) {
    if (++count > MAX_NAMES) break;
    const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 3), match.index));
    const words = match[0].split(/\s+/u);
    const kept = opens && !isTelling(itemAt(words, 0)) ? words.slice(1) : words;
    const name = kept.join(" ");
    if (name === "" || NO_NAME.has(name.toLowerCase()) || !isTelling(name)) continue;
    found.push({ text: name, isCertain: !opens || kept.length > 1 || kept.length < words.length });
  }
  return found;
}

/** Whether there are words other than stop words. */
function isTelling(words: string): boolean {
  if (NO_NAME.has(words.toLowerCase())) return false;
  // stop words are dropped only if another word remains
  return analyseQuery(`${words} \u0001x`).length > 1;
}
