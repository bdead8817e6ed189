/** Words before a verb or noun that are found only in German clauses. */
export const IS_GERMAN = /(?<!\p{L})(?:ich|wir|mein(?:e[mnrs]?)?|unse?re?[mnrs]?)(?!\p{L})/iu;

/**
 * Verbs at the beginning of a clause whose subject is left out ("Bin Lokführerin"). Forms that are also
 * imperatives are excluded.
 */
const WITHOUT_SUBJECT = /^(?:bin|hab|habe|ess|esse|wohn|wohne)(?= (?!ich |wir ))/iu;

/** Short forms of the article "ein": "n E-Bike", "'ne Laktoseintoleranz". */
const ARTICLE = /(?<![\p{L}'’])['’]?n(e|er|en|em)?(?= (?:\p{Ll}+ )?\p{Lu})/gu;

/** Writes out the short forms of spoken German in a clause. */
export function writtenGerman(clause: string): string {
  const full = clause.replace(WITHOUT_SUBJECT, (verb) => `ich ${verb.toLowerCase()}`);
  return IS_GERMAN.test(full) ? full.replace(ARTICLE, (_, ending = "") => `ein${ending}`) : full;
}
