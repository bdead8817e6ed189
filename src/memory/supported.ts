import { analyse } from "../domain/text/analyse.ts";
import { contentWords } from "./content-words.ts";
import type { Utterance } from "./utterance.ts";

/** Minimum share of a statement's content words that its sources must contain. */
const SUPPORT = 0.4;
/** Words for the speaker; source messages do not contain them, so they need no support. */
const SUBJECT = /\b(?:the )?users?(?:['’]s)?\b|用户|\b(?:problem|resolution):/giu;
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const NUMBER = /\d+(?:[.,]\d+)*/g;

/**
 * Whether messages support a statement: they share at least SUPPORT of its content words, and contain all its
 * numbers except those in ISO dates.
 */
export function isSupported(statement: string, sources: readonly Utterance[]): boolean {
  const said = sources.map(wordsOf).join("\n");
  const numbers = statement.replace(ISO_DATE, " ").match(NUMBER) ?? [];
  const known = new Set(said.match(NUMBER) ?? []);
  if (numbers.some((number) => !known.has(number))) return false;
  const words = stemsOf(statement.replace(SUBJECT, " "));
  const support = stemsOf(said);
  let shared = 0;
  for (const word of words) if (support.has(word)) shared++;
  return shared > 0 && shared >= words.size * SUPPORT;
}

const wordsOf = ({ speaker, when, text, tools }: Utterance): string =>
  [speaker, when, text, ...tools.flatMap(({ name, input, output }) => [name, input, output])].join("\n");

const stemsOf = (text: string): Set<string> => new Set(contentWords(text).flatMap((word) => analyse(word)));
