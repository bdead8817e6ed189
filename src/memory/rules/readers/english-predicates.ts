import { baseOf, complementOf, headOf, slotOf, thirdOf } from "./english-objects.ts";
import { being, type Person, type VerbPhrase, WHEN } from "./english-states.ts";
import {
  ALSO_NOUN,
  LASTING_VERBS,
  MOMENTARY,
  NEEDED,
  OFTEN,
  PASSING_THING,
  STRICT,
} from "./english-words.ts";

export type { Person, VerbPhrase };

export const ADVERB =
  /^(?:(?:also|just|really|actually|basically|honestly|currently|now|already|still|kind of|sort of|both|all|definitely|absolutely|mainly|even|recently|finally|personally|unfortunately|sadly) )+/i;
export const KEPT =
  /^((?:(?:always|usually|often|never|mostly|rarely|seldom|sometimes|normally|generally|regularly|typically|constantly|only|hardly ever|tend to) )+)/i;

/** The predicate of a verb phrase in the third person; undefined if it states nothing lasting. */
export function predicateOf(phrase: string, who: Person): VerbPhrase | undefined {
  const vp = phrase.replace(ADVERB, "");
  const often = KEPT.exec(vp)?.[1] ?? "";
  const main = vp.slice(often.length).replace(ADVERB, "");
  const at = main.indexOf(" ");
  const first = (at < 0 ? main : main.slice(0, at)).toLowerCase();
  const rest = at < 0 ? "" : main.slice(at + 1).replace(ADVERB, "");
  switch (first) {
    case "am":
    case "is":
    case "are":
      return being(`${often.toLowerCase()}${rest}`, who, first === "are" && who !== "self" ? "are" : "is");
    case "isn't":
    case "aren't":
      return being(`not ${rest}`, who, "is");
    case "have":
    case "has":
      return having(often, rest, who, first);
    case "was":
    case "were":
      return past(rest);
    case "don't":
      return negated(rest, who, who === "self" ? "does" : "do");
    case "doesn't":
      return negated(rest, who, "does");
    case "do":
    case "does":
      if (rest.startsWith("not ")) return negated(rest.slice(4), who, who === "self" ? "does" : first);
      return verbal(often, first, rest, who);
    case "no":
      return rest.startsWith("longer ") ? ended(rest.slice(7), who) : undefined;
    case "can":
    case "can't":
    case "cannot":
      return able(first, rest);
    case "will":
      return planned(rest);
    case "would":
      return preferring(rest);
    case "used":
      return usedTo(rest);
    case "came":
      return lasting(/^from \p{Lu}/u, "came", rest, "origin");
    case "served":
    case "fought":
    case "worked":
      return who === "person" ? lasting(/^(?:in|as|at|for|on) /, first, rest, undefined) : undefined;
    case "grew":
      return lasting(/^up (?:in|on|near|with|speaking|as)\b/, "grew", rest, "origin");
    case "stopped":
    case "quit":
      return stopped(first, rest);
    case "gave":
      return rest.startsWith("up ") ? stopped("gave up", rest.slice(3)) : undefined;
    case "cancelled":
    case "canceled":
    case "sold":
      return lasting(/^(?:my|our) /i, first, rest, ownedSlot(rest));
    case "studied":
    case "majored":
      return lasting(/^(?!(?:hard|for)\b)\w/, first, rest, undefined);
    default:
      return verbal(often, first, rest, who);
  }
}

function lasting(fits: RegExp, verb: string, rest: string, slot: string | undefined): VerbPhrase | undefined {
  const complement = fits.test(rest) ? complementOf(rest) : undefined;
  return complement === undefined ? undefined : { about: `${verb} ${complement}`, slot };
}

function verbal(often: string, word: string, rest: string, who: Person): VerbPhrase | undefined {
  const verb = who === "self" ? word : baseOf(word);
  const isLasting = LASTING_VERBS.has(verb);
  if (!isLasting && (MOMENTARY.has(verb) || /(?:ed|ing)$/.test(verb) || !/^[a-z-]{3,}$/.test(verb)))
    return undefined;
  const hasFrequency = often.trim() !== "" || OFTEN.test(rest);
  if (!isLasting && !hasFrequency) return undefined;
  const complement = rest === "" ? "" : complementOf(rest);
  if (complement === undefined || /^and | and (?:just|then) /.test(complement)) return undefined;
  const second = / and (\w+)\b/.exec(complement)?.[1] ?? "";
  if (LASTING_VERBS.has(second) && !ALSO_NOUN.test(second)) return undefined;
  const needed = NEEDED.get(verb);
  if (needed && !needed.test(complement) && !(hasFrequency && complement !== "" && !STRICT.has(verb)))
    return undefined;
  if (complement === "" && !/^(?:smoke|snore|vape|stutter|drink|freelance|homeschool)$/.test(verb))
    return undefined;
  const form = isPluralForm(word, who) ? verb : thirdOf(verb);
  return { about: `${often.toLowerCase()}${form} ${complement}`.trim(), slot: slotOf(verb, complement) };
}

/** Whether the verb has a plural subject ("my parents live"), so that its form is kept. */
const isPluralForm = (word: string, who: Person): boolean => who !== "self" && baseOf(word) === word;

function negated(rest: string, who: Person, does: string): VerbPhrase | undefined {
  const over = / any ?(?:more|longer)\b/i.exec(rest);
  if (over) return ended(rest.slice(0, over.index), who);
  const [verb = "", ...more] = rest.replace(ADVERB, "").split(" ");
  if (
    !LASTING_VERBS.has(verb) ||
    /^(?:understand|need|get|come|see|mind|care|meet|start|run|do)$/.test(verb)
  ) {
    if (!/^do (?:\w+ing|sports?|drugs|mornings|social media|small talk)\b/.test(rest)) return undefined;
  }
  const complement = complementOf(more.join(" "));
  if (complement === undefined) return undefined;
  if (verb === "have" && PASSING_THING.test(complement)) return undefined;
  if (verb === "go" && !NEEDED.get("go")?.test(complement)) return undefined;
  const slot = verb === "have" ? ownedSlot(complement) : slotOf(verb, complement);
  return { about: `${does} not ${verb} ${complement}`, slot };
}

/** Converts "no longer …": the speaker's verb is in the base form, other people's in the third person. */
function ended(rest: string, who: Person): VerbPhrase | undefined {
  const [word = "", ...more] = rest.split(" ");
  const verb = who === "self" ? word : baseOf(word);
  if (!LASTING_VERBS.has(verb)) return undefined;
  const complement = complementOf(more.join(" "));
  if (complement === undefined) return undefined;
  const slot = verb === "have" ? ownedSlot(complement) : slotOf(verb, complement);
  return { about: `no longer ${thirdOf(verb)} ${complement}`, slot };
}

function stopped(verb: string, rest: string): VerbPhrase | undefined {
  const complement = complementOf(rest);
  if (complement === undefined || /^(?:by|to|at|in|my job|the|working on)\b/.test(complement))
    return undefined;
  const [, doing, of = ""] = /^(\w+ing)\b ?(.*)$/.exec(complement) ?? [];
  if (doing === undefined) return { about: `${verb} ${complement}`, slot: `learn ${headOf(complement)}` };
  const stem = doing.slice(0, -3);
  const base = [stem, `${stem}e`, stem.slice(0, -1)].find((one) => LASTING_VERBS.has(one));
  return base === undefined ? undefined : { about: `${verb} ${complement}`, slot: slotOf(base, of) };
}

function having(often: string, rest: string, who: Person, word: string): VerbPhrase | undefined {
  const has = who === "person" && word === "have" ? "have" : "has";
  const got = rest.replace(/^got (?!(?:to|a (?:question|problem|bug))\b)/, "");
  const perfect =
    /^(?:been (?!(?:trying|getting|having|thinking|wondering|told|looking|waiting|searching|keeping|feeling|struggling|focusing|busy)\b)\w+|(?:worked|lived|known|owned|played|had|studied|smoked|driven|used|taught|run)\b|(?:never|always) \w+(?:ed|en|wn|ne|ad)\b)/;
  if (perfect.test(`${often}${rest}`)) {
    if (/^been (?:playing|doing|using|making|having) (?:for|since|\w+ly)\b/.test(rest)) return undefined;
    if (!/\b(?:since|for|never|always)\b/.test(`${often}${rest}`)) return undefined;
    if (/\b(?:hours?|minutes|days)\b/.test(rest)) return undefined;
    const complement = complementOf(`${often}${rest}`);
    return complement === undefined ? undefined : { about: `${has} ${complement}`, slot: undefined };
  }
  if (/^(?:to|not|been|never|\w+ed|got|seen|done|made|gone|had|a look)\b/.test(got)) return undefined;
  const complement = complementOf(got);
  if (complement === undefined || PASSING_THING.test(complement) || /^\w+ing\b/.test(complement))
    return undefined;
  const isPlain =
    /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|no|\d+|my own|our own|several|mild|severe|chronic|type \d|high|low|some|very|bad|\p{Lu}[\p{L}'-]*|adhd|asthma|diabetes|arthritis|anxiety|depression|insomnia|epilepsy|tinnitus|eczema|hay ?fever|curly|long|short|brown|blue|green|red|blonde?|blood type|dual|porridge|breakfast|lunch|dinner|\w+ (?:allergy|allergies|disease|syndrome|disorder))\b/u.test(
      complement,
    );
  if (!isPlain && often === "") return undefined;
  return { about: `${often.toLowerCase()}${has} ${complement}`, slot: ownedSlot(complement) };
}

const ownedSlot = (owned: string): string => `number of ${headOf(owned)}`;

const ABILITY =
  /^(?:(?:only|barely|hardly|really|never) )?(?:swim|drive|cook|sing|dance|ski|ride|read|speak|write|play|eat|drink|digest|tolerate|stand|bear|hear|see (?:well|very|colou?rs|without)|smell|whistle|knit|sew|type|lift|sleep|stay up|have (?:dairy|gluten|nuts|sugar|caffeine|milk|lactose)|take (?:aspirin|ibuprofen|penicillin|antibiotics|calls?)|work (?:on|after|before|without|in|with)|fly|juggle|snowboard|surf|touch-type|afford|walk (?:far|without)|use (?:stairs|my))\b/i;

function able(can: string, rest: string): VerbPhrase | undefined {
  const complement = ABILITY.test(rest) ? complementOf(rest.replace(/ (?:very well|well)$/, "")) : undefined;
  if (complement === undefined) return undefined;
  const isNo = can !== "can";
  const [verb = "", ...more] = complement.split(" ");
  return { about: `${isNo ? "cannot" : "can"} ${complement}`, slot: slotOf(verb, more.join(" ")) };
}

/** A plan counts as a fact only if it has a date. */
function planned(rest: string): VerbPhrase | undefined {
  if (!/^(?:be |move|fly|start|retire|turn|visit|travel|leave|graduate|get married|marry)/.test(rest))
    return undefined;
  const complement = WHEN.test(rest) ? complementOf(rest) : undefined;
  return complement === undefined ? undefined : { about: `will ${complement}`, slot: undefined };
}

function preferring(rest: string): VerbPhrase | undefined {
  const complement = /^rather .* than /.test(rest) ? complementOf(rest) : undefined;
  return complement === undefined ? undefined : { about: `would ${complement}`, slot: undefined };
}

function usedTo(rest: string): VerbPhrase | undefined {
  const verb = /^to (\w+) /.exec(rest)?.[1] ?? "";
  if (!/^(?:live|work|smoke|play|teach|study|run|own|drive|be)$/.test(verb)) return undefined;
  const complement = complementOf(rest);
  return complement === undefined ? undefined : { about: `used ${complement}`, slot: undefined };
}

function past(rest: string): VerbPhrase | undefined {
  const isLasting =
    /^(?:born|raised|brought up|educated|adopted) \w|^(?:an? )\w+.* (?:for|until|before)\b/i.test(rest);
  const isTrade = /^an? \w+(?:er|or|ist|man|woman|ian|nurse|smith|cook|clerk)(?: |$)/i.test(rest);
  const complement = isLasting || isTrade ? complementOf(rest) : undefined;
  return complement === undefined ? undefined : { about: `was ${complement}`, slot: undefined };
}
