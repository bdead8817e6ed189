import { CJK_CHARACTER } from "./analyse.ts";

/** The stem of a word in a language, behind which stands the word itself. */
const STEM = /^[a-z]{2}:/;
const PAIR = 2;

/**
 * What a query asks for, one by one: for each the terms of which any one will do. A word of another language
 * than English is asked for by its stem and as it stands; a Chinese or Japanese character by the pairs that it
 * stands in. `terms` as `analyseQuery` gives them.
 */
export function queryUnits(terms: readonly string[]): string[][] {
  const units: string[][] = [];
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? "";
    if (isPair(term)) {
      const before = terms[at - 1];
      const continues = before !== undefined && isPair(before) && before[1] === term[0];
      // the first character of a pair that goes on is the last one of the pair before
      if (continues) units.at(-1)?.push(term);
      else units.push([term]);
      units.push([term]);
    } else if (STEM.test(term)) units.push([term, terms[++at] ?? term]);
    else units.push([term]);
  }
  return units;
}

const isPair = (term: string): boolean => term.length === PAIR && CJK_CHARACTER.test(term);
