import { complementOf, headOf } from "./english-objects.ts";
import { LASTING_STATE, PASSING_THING } from "./english-words.ts";

/** Kind of the subject of a clause; "self": the speaker. */
export type Person = "self" | "person" | "thing";

/** A predicate in the third person, and the question it answers. */
export interface VerbPhrase {
  readonly about: string;
  /** A thing that the speaker uses or consumes ("yes"), or no longer does ("no"). */
  readonly thing?: { readonly name: string; readonly answer: "yes" | "no" };
  readonly slot?: string | undefined;
}

export const WHEN =
  /\b(?:(?:on|in|at|by|from|until|next|this) (?:the )?(?:\d|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|spring|summer|autumn|fall\b|winter|christmas|easter|week|month|year)|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/i;

const DOING =
  /^(?:(?:re)?learning|studying|training (?:for|as|to)|saving(?: up)?|expecting|teaching|writing (?:an?|my)|working (?:as|on an?|on my|towards|part|full|night|from|at \p{Lu}|for \p{Lu})|living (?:in|with|on|at)|renting|raising|homeschooling|doing (?:an?|my) (?:phd|masters?|degree|apprenticeship|course|internship|bachelor)|taking (?:an?|\w+ lessons|\w+ classes)|getting married|recovering from|trying to (?:lose|quit|learn|cut down|get pregnant|sell|buy|save)|planning (?:an?|to|our|my)|renovating|building (?:an?|my|our) (?:house|boat|shed|cabin)|fostering|seeing (?:an?|my) (?:therapist|counsell?or)|dating|looking for an? (?:new )?(?:job|flat|apartment|house)|using \p{Lu}|running for|applying (?:to|for))\b/u;
const TRAVELLING =
  /^(?:doing (?:the )?[A-Z]|doing an? [a-z]+ in [A-Z]|flying|going|travell?ing|moving|starting|leaving|visiting|hosting|having|switching|retiring|turning|running|driving|getting)/;
const PLACE =
  /^(?:on|in|at|behind|under|next to|near|by|inside|above|between|from|beside|opposite|every) (?!(?:trouble|danger|pain|love|it|fire|hold|progress|doubt|fact)\b)/i;

/** Forms of states of people, each with the question that it answers. */
const STATES: readonly (readonly [form: RegExp, question?: (what: string) => string])[] = [
  [
    /^(?:an?|the (?:youngest|oldest|eldest|middle|only|head|owner|founder|treasurer|captain|mayor|\p{Lu}\w+)|one of \w+) (?!\w+ed$)/u,
    (what) => `is ${headOf(what)}`,
  ],
  [/^(?:in my|in the middle of my) \d\ds/, () => "age"],
  [
    /^(?:\d{1,2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)(?: years old| months old)?$/,
    () => "age",
  ],
  [/^(?:married|engaged|divorced|single|widowed|separated)\b/i, () => "marriage"],
  [/^down to \d+ (?:kilos?|kg|pounds|lbs|stone)/, () => "weight"],
  [
    /^on (?:an? [\w -]*diet|antidepressants|insulin|blood thinners|the pill|statins|medication|the board|parental leave|maternity leave|paternity leave|night shifts|the autism spectrum)/i,
    (what) => `is on ${headOf(what.slice(3))}`,
  ],
  [/^(?:vegetarians|vegans|pescatarians|twins|foster parents|night owls|early risers|newlyweds)\b/],
  [/^from \p{Lu}/u, () => "origin"],
  [/^based in /, () => "home"],
  [
    /^(?:in (?:sales|marketing|IT|HR|finance|tech|recovery|remission|a (?:wheelchair|relationship|band|choir))\b|more of an? )/,
  ],
  [LASTING_STATE, (what) => `is ${what.toLowerCase().split(" ").slice(0, 3).join(" ")}`],
];
/** Complements that are incomplete or describe a temporary mood. */
const NO_STATE =
  /^(?:(?:really |very |pretty )?(?:good|bad|terrible|great|into|afraid|scared|keen|fond|prone|sensitive|half|named|called|from|used to|responsible)|(?:an? )?(?:(?:huge|big|total|massive) )?fan)$/i;
const UNTIMED = /^(?:starting|leaving|having|getting|turning|running|going|hosting) (?:next|on|in|at|this)\b/;

/** The predicate of a form of "be" with its complement; undefined for temporary states. */
export function being(given: string, who: Person, is: string): VerbPhrase | undefined {
  const isOver = /\b(?:no longer|any ?more)\b/i.test(given);
  const complement = complementOf(given.replace(/^no longer /i, "not ").replace(/,? any ?more\b/i, ""));
  if (complement === undefined) return undefined;
  const what = complement.replace(/^not /i, "");
  const isNot = what !== complement;
  const used = who === "self" && !isNot ? /^using (\p{Lu}[\w.+#-]*)/u.exec(what)?.[1] : undefined;
  if (used !== undefined)
    return { about: `uses ${what.slice("using ".length)}`, thing: { name: used, answer: "yes" } };
  const question = questionOf(what, who, isNot);
  if (question === undefined) return undefined;
  const about = isNot ? `is ${isOver ? "no longer" : "not"} ${what}` : `${is} ${complement}`;
  return { about, slot: question.slot };
}

/** The question that a state answers; undefined if it is not a lasting state. */
function questionOf(what: string, who: Person, isNot: boolean): { slot?: string | undefined } | undefined {
  if (DOING.test(what)) return { slot: `${learnt(what)}${headOf(what.replace(/^\w+ing (?:up )?/, ""))}` };
  if (NO_STATE.test(what) || UNTIMED.test(what)) return undefined;
  if (TRAVELLING.test(what)) return WHEN.test(what) && !isNot ? {} : undefined;
  if (/\d ?%/.test(what)) return undefined;
  if (who === "thing") return isThingState(what) ? { slot: "is" } : undefined;
  const found = STATES.find(([form]) => form.test(what));
  if (!found || (found[0] !== LASTING_STATE && PASSING_THING.test(what))) return undefined;
  return { slot: found[1]?.(what) };
}

const learnt = (what: string): string => (/^(?:re)?learning|^studying/.test(what) ? "learn " : "does ");

/** Whether a complement describes a lasting property of a thing: a kind, name, location, time or amount. */
const isThingState = (what: string): boolean =>
  (/^(?:an? |the |called |named |made of |hosted |written in |due |scheduled |stored |insured |parked |located )/i.test(
    what,
  ) ||
    /^(?:\p{Lu}|\d|£|\$|€)/u.test(what) ||
    PLACE.test(what)) &&
  !PASSING_THING.test(what);
