import { LASTING_VERBS } from "./english-words.ts";

const PAST_OR_MODAL = /^(?:was|were|had|did|could|would|will|can|should|must|may|might|\w+ed)$/;
/** A Map instead of an object, because any word is looked up, even `constructor`. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["have", "has"],
  ["am", "is"],
  ["are", "is"],
  ["do", "does"],
  ["go", "goes"],
]);

/** The third person of a verb; past tenses and modals have the same form. */
export function thirdOf(verb: string): string {
  if (verb !== "need" && verb !== "feed" && verb !== "breed" && PAST_OR_MODAL.test(verb)) return verb;
  const ending = /(?:s|sh|ch|x|z|[^aeiou]o)$/.test(verb) ? "es" : "s";
  return IRREGULAR.get(verb) ?? (/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}${ending}`);
}

/** Transitions to reasons, asides and small talk. */
const ASIDE =
  /(?:,? (?:because|cause|as (?=(?:i|we|it|my|our|the)\b)|since (?=(?:i|we|it|my|our|the)\b)|so (?!that\b)|but|although|though|even though|whereas|while|which|please|lol|haha|btw|by the way|actually|honestly|anyway|thanks|tbh|too|as well|instead(?! of)|if (?:that|you)|in case|just so)\b.*|,? and (?:there|it|that|this|you|he|she|they|i|we|so|then)\b.*|,? (?:now|these days|nowadays|at the minute|currently))$/i;
const POINTING =
  /\b(?:you|your|yours|it|its|it's|this|these|those|them|him|he|she|here|what|how|something|someone|anything|each other|one another|together|others|hers|another|stuff|things|ones?|going|again|about to|ever since|all over|so far)\b(?! (?:hand|to one|eye|ear|of|son|daughter|brother|sister|child|cat|dog|kid|bedroom|day|man|year)\b)|\bher(?=$|[,.]| (?:on|at|in|every|to|for|with|and|from|a|once|twice)\b)|\bthere(?!'s| is| are)\b|\bthat(?! (?:i|we|my|our|is|are|was|has|lives?|works?|goes)\b)/i;
const UNFINISHED =
  /\b(?:the|an?|my|our|of|to|with|for|in|on|at|by|from|and|or|not|very|really|is|are|was|be|been|just|own|about|than|like|into|few|some|any|especially|such|all|both|every)$/i;
/** Words that may continue the object after a comma. */
const AFTER_COMMA =
  /^(?:not|never|mostly|mainly|especially|except|usually|without|with|from|on|in|at|near|and|or|\p{Lu}|\d)/u;
const MAX_WORDS = 18;

/** The complement of a verb without asides; undefined if it is incomplete or refers to another sentence. */
export function complementOf(raw: string): string | undefined {
  let text = raw.replace(/[\s.!,;:)]+$/, "").trim();
  for (let cut = text.replace(ASIDE, ""); cut !== text; cut = text.replace(ASIDE, "")) text = cut;
  text = upToComma(text)
    .replace(/ \([^()]*$/, "")
    .replace(/(?:^| )now(?= |$)/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
  // in "a laptop with Debian on it", the pronoun refers to the laptop, not to another sentence
  const plain = text.replace(/( with (?:[\w-]+ ){1,4}(?:on|in)) it$/, "$1 board");
  if (text === "" || POINTING.test(plain) || UNFINISHED.test(text)) return undefined;
  return text.split(" ").length > MAX_WORDS ? undefined : text;
}

function upToComma(text: string): string {
  const [head = "", ...more] = text.split(/,\s+/);
  const kept = [head];
  const isList =
    more.length > 0 &&
    /^(?:and |or )|.* (?:and|or) \S/.test(more.at(-1) ?? "") &&
    more.every((one) => one.split(" ").length <= 6);
  for (const part of more) {
    if (!isList && !AFTER_COMMA.test(part)) break;
    kept.push(part);
  }
  return kept.join(", ");
}

const LEADING =
  /^(?:(?:mostly|mainly|only|also|still|an?|the|my|our|your|own|some|any|no|only|mostly|mainly|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|many|a few|a lot of|lots of|all|most|not|much|more|less|new|old|up) )+/i;
const CIRCUMSTANCE =
  / (?:with|without|for|as|in|on|at|every|each|instead|rather|from|since|per|again|before|after|and|when|whenever|if|most|once|twice|by|because|during|until|that|who|to|called|named|mostly|only|a (?:day|week|month|year))\b.*$/i;

/** The head noun of an object in lower case and singular, without articles, amounts and circumstances. */
export function headOf(object: string): string {
  const direct = /^(to|in|at|with|for|on|after|from) (.+)$/i.exec(object);
  const plain = (direct?.[2] ?? object).replace(LEADING, "").replace(CIRCUMSTANCE, "").replace(/,.*$/, "");
  const head = plain
    .toLowerCase()
    .split(" ")
    .slice(0, 4)
    .join(" ")
    .replace(/(?<=\w{2})s$/, "");
  return direct ? `${direct[1]?.toLowerCase()} ${head}` : head;
}

/** Verbs with only one current answer per person, and the question of each. */
const ONE_ANSWER: ReadonlyMap<string, string> = new Map([
  ["drive", "car"],
  ["weigh", "weight"],
  ["start", "start"],
  ["begin", "start"],
  ["end", "end"],
  ["finish", "end"],
  ["cost", "cost"],
  ["expire", "expire"],
  ["open", "open"],
  ["close", "close"],
  ["bank", "bank"],
  ["wake", "get up"],
]);

const SCHOOL = /^to (?:\w+ )?(?:nursery|kindergarten|preschool|school|college|uni|university)\b/;
/** Verbs of work, done with one tool or at one place at a time. */
const MEANS = /^(?:deploy|release|ship|build|test|host|plan|track|monitor|review|store|backup|log|edit)$/;

/** The thing that "in Go rather than PHP" abandons: the slot is that of the earlier answer. */
const INSTEAD =
  /^((?:in|on|at|to|with|for) )?.* (?:instead of|rather than) (?:(?:in|on|at|to|with|for) )?(.+)$/i;

/** The question that a verb with its complement answers. */
export function slotOf(verb: string, complement: string): string {
  const [, preposition = "", given] = INSTEAD.exec(complement) ?? [];
  if (given !== undefined && !/\b(?:go|get)\b/.test(verb)) return slotOf(verb, `${preposition}${given}`);
  if (/\bto (?:work|the office|school)\b/.test(complement) && !/^(?:go|listen|wear|bring)$/.test(verb))
    return "way to work";
  if (verb === "live" && /^(?:in|near|at|on)\b/.test(complement)) return "home";
  if (verb === "work" && /^(?:at|for) /.test(complement)) return "employer";
  if (verb === "work" && /^(?:part|full)[- ]time/.test(complement)) return "working time";
  if (verb === "work" && /^as /.test(complement)) return "job";
  if (verb === "get" && complement.startsWith("up")) return "get up";
  if (verb === "go" && SCHOOL.test(complement)) return "school";
  const means = MEANS.test(verb) ? /^(with|on|to|in) \p{Lu}/u.exec(complement)?.[1] : undefined;
  if (means !== undefined) return `${verb} ${means}`;
  if (verb === "shop" || (verb === "do" && /\bshopping\b/.test(complement))) return "shopping";
  return ONE_ANSWER.get(verb) ?? `${verb} ${headOf(complement)}`;
}

const IRREGULAR_BASES = new Map([
  ["has", "have"],
  ["does", "do"],
  ["goes", "go"],
  ["lies", "lie"],
  ["dies", "die"],
]);

/** The base form of a verb in the third person; the word itself if unknown. */
export function baseOf(word: string): string {
  const known = IRREGULAR_BASES.get(word);
  if (known !== undefined) return known;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const short = word.replace(/s$/, "");
  return LASTING_VERBS.has(short) ? short : word.replace(/es$/, "");
}
