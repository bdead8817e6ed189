import { objectOf } from "./clauses.ts";
import { entity, profile } from "./predicates.ts";
import { baseOf, slotOf } from "./readers/english-objects.ts";
import type { Rule, Statement } from "./rule.ts";

/** Attributes and belongings of a person that questions ask for by name. */
const PERSONAL =
  "time ?zone|birthday|(?:phone|mobile|telephone|account|customer|passport) number|e-?mail(?: address)?|address|nationality|native language|mother tongue|blood type|shoe size|height|hobby|hobbies|star sign|pronouns|handle|username|nickname|surname|last name|middle name|degree|major|commute|car|bike|laptop|phone|keyboard|flat|apartment|house|office|editor|shell|terminal|operating system|os|browser|diet|budget|salary|notice period|working hours|office hours|visa|pension|thesis|research topic";
/** Things of a team, a project or a company. */
const SHARED =
  "database|backend|front-?end|api|api gateway|stack|tech stack|repo|repository|monorepo|codebase|server|ci|ci server|pipeline|cluster|cloud|cloud provider|team|company|office|stand-?up|daily|sprint|retro|retrospective|release|releases|release day|release train|deployments?|deploys?|deadline|staging(?: server| environment)?|production(?: server| database)?|test server|documentation|docs|wiki|issue tracker|chat|monitoring|website|app|product|service|main branch|default branch|code style|coding style|license|customer|customers|budget|roadmap|on-call rotation|meeting|weekly|team meeting";
const THING = `((?:[\\w-]+ ){0,1}(?:${PERSONAL}|${SHARED}))`;
const BE =
  "(?:is|are|['’]s|was moved to|has moved to|have moved to|moved to|runs|run|lives|consists|starts|ends|takes place|happens?|sits|has|have)";
const VALUE = String.raw`([^,;:!?()\n—…]{2,100})`;
/** Adjectives and participles of temporary states, which describe no lasting property. */
const PASSING =
  /^(?:broken|down|slow|failing|offline|online|dead|gone|late|ready|done|back|fine|good|great|bad|awful|empty|full|wrong|stuck|red|green|over|not|very|so|too|really|still|now|working|crashing|hanging|a mess|on fire|up|out|unavailable|about to|going|getting|been|to|always|never|currently|coming|currently|a problem|an issue|pretty|quite|already|almost|(?!running (?:on|in|at)\b)\w+ing)\b/i;
const DAY = String.raw`(?:(?:on|to|every|each) )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b[^,;!?\n]{0,30}`;

const PLURAL: Readonly<Record<string, string>> = {
  "'s": "is",
  "’s": "is",
  "moved to": "moved to",
  run: "run",
};

function thing(said: string, verb: string, value: string, isOurs: boolean): Statement | undefined {
  // "new" and "current" are dropped so that the new thing has the slot of the previous one
  const name = said.replace(/^(?:new|current) /i, "");
  const object = objectOf(value.replace(/\.$/, ""));
  if (object === undefined || PASSING.test(object)) return undefined;
  const topic = name.toLowerCase();
  const does = PLURAL[verb] ?? verb;
  const slot = /^(?:is|are)$/.test(does) || /moved to$/.test(does) ? topic : `${topic} ${does}`;
  return isOurs
    ? entity("en", topic, `{Whose} ${name}`, `${does} ${object}`, slot)
    : { ...profile("en", `${does} ${object}`, slot), subject: `{Whose} ${name}` };
}

/** Roles of which a person has one at a time: a new one supersedes the previous one. */
export const UNIQUE_ROLE =
  "wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|mom|mum|mother|dad|father|boss|manager|team lead|line manager|supervisor|advisor|mentor|doctor|gp|dentist|therapist|landlord|landlady|lawyer|accountant|tech lead|cto|ceo|product owner|scrum master";
const TITLES = String.raw`(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx|Sir|Rev|Professor|Doctor)\.? ){0,2}`;
export const PERSON = String.raw`(${TITLES}\p{Lu}[\p{L}\p{M}'’-]*\p{L}(?: \p{Lu}[\p{L}\p{M}'’-]*\p{L}){0,2})(?![\p{L}-])`;

/** A fact about the bearer of a role. Its slot is the role, so a new bearer supersedes the previous one. */
const role = (name: string, of: string): Statement => ({
  ...profile("en", `is ${name}`, of.toLowerCase()),
  subject: `{Whose} ${of.toLowerCase()}`,
});

const NOT_NAMED = /^(?:The|A|An|My|Our|Not|Now|In|On|At|From|Very|So|Too|Always|Never|Just)\b/;

const ROLES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}])(?:[Mm]y|[Oo]ur) (?:new |current |old |former |late )?(${UNIQUE_ROLE})(?:['’]s name is|(?: is| was)? (?:called|named)|,| is(?: now)?) ${PERSON}`,
      "u",
    ),
    make: ([said, of = "", name = ""]) =>
      NOT_NAMED.test(name) || /\b(?:old|former|late)\b/.test(said.slice(0, 14)) ? undefined : role(name, of),
  },
  {
    pattern: new RegExp(
      `(?<![\\p{L}])(?:[Mm]y|[Oo]ur) (?:new )?(${UNIQUE_ROLE}) (${TITLES}\\p{Lu}[\\p{L}'’-]+)(?= (?:is|has|works|lives|was|and)\\b|['’]s |[,.]|$)`,
      "u",
    ),
    make: ([, of = "", name = ""]) =>
      NOT_NAMED.test(name) ? undefined : role(name.replace(/['’]s$/, ""), of),
  },
  {
    pattern: new RegExp(`^${PERSON} is (?:now )?(?:my|our) (?:new )?(${UNIQUE_ROLE})\\b`, "u"),
    make: ([, name = "", of = ""]) => (NOT_NAMED.test(name) ? undefined : role(name, of)),
  },
  {
    pattern: new RegExp(`^${PERSON} (supervises|mentors|coaches|manages) (?:my|our) ([\\w ]{3,30})`, "u"),
    make: ([, name = "", verb = "", what = ""]) =>
      NOT_NAMED.test(name) ? undefined : entity("en", name, name, `${verb} {whose} ${what.trim()}`, verb),
  },
];

const RELATIVE =
  "mom|mum|mother|dad|father|parents|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|niece|nephew|best friend|roommate|flatmate|kids|children|family|dog|cat|boss|manager";
const RELATIVE_DOES =
  /^(?:(?:is|are) (?:(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)(?: years old| months old)?\b|an? \p{L}|allergic to|vegan|vegetarian|pregnant|retired|due in|from \p{Lu})|lives? (?:in|near|with|next)|works? (?:at|as|for|in)|plays? (?:the )?\p{L}|studies|study|goes to|speaks?|likes?|loves?|hates?|teaches)/u;

/** Matches facts about relatives other than their names. */
const RELATIVES: Rule = {
  pattern: new RegExp(
    `(?:^|[,:] |\\b(?:and|but|so) )[Mm]y (?:older |younger |little |big )?(${RELATIVE})(?: (\\p{Lu}\\p{L}+))? ((?:is|are|lives?|works?|plays?|stud(?:ies|y)|goes|speaks?|likes?|loves?|hates?|teaches) [^,;:!?()\\n—…]{2,100})`,
    "u",
  ),
  make: ([, relative = "", name, predicate = ""]) => {
    if (!RELATIVE_DOES.test(predicate) || / (?:you|this|that|it|them)\b/.test(predicate)) return undefined;
    const parts = predicate.replace(/\.$/, "").split(/ and (?=is |are |due |lives? |works? |plays? )/);
    const about = parts
      .map((part) => (part.startsWith("due ") ? `is ${part}` : part))
      .map((part) => objectOf(part))
      .filter((part) => part !== undefined);
    if (about.length === 0) return undefined;
    const subject = name ?? `{Whose} ${relative}`;
    return about.map((part) => entity("en", name ?? `{whose} ${relative}`, subject, part, questionOf(part)));
  },
};

/** The slot of a predicate. For verbs it is the same as that of the English clause reader. */
function questionOf(part: string): string {
  const [verb = "", ...rest] = part.split(" ");
  return /^(?:is|are)$/.test(verb)
    ? part.split(" ").slice(0, 2).join(" ")
    : slotOf(baseOf(verb), rest.join(" "));
}

/** Stores the statement after "Remember that …" verbatim. */
const REMEMBER: Rule = {
  pattern:
    /^(?:(?:please|also|and|ok|okay),? )?(?:remember|note|keep in mind|don['’]t forget|do not forget|make a note|for the record)(?: that|:|,) ([^?\n]{8,200})$/iu,
  make: ([, what = ""]) => {
    const kept = what.trim().replace(/[.!]+$/, "");
    if (/^(?:you|this|that|it|these|those|to)\b/i.test(kept)) return undefined;
    const topic = kept
      .replace(/^(?:the|my|our|we|I|an?|all|every)\b ?/i, "")
      .split(" ")
      .slice(0, 3)
      .join(" ");
    return entity("en", topic, "{Teller}", `asked to remember: ${kept}`);
  },
};

/** Rules for belongings and circumstances of the speaker, relatives, roles, and requests to remember. */
export const THING_RULES: readonly Rule[] = [
  ...ROLES,
  RELATIVES,
  REMEMBER,
  {
    pattern: new RegExp(`(?:^|[,:] |\\b(?:and|but|so) )(my|our) ${THING} ?(${BE}) ${VALUE}`, "iu"),
    make: ([, whose = "", name = "", verb = "", value = ""]) =>
      thing(name, verb, value, whose.toLowerCase() === "our"),
  },
  {
    pattern: new RegExp(
      `(?:^|[,:] )(?:[Tt]he |[Oo]ur )?((?:[\\w-]+ )?(?:${SHARED})) (?:is|are|has been moved|have been moved|was moved|were moved|has moved|have moved|moved(?: from [\\w ]{3,20}?(?= to ))?|happens?|takes? place)(?: now)? (${DAY})`,
      "iu",
    ),
    make: ([said, name = "", value = ""]) => {
      if (/\b(?:our|my)\b/i.test(said) && /\b(?:is|are)\b/.test(said)) return undefined;
      const topic = name.toLowerCase();
      const day = value.replace(/[.\s]+$/, "");
      return entity(
        "en",
        topic,
        `{Whose} ${topic}`,
        /moved/.test(said) ? `moved ${day}` : `are ${day}`,
        topic,
      );
    },
  },
  {
    pattern:
      /^[Tt]he ((?:garage|gate|door|alarm|locker|safe|entry|staging|production|test|build|deploy|office|customer|client|release|API|admin|wifi|wi-fi|VPN)[\w -]{0,30}?) (is (?:at|on|closed|called|behind|hosted|kept|stored|in|named) [^,;!?\n]{2,80}|is \d[\d -]*\d)/u,
    make: ([, name = "", about = ""]) => {
      const object = objectOf(about.replace(/\.$/, ""));
      return object === undefined
        ? undefined
        : entity("en", name, `The ${name}`, object, about.split(" ").slice(0, 2).join(" "));
    },
  },
  {
    pattern: /^[Ww]e(?:['’]re| are) (?:a (?:team|group|company|family|startup) of [^,;!?()\n]{1,40})/u,
    make: ([said]) => {
      const about = said.replace(/^[Ww]e(?:['’]re| are) /, "").replace(/[.\s]+$/, "");
      return entity("en", "team", "{Whose} team", `is ${about}`, "team size");
    },
  },
  {
    pattern: /^I was born (?:in|on) [^,;!?()\n]{3,60}/u,
    make: ([said]) =>
      profile("en", `was born ${said.slice("I was born ".length).replace(/\.$/, "")}`, "birth"),
  },
  {
    pattern: new RegExp(
      `(?:^|[,:] |\\b(?:and|so) )I have (?:an?|two|three|four|\\d) (${RELATIVE}|hamsters?|rabbits?|parrots?|horses?) (?:called|named) (\\p{Lu}\\p{L}+)`,
      "u",
    ),
    make: ([, kind = "", name = ""]) => entity("en", name, name, `is {whose} ${kind}`, "relation"),
  },
  {
    pattern: /^(\p{Lu}\p{L}+) (?:died|passed away)\b([^,;!?\n]{0,40})/u,
    make: ([, name = "", when = ""]) =>
      /^(?:He|She|It|They|Everyone|The)$/.test(name)
        ? undefined
        : entity("en", name, name, `died${when.replace(/\.$/, "")}`, "life"),
  },
  {
    pattern:
      /(?:^|[,:] |\band )(?:I|[Ww]e) have ((?:one|two|three|four|five|six|\d) (?:kids|children|sons|daughters|brothers|sisters|dogs|cats|pets|rabbits|horses)),? (\p{Lu}\p{L}+(?:, \p{Lu}\p{L}+)*(?:,? and \p{Lu}\p{L}+))/u,
    make: ([, what = "", names = ""]) =>
      profile("en", `has ${what}: ${names}`, `names of ${what.split(" ").at(-1)}`),
  },
  {
    pattern:
      /(?:^|[,:] |\b(?:and|but) )I(?:['’]m| am) (?:really |very )?(?:scared|afraid|terrified) of ([^,;:!?()\n]{3,50})/u,
    make: ([, what]) => {
      const object = objectOf(what?.replace(/\.$/, ""));
      return object === undefined ? undefined : profile("en", `is afraid of ${object}`);
    },
  },
];
