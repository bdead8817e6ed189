import type { Statement } from "../rule.ts";
import { readChinese } from "./chinese.ts";
import { readEnglish } from "./english.ts";
import { readFrench } from "./french.ts";
import { readGerman } from "./german.ts";
import { IS_GERMAN } from "./spoken-german.ts";

/** Words before a verb or noun that occur only in French. */
const IS_FRENCH = /(?<!\p{L})(?:je|nous|mon|ma|mes|notre|nos)(?!\p{L})|(?<!\p{L})j['’]|^on \p{Ll}/iu;

/**
 * Reads clauses for which no rule matches, with one clause reader per language: any first-person statement
 * about a lasting state, converted to the third person.
 */
export function readClause(clause: string): readonly Statement[] {
  if (/^\p{Script=Han}/u.test(clause)) return readChinese(clause);
  if (IS_GERMAN.test(clause)) return readGerman(clause);
  return IS_FRENCH.test(clause) ? readFrench(clause) : readEnglish(clause);
}
