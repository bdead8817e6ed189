/** Stands for the full stop of "St. Mary", which ends neither a sentence nor an object. */
const NO_STOP = "\u2024";
/** Stands for the colon of "9:30", which ends no clause. */
const NO_COLON = "\u2236";

/**
 * A message without code, quoted lines and picture captions. Full stops and colons that end no sentence are
 * replaced.
 */
export const plainTextOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[.,;:!?]/g, "·"))
    // `[^\S\r\n]` instead of `\s`, because matching across line breaks would take quadratic time
    .replace(/^[^\S\r\n]*>.*$/gm, " ")
    .replace(/\[[^\]\n]{0,300}\]/g, " ")
    .replace(/\b(St|Mt|Ft)\. (?=\p{Lu})/gu, `$1${NO_STOP} `)
    .replace(/(?<=\d)[:：](?=\d\d)/g, NO_COLON)
    .replace(/\b(brothers?|sisters?|mothers?|fathers?|sons?|daughters?|parents) in laws?\b/gi, "$1-in-law")
    .replace(SPOKEN, (word) => WRITTEN.get(word.toLowerCase().replace("’", "'")) ?? word);

/** Words of spoken French and Austrian German, with those that the rules know. */
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

/** Restores the full stops and colons that plainTextOf replaced. */
export const withMarks = (text: string): string => text.replaceAll(NO_STOP, ".").replaceAll(NO_COLON, ":");
