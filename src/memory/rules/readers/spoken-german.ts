/** Words before a verb or noun that occur only in German. */
export const IS_GERMAN = /(?<!\p{L})(?:ich|wir|mein(?:e[mnrs]?)?|unse?re?[mnrs]?)(?!\p{L})/iu;

/** "Bin Lokführerin": verbs whose subject is left out. Forms that are also orders are not among them. */
const WITHOUT_SUBJECT = /^(?:bin|hab|habe|ess|esse|wohn|wohne)(?= (?!ich |wir ))/iu;

/** "n E-Bike", "'ne Laktoseintoleranz". */
const ARTICLE = /(?<![\p{L}'’])['’]?n(e|er|en|em)?(?= (?:\p{Ll}+ )?\p{Lu})/gu;

/** Completes the short forms of spoken German in a clause. */
export function writtenGerman(clause: string): string {
  const full = clause.replace(WITHOUT_SUBJECT, (verb) => `ich ${verb.toLowerCase()}`);
  return IS_GERMAN.test(full) ? full.replace(ARTICLE, (_, ending = "") => `ein${ending}`) : full;
}
