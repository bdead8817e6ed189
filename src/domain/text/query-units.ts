import { CJK_CHARACTER } from "./analyse.ts";

/** Language prefix of a stem. */
const STEM = /^[a-z]{2}:/;
const PAIR = 2;

/**
 * Groups a query's terms into units of alternative terms. A non-English word is searched by its stem and
 * unchanged; a Chinese or Japanese character by the pairs that contain it. `terms`: the result of
 * `analyseQuery`.
 */
export function queryUnits(terms: readonly string[]): string[][] {
  const units: string[][] = [];
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? "";
    if (isPair(term)) {
      const before = terms[at - 1];
      const continues = before !== undefined && isPair(before) && before[1] === term[0];
      // consecutive pairs share a character
      if (continues) units.at(-1)?.push(term);
      else units.push([term]);
      units.push([term]);
    } else if (STEM.test(term)) units.push([term, terms[++at] ?? term]);
    else units.push([term]);
  }
  return units;
}

const isPair = (term: string): boolean => term.length === PAIR && CJK_CHARACTER.test(term);
