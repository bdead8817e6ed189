import type { Statement } from "../rule.ts";
import { readChinese } from "./chinese.ts";
import { readEnglish } from "./english.ts";
import { readFrench } from "./french.ts";
import { readGerman } from "./german.ts";
import { IS_GERMAN } from "./spoken-german.ts";

/** Words before a verb or noun that are found only in French clauses. */
const IS_FRENCH = /(?<!\p{L})(?:je|nous|mon|ma|mes|notre|nos)(?!\p{L})|(?<!\p{L})j['’]|^on \p{Ll}/iu;

/**
 * Reads a clause that no rule matches with the clause reader of its language: any first-person statement
 * about a lasting state, converted to the third person.
 */
export function parseClause(clause: string): readonly Statement[] {
  if (/^\p{Script=Han}/u.test(clause)) return readChinese(clause);
  if (IS_GERMAN.test(clause)) return readGerman(clause);
  return IS_FRENCH.test(clause) ? readFrench(clause) : readEnglish(clause);
}
