/** Replaces the full stop of "St. Mary", which ends neither a sentence nor an object. */
const NO_STOP = "\u2024";
/** Replaces the colon of "9:30". */
const NO_COLON = "\u2236";

/** A message without code, quoted lines and picture captions, and without marks that end no sentence. */
export const plainTextOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[.,;:!?]/g, "·"))
    // without line breaks before the mark, which would take quadratic time
    .replace(/^[^\S\r\n]*>.*$/gm, " ")
    .replace(/\[[^\]\n]{0,300}\]/g, " ")
    .replace(/\b(St|Mt|Ft)\. (?=\p{Lu})/gu, `$1${NO_STOP} `)
    .replace(/(?<=\d)[:：](?=\d\d)/g, NO_COLON)
    .replace(/\b(brothers?|sisters?|mothers?|fathers?|sons?|daughters?|parents) in laws?\b/gi, "$1-in-law")
    .replace(SPOKEN, (word) => WRITTEN.get(word.toLowerCase().replace("’", "'")) ?? word);

/** Spoken French and Austrian words with those that the readers know. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ["pis", "et"],
  ["chu", "je suis"],
  ["chuis", "je suis"],
  ["j'suis", "je suis"],
  ["j'peux", "je peux"],
  ["j'fais", "je fais"],
  ["j'vais", "je vais"],
  ["j'sais", "je sais"],
  ["j'bois", "je bois"],
  ["j'mange", "je mange"],
  ["j'travaille", "je travaille"],
  ["j'prends", "je prends"],
  ["j'haïs", "je déteste"],
  ["asteure", "maintenant"],
  ["astheure", "maintenant"],
  ["nimmer", "nicht mehr"],
  ["net", "nicht"],
  ["ned", "nicht"],
  ["koa", "kein"],
  ["nen", "einen"],
]);
const SPOKEN =
  /(?<![\p{L}'’])(?:pis|chu|chuis|j['’](?:suis|peux|fais|vais|sais|bois|mange|travaille|prends|haïs)|asth?eure|nimmer|ned|koa|nen)(?![\p{L}])/giu;

/** A statement with the marks that plainTextOf replaced. */
export const withMarks = (text: string): string => text.replaceAll(NO_STOP, ".").replaceAll(NO_COLON, ":");
