import { objectOf } from "./clauses.ts";
import { attitude, profile } from "./predicates.ts";
import type { Rule, Statement } from "./rule.ts";

/** The beginning of a main clause in the first person; adverbs between subject and verb are dropped. */
const WHO = String.raw`(?:^|[,:] |\b(?:and|but|so|because|since|as|now|also|actually|currently|today),? )(?:[Ii]|[Ww]e)(?:['’]ve| have)?`;
const ADVERBS =
  "(?: (?:really|just|definitely|still|actually|currently|personally|mostly|normally|finally|recently|now|both|already|only|all|never|always|usually|often|generally))*";
const FREQUENCY = /\b(?:never|always|usually|often|normally|mostly)\b/;
const REST = String.raw`([^;:!?()\n—…]{2,110})`;

/** Verbs of consumption or use; their slot is named after the object. */
const CONSUMED = /^(?:drink|eat|smoke|use|buy)$/;
const HABITS =
  "drive|own|ride|teach|commute|coach|collect|bake|sing|practi[cs]e|sleep|wake up|get up|go to bed|work|deploy|release|ship|host|wear|keep|raise|grow|rent|share|celebrate|live|store|stay";
const VERB = `(drink|eat|smoke|use|${HABITS})`;

const THIRD: Readonly<Record<string, string>> = {
  "get up": "gets up",
  "wake up": "wakes up",
  "go to bed": "goes to bed",
  teach: "teaches",
  coach: "coaches",
  watch: "watches",
};
const third = (verb: string): string => THIRD[verb] ?? `${verb}s`;

/** Verbs that state a permanent fact only with one of these objects. */
const LASTING: Readonly<Record<string, RegExp>> = {
  work: /^(?:from|in|at|for|as|with|remotely|part[- ]time|full[- ]time|nights?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|night shifts?|freelance|shifts)\b(?! (?:it|this|that|the (?:bug|issue|code))\b)/i,
  live: /^(?!in (?:fear|hope|dread|peace|denial))(?:in|near|with|at|on|alone|abroad|outside|together)\b/i,
  drive: /^(?!.*\b(?:crazy|mad|insane|nuts|away|home|up|around the bend)\b)/i,
  keep: /^(?:our|my|all|bees|chickens|horses|a (?:diary|journal))\b/i,
  share: /^(?:an? |my |our )(?:flat|apartment|house|room|office|car)\b/i,
  stay: /^(?:vegan|vegetarian|sober)\b/i,
  release: /\b(?:on|every|each|once|twice|weekly|daily|monthly)\b/i,
  ship: /\b(?:on|every|each|once|twice|weekly|daily|monthly)\b/i,
  deploy: /\b(?:on|every|each|once|twice|weekly|daily|monthly|to|with|via|using|from)\b/i,
  store: /^(?:our|my|all)\b/i,
  go: /^to\b/i,
  buy: /^(?:only|my|our|organic|local)\b/i,
};
/** Objects of "use" that are tools: a name or a known word, not a noun phrase of the current work. */
const TOOL = /^(?:\p{Lu}|[\w.+-]*\d|[\w.+-]+(?:$|,| (?:and|for|as|on|with|at|in|instead|rather|not)\b))/u;

const QUANTITY =
  /^(?:(?:a lot|lots|plenty|a bit|too much|tons|loads|(?:one|two|three|four|five|six|\d+|an?) (?:cups?|glasses|bottles|pints|cans)) of |(?:one|two|three|four|five|six|\d+|much|too much|any|no|only|some|more|less|mostly|black|green|drinking|eating|using|my|our|a|an|the) )+/i;

/** The thing in an object, without quantity and circumstances. */
export function thingOf(object: string): string {
  const plain = object
    .replace(
      / (?:with|without|for|as|in|on|at|to|every|each|instead|rather|from|since|per|again|before|after|and|an? (?:day|week|month|year))\b.*$/i,
      "",
    )
    .replace(/,.*$/, "");
  const thing = plain.replace(QUANTITY, "");
  return (thing === "" ? plain : thing).split(" ").slice(0, 4).join(" ");
}

/** The first object: up to its comma, unless an inserted phrase belongs to it. */
function firstObject(rest: string): string {
  const [head = "", ...more] = rest.split(/,\s+/);
  const aside = more[0];
  return aside !== undefined && /^(?:without|with|never|not|no|from|on|near|mostly)\b/i.test(aside)
    ? `${head}, ${aside}`
    : head;
}

const bare = (rest: string): string => rest.replace(/[.\s]+$/, "");

function habit(said: string, verb: string, rest: string): Statement | readonly Statement[] | undefined {
  const shifts = verb === "work" && /^[^,]+, ((?:night|day|late|early) shifts?[^,.]*)/.exec(rest)?.[1];
  const object = objectOf(firstObject(bare(rest)));
  // "I sleep badly when it is hot" is not stored, because without its condition it would be too general
  if (object === undefined || (verb === "sleep" && /\b(?:when|whenever|unless)\b/.test(rest)))
    return undefined;
  if (LASTING[verb] && !LASTING[verb].test(object)) return undefined;
  const often = FREQUENCY.exec(said.slice(0, said.indexOf(` ${verb} `)))?.[0];
  const about = `${often ? `${often} ` : ""}${third(verb)} ${object}`;
  const thing = thingOf(object);
  if (CONSUMED.test(verb)) {
    if (verb === "use" && !TOOL.test(object)) return undefined;
    return attitude("en", about, thing, often === "never" ? "no" : "yes");
  }
  if (verb === "live" && /^(?:in|near|at) (?:the )?\p{Lu}/u.test(object))
    return profile("en", `lives ${homeOf(object)}`, "home");
  if (verb === "live" && /^(?:in|near|at|outside) /.test(object)) return undefined;
  if (verb === "work") return workStatements(about, object, shifts || undefined);
  if (verb === "drive") return profile("en", about, "car");
  if (/^(?:sleep|get up|wake up|go to bed|rent|commute)$/.test(verb)) return profile("en", about, verb);
  return profile("en", about, `${verb} ${/ on | every | each /.test(` ${object} `) ? "when" : thing}`);
}

/** The place of a home, without phrases such as "since 2019". */
const homeOf = (object: string): string =>
  object
    .replace(/ and \p{Ll}.*$/u, "")
    .replace(/ (?:since .*|for (?:\w+ ){1,2}(?:years?|months?)|these days|with (?:my|our) .*)$/i, "");

function workStatements(about: string, object: string, shifts: string | undefined): readonly Statement[] {
  const slot = /^(?:part|full)[- ]time/.test(object)
    ? "working time"
    : /^as\b/.test(object)
      ? "job"
      : /^(?:at|for)\b/.test(object)
        ? "employer"
        : undefined;
  const statements = [profile("en", about, slot ?? `works ${object.split(" ")[0]}`)];
  if (shifts !== undefined) statements.push(profile("en", `works ${shifts}`));
  return statements;
}

const negation = "(?:do not|don['’]t|can['’]t|cannot|can not)";

/** A statement that a habit has ended or that the speaker does not have it. */
function ended(verb: string, rest: string, isOver: boolean): Statement | undefined {
  const object = objectOf(bare(rest).replace(/ (?:any ?more|any longer)$/i, ""));
  if (object === undefined) return undefined;
  // "quit smoking two years ago" has a time, not an object
  if (/^(?:(?:\w+ ){1,3}ago|(?:last|this) \w+|in \d{4})$/i.test(object)) return undefined;
  const thing = thingOf(object);
  const about = isOver ? `no longer ${third(verb)} ${object}` : `does not ${verb} ${object}`;
  if (CONSUMED.test(verb) || /^(?:like|enjoy|love|want|prefer)$/.test(verb))
    return attitude("en", about, thing, "no");
  if (verb === "live")
    return profile("en", about, /^(?:in|near|at) /.test(object) ? "home" : `live ${thing}`);
  if (verb === "work" && /^(?:at|for) /.test(object)) return profile("en", about, "employer");
  return profile("en", about, `${verb} ${thing}`);
}

const DIETS = "vegetarian|vegan|pescatarian|kosher|gluten[- ]free|lactose intolerant|single|married|pregnant";

/** Statements that a state or habit has ended, and that a thing was replaced. */
const ENDS: readonly Rule[] = [
  {
    isOfEnds: true,
    pattern: new RegExp(`${WHO}(?: no longer| stopped| quit| gave up) (\\w+?)(?:ing)? ${REST}`, "u"),
    make: ([said, word = "", rest = ""]) => {
      const verb = ENDED_VERBS[word.toLowerCase()] ?? ENDED_VERBS[`${word.toLowerCase()}e`];
      return verb === undefined || /\bstopped by\b/.test(said) ? undefined : ended(verb, rest, true);
    },
  },
  {
    isOfEnds: true,
    pattern: new RegExp(
      `${WHO} ${negation} (drink|eat|smoke|use|like|enjoy|own|drive|live|work) ${REST}(?<=any ?more|any longer)\\b`,
      "u",
    ),
    make: ([, verb = "", rest = ""]) => ended(verb, rest, true),
  },
  {
    isOfEnds: true,
    pattern: new RegExp(
      `(?:^|[,:] )I(?:['’]m| am) (?:no longer|not) (?:an? )?(${DIETS})( any ?more)?\\b`,
      "iu",
    ),
    make: ([said, what = "", anymore]) =>
      anymore || /no longer/.test(said)
        ? profile("en", `is no longer ${what.toLowerCase()}`, `is ${what.toLowerCase()}`)
        : undefined,
  },
];
const ENDED_VERBS: Readonly<Record<string, string>> = {
  drink: "drink",
  eat: "eat",
  smoke: "smoke",
  smok: "smoke",
  use: "use",
  us: "use",
  like: "like",
  enjoy: "enjoy",
  own: "own",
  drive: "drive",
  driv: "drive",
  live: "live",
  liv: "live",
  work: "work",
  take: "take",
  tak: "take",
  play: "play",
  wear: "wear",
  need: "need",
  support: "support",
  commute: "commute",
  commut: "commute",
  buy: "buy",
  watch: "watch",
};

/** A name of one to three words, or a tool's name in lower case. */
const TOOL_NAME = String.raw`([\p{L}\p{N}][\p{L}\p{N}.+#/-]*(?: \p{Lu}[\p{L}\p{N}.+#/-]*){0,2})`;
const GENERIC =
  /^(?:it|that|this|them|there|here|one|another|the|a|an|my|our|your|plan|topic|new|something|different|tabs?)$/i;

/** One statement about each side of a replacement. */
function replaced(from: string | undefined, to: string): readonly Statement[] {
  const clean = (name: string): string => name.replace(/[.,]+$/, "");
  const next = clean(to);
  if (GENERIC.test(next) || (from !== undefined && GENERIC.test(clean(from)))) return [];
  const now = attitude("en", from ? `uses ${next} instead of ${clean(from)}` : `uses ${next}`, next, "yes");
  if (from === undefined) return [now];
  return [now, attitude("en", `no longer uses ${clean(from)} but ${next}`, clean(from), "no")];
}

const CHANGES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `${WHO}${ADVERBS} (?:switched|moved|migrated|changed)(?: over)? from ${TOOL_NAME} to ${TOOL_NAME}( \\p{Ll}+)?`,
      "u",
    ),
    // "to green tea" names no tool
    make: ([said, from = "", to = "", next = ""]) =>
      /^\p{Ll}/u.test(to) && next !== "" && !AFTER_TOOL.test(next)
        ? undefined
        : movedOrReplaced(said.slice(0, said.length - next.length), from, to),
  },
  {
    pattern: new RegExp(`${WHO}${ADVERBS} replaced ${TOOL_NAME} (?:with|by) ${TOOL_NAME}`, "u"),
    make: ([, from, to = ""]) => replaced(from, to),
  },
  {
    pattern: new RegExp(
      `${WHO}${ADVERBS} use${ADVERBS} ${TOOL_NAME} (?:now )?instead of ${TOOL_NAME}(?: now\\b)?`,
      "u",
    ),
    make: ([said, to = "", from]) =>
      /\bnow\b/.test(said)
        ? replaced(from, to)
        : [attitude("en", `uses ${to} instead of ${from}`, to, "yes")],
  },
  {
    pattern: new RegExp(
      `${WHO}${ADVERBS} (?:switched|migrated)(?: over)? to (\\p{Lu}[\\p{L}\\p{N}.+#-]*)`,
      "u",
    ),
    make: ([, to = ""]) => replaced(undefined, to),
  },
];
const AFTER_TOOL =
  /^ (?:for|because|since|last|this|in|on|at|when|and|but|so|after|now|too|as|with|a|an|two|three|years?|as|about|recently|yesterday|completely|entirely)$/;
const TWO_NAMES = /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u;

/** "We moved from Oslo to Bergen" may refer to people or to tools at work; the statement is true for both. */
function movedOrReplaced(said: string, from: string, name: string): Statement | readonly Statement[] {
  const to = name.replace(/[.,]+$/, "");
  const isPlain = /\bmoved from\b/.test(said) && TWO_NAMES.test(`${from} ${to}`);
  if (!isPlain) return replaced(from, to);
  // for a single person it is a home, which another rule handles
  return /\bI\b/.test(said) ? [] : profile("en", `moved from ${from} to ${to}`);
}

/** Rules for habits, tools in use, and habits that have ended. */
export const HABIT_RULES: readonly Rule[] = [
  ...ENDS,
  ...CHANGES,
  {
    pattern: new RegExp(`${WHO}${ADVERBS} ${VERB}${ADVERBS} ${REST}`, "u"),
    make: ([said, verb = "", rest = ""]) =>
      /\b(?:instead of)\b/.test(rest) && verb === "use" ? undefined : habit(said, verb, rest),
  },
  {
    pattern: new RegExp(`${WHO} ${negation} (drink|eat|smoke|use|own|drive|speak) ${REST}`, "u"),
    make: ([, verb = "", rest = ""]) =>
      verb === "use" && !TOOL.test(rest) ? undefined : ended(verb, firstObject(bare(rest)), false),
  },
  {
    pattern: new RegExp(
      `${WHO}(?: (?:now|again|only|still)){0,2} eat (meat|fish|dairy|eggs|gluten)(?: again)?\\b`,
      "u",
    ),
    make: ([said, what = ""]) =>
      /again/.test(said)
        ? [
            attitude("en", `eats ${what} again`, what, "yes"),
            profile("en", `eats ${what} again`, what === "meat" ? "is vegetarian" : `is without ${what}`),
          ]
        : undefined,
  },
];
