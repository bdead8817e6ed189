import type { Statement } from "../rule.ts";
import { readChinese } from "./chinese.ts";
import { readEnglish } from "./english.ts";
import { readFrench } from "./french.ts";
import { readGerman } from "./german.ts";

/** Words that only the one language has in front of a verb or a noun. */
const IS_GERMAN = /(?<!\p{L})(?:ich|wir|mein(?:e[mnrs]?)?|unse?re?[mnrs]?)(?!\p{L})/iu;
const IS_FRENCH = /(?<!\p{L})(?:je|nous|mon|ma|mes|notre|nos)(?!\p{L})|(?<!\p{L})j['’]|^on \p{Ll}/iu;

/**
 * General readers, one per language: any statement of the first person about a lasting state, put in the
 * third person. They read what no rule has read.
 */
export function readClause(clause: string): readonly Statement[] {
  if (/^\p{Script=Han}/u.test(clause)) return readChinese(clause);
  if (IS_GERMAN.test(clause)) return readGerman(clause);
  return IS_FRENCH.test(clause) ? readFrench(clause) : readEnglish(clause);
}
