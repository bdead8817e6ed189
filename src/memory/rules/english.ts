import { itemAt, lastOf } from "../../base/expect.ts";
import { objectOf } from "./clauses.ts";
import { HABIT_RULES } from "./english-habits.ts";
import { PERSON, THING_RULES, UNIQUE_ROLE } from "./english-things.ts";
import { headOf } from "./readers/english-objects.ts";
import type { Rule, Statement } from "./rule.ts";

/**
 * What may precede "I" in a main clause: its beginning, or a coordinating word. Excludes relative clauses
 * ("the things I love").
 */
const BEGIN = String.raw`(?:^|[,:] |\b(?:and|but|so|because|since|though|although|cause|as|that['’]s why|this is why|[Ww]hy|know|think|also|honestly|personally|actually|yeah|yes|well|now|lately|recently|currently|today|yesterday|finally|then|oh|hi|hey|guess what|btw|by the way|when|last (?:week|weekend|month|year|night|summer|winter|spring|fall|friday|saturday|sunday|monday|tuesday|wednesday|thursday)|ago)\b,? )["'“]?`;
const ADVERBS = `(?: (?:really|absolutely|truly|totally|also|just|always|definitely|still|actually|currently|personally|especially|particularly|mostly|usually|generally|finally|recently|now|both|even|already|only))*`;
/** Match the first person and what may precede its verb: auxiliaries and adverbs. */
const I = `${BEGIN}I(?:['’]ve| have)?${ADVERBS}`;
const WE = `${BEGIN}(?:[Ww]e|I)(?:['’]ve| have)?${ADVERBS}`;
const IM = `${BEGIN}I(?:['’]m| am)(?: (?:really|also|just|definitely|still|actually|currently|now|pretty|very|super|so|totally|already))*`;
const OBJECT = String.raw`([^,.;:!?()\n—…]{2,90})`;
const PLACE = String.raw`(\p{Lu}[^,.;:!?()\n—…]{1,60}(?:, \p{Lu}\p{L}+)?)`;
const RELATION =
  "wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|mom|mum|mother|dad|father|brother|sister|grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|niece|nephew|best friend|friend|roommate|flatmate|neighbou?r|boss|manager|team lead|mentor|coach|teacher|colleague|coworker|co-worker|teammate|dog|cat|puppy|kitten|pup|turtle|horse|parrot|rabbit|bunny|guinea pig|hamster";
const OF_MANY = "(?:(?:younger|older|little|big|late|oldest|youngest|new|old|good|dear|best|close) )?";
const NAME = String.raw`(\p{Lu}[\p{L}\p{M}-]+(?: \p{Lu}[\p{L}\p{M}-]+)?)(?![\p{L}'’-])`;
const TITLE = String.raw`(\p{Lu}[\p{L}\p{N}&-]*(?: (?:(?:of|the|and|in|for|to|a) ){0,2}[\p{Lu}\p{N}][\p{L}\p{N}&-]*){0,5})`;
const KIND =
  "startup|company|band|project|app|book|novel|movie|film|restaurant|caf[eé]|team|group|course|library|service|repo|repository|tool|game|studio|shop|store|charity|foundation|podcast|show|series|shelter|club|dog|cat|puppy|kitten|server|database|package|module|bot";
const JOB =
  /^(?:an? )?(?:[\w-]+ ){0,4}\w*(?:engineer|developer|programmer|scientist|researcher|teacher|professor|lecturer|tutor|nurse|doctor|surgeon|physician|dentist|therapist|counsel(?:l)?or|psychologist|lawyer|attorney|paralegal|accountant|auditor|analyst|consultant|manager|director|administrator|designer|architect|artist|painter|photographer|musician|singer|drummer|guitarist|pianist|violinist|writer|author|novelist|poet|journalist|editor|blogger|actor|actress|chef|cook|baker|barista|bartender|waiter|waitress|farmer|gardener|mechanic|electrician|plumber|carpenter|pilot|driver|firefighter|paramedic|officer|soldier|veteran|veterinarian|vet|pharmacist|librarian|translator|interpreter|salesperson|realtor|broker|banker|trader|founder|entrepreneur|freelancer|intern|student|coach|trainer|instructor|athlete|player|guard|runner|dancer|streamer|gamer|technician|operator|maintainer|sysadmin|owner|volunteer|parent|widow|widower|writer)\b/i;
const INSTRUMENT =
  /^(?:(?:acoustic|electric|bass) )?(?:piano|guitar|violin|drums?|cello|flute|clarinet|saxophone|trumpet|ukulele|bass|harp|banjo|oboe|keyboard)s?\b/i;
const EMPTY_FAVOURITE =
  /^(?:part|things?|ones?|time|times|moments?|memory|memories|ways?|spots?|parts|to|so|too|pastime|quote|line)$/i;

const profile = (about: string, slot?: string): Statement => ({
  category: "profile",
  topic: "profile",
  about,
  ...(slot && { slot }),
});
const on = (pattern: string, make: Rule["make"], flags = "u"): Rule => ({
  pattern: new RegExp(pattern, flags),
  make,
});

/**
 * Makes a rule for statements about the speaker. They are dropped if their object refers to another sentence.
 */
const about = (
  pattern: string,
  say: (object: string) => string,
  { slot, fits }: { slot?: string; fits?: RegExp } = {},
): Rule =>
  on(pattern, (match) => {
    const object = wholeObject(match);
    return object === undefined || (fits && !fits.test(object)) ? undefined : profile(say(object), slot);
  });

const prefers = (pattern: string, verb: string): Rule =>
  on(pattern, (match) => {
    const object = wholeObject(match);
    if (object === undefined) return undefined;
    const answer = verb === "dislikes" ? "no" : "yes";
    const [, one, other] = verb === "prefers" ? (CHOICE.exec(object) ?? []) : [];
    if (one !== undefined && other !== undefined)
      return {
        category: "preferences",
        topic: eitherOf(one, other),
        about: `prefers ${object}`,
        slot: "choice",
      };
    return {
      category: "preferences",
      topic: topicOf(object),
      about: `${verb} ${object}`,
      slot: `attitude to ${object.toLowerCase()}`,
      answer,
    };
  });

const CHOICE = /^(.{2,40}) (?:over|to|rather than|instead of) (.{2,40})$/;

/** The topic of a choice, which is the same for "tabs over spaces" and "spaces over tabs". */
const eitherOf = (one: string, other: string): string =>
  [topicOf(one), topicOf(other)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join(" or ");

/**
 * The object up to its comma, or undefined if the comma belongs to it: "a safe, inviting place", "Ada, Ben
 * and Cy".
 */
function wholeObject(match: RegExpExecArray): string | undefined {
  const behind = match.input.slice(match.index + match[0].length);
  if (
    /^,/.test(behind) &&
    (/\b(?:an?|the|my|our) \p{Ll}[\p{L}-]*$/u.test(match[0]) || /^, \p{Lu}\p{Ll}/u.test(behind))
  )
    return undefined;
  return objectOf(match[1]);
}

const ARTICLE = /^(?:an?|the|my|our|some|good|great|nice|to) /i;
const BEHIND_TOPIC =
  / (?:with|in|at|on|from|by|for|over|after|during|as|about|into|around|near|through|more than|rather than|instead of|than) .*$/i;

/** The topic of a grammatical object, without adverbials (time, place, reason). */
export function topicOf(object: string): string {
  let topic = object;
  while (ARTICLE.test(topic)) topic = topic.replace(ARTICLE, "");
  return topic.replace(BEHIND_TOPIC, "").split(" ").slice(0, 4).join(" ");
}

const upper = /^\p{Lu}/u;
/** A place, without phrases such as "since 2019". */
const place = (object: string): string =>
  object
    .replace(/ and \p{Ll}.*$/u, "")
    .replace(
      / (?:with (?:my|our) .*|(?:last|this|next) \w+|\w+ (?:days?|weeks?|months?|years?) ago|in \d{4}|for \w+ \w+)$/i,
      "",
    );

/** Rules about the speaker. */
const SELF: readonly Rule[] = [
  on(`(?<![\\p{L}])[Mm]y (?:full |first )?name(?: is|['’]s) ${NAME}`, (m) =>
    profile(`is called ${m[1]}`, "name"),
  ),
  on(`(?<![\\p{L}])(?:[Pp]lease )?[Cc]all me ${NAME}`, (m) =>
    profile(`wants to be called ${m[1]}`, "called"),
  ),
  about(`${I} live (?:in|near) ${PLACE}`, (o) => `lives in ${place(o)}`, { slot: "home", fits: upper }),
  about(`${WE} moved (?:back )?(?:here )?to ${PLACE}`, (o) => `moved to ${place(o)}`, {
    slot: "home",
    fits: upper,
  }),
  about(`${IM} (?:based|living|located) in ${PLACE}`, (o) => `lives in ${place(o)}`, {
    slot: "home",
    fits: upper,
  }),
  about(`(?:${IM}|${I} come) (?:originally )?from ${PLACE}`, (o) => `comes from ${place(o)}`, {
    slot: "origin",
    fits: upper,
  }),
  about(`${IM} (an? [^,.;:!?()\\n—…]{3,60})`, (o) => `is ${o}`, { fits: JOB }),
  about(`${I} (?:work|worked|been working) as (an? [^,.;:!?()\\n—…]{3,60})`, (o) => `works as ${o}`, {
    slot: "job",
  }),
  about(`${IM} working as (an? [^,.;:!?()\\n—…]{3,60})`, (o) => `works as ${o}`, { slot: "job" }),
  about(`${I} work (?:at|for) ${PLACE}`, (o) => `works at ${o}`, { slot: "employer", fits: upper }),
  about(
    `${I} (?:started|got|landed) (?:a|an|my) (?:new )?(?:job|position) (?:at|with) ${PLACE}`,
    (o) => `works at ${place(o)}`,
    { slot: "employer", fits: upper },
  ),
  about(
    `${I} (?:started|got|landed) (?:a|an|my) (?:new )?(?:job|position) (?:as|in) ${OBJECT}`,
    (o) => `has a new job: ${place(o)}`,
    { slot: "job" },
  ),
  on(`${I} (?:got|was) promoted(?: to ([^,.;:!?()\\n—…]{3,40}))?`, (m) =>
    profile(m[1] ? `was promoted to ${m[1]}` : "was promoted at work"),
  ),
  on(`${I} (lost|quit|left) my job\\b`, (m) => profile(`${m[1]} their job`, "job")),
  on(`${IM} (\\d{1,2})(?: years old| yo)\\b`, (m) => profile(`is ${m[1]} years old`, "age")),
  on(`${I} turned (\\d{1,2})\\b(?! pages| down)`, (m) => profile(`turned ${m[1]}`, "age")),
  on(`${IM} (married|engaged|divorced|single|widowed)\\b(?! to\\b)`, (m) =>
    profile(`is ${m[1]}`, "marriage"),
  ),
  on(`${I} got (married|engaged|divorced)\\b( (?:to|from) \\p{Lu}\\p{L}+)?`, (m) =>
    profile(`got ${m[1]}${m[2] ?? ""}`, "marriage"),
  ),
  on(
    `${I} (?:have|got|['’]ve got)? ?((?:one|two|three|four|five|six|\\d) (?:kids|children|sons|daughters|brothers|sisters|siblings|dogs|cats|pets|grandkids))\\b`,
    (m) => profile(`has ${m[1]}`, `number of ${itemAt(m, 1).split(" ").at(-1)}`),
  ),
  about(`${WE} (?:adopted|rescued) (an? [^,.;:!?()\\n—…]{3,60})`, (o) => `adopted ${o}`),
  about(
    `${WE} got (an? (?:new )?(?:puppy|dog|cat|kitten|pup|rabbit|turtle|horse|parrot|pet)\\b[^,.;:!?()\\n—…]{0,40})`,
    (o) => `got ${o}`,
  ),
  about(
    `${I} (?:bought|purchased) (?:myself )?((?:an?|my|new|some) [^,.;:!?()\\n—…]{3,60})`,
    (o) => `bought ${o}`,
  ),
  about(`${IM} (?:severely |deathly )?allergic to ${OBJECT}`, (o) => `is allergic to ${o}`),
  on(
    `${IM} (?:an? )?(vegetarian|vegan|pescatarian|lactose intolerant|gluten intolerant|celiac|diabetic|left-handed|colou?r-?blind|dyslexic|on a (?:new )?diet)\\b`,
    (m) => profile(`is ${m[1]}`, `is ${itemAt(m, 1).toLowerCase()}`),
  ),
  on(
    `${I} (?:have|was diagnosed with|got diagnosed with|suffer from) (asthma|diabetes|arthritis|anxiety|depression|adhd|migraines|celiac disease|high blood pressure|epilepsy|insomnia|gastritis)\\b`,
    (m) => profile(`has ${m[1]}`),
    "iu",
  ),
  about(`${I} speak ${PLACE}`, (o) => `speaks ${o}`, { fits: upper }),
  about(
    `${I} (?:play|been playing|started playing|learned to play|played) (?:the )?((?:\\w+ )?\\w+)`,
    (o) => `plays the ${o}`,
    {
      fits: INSTRUMENT,
    },
  ),
  about(`${I} graduated (from [^,.;:!?()\\n—…]{3,60}|with [^,.;:!?()\\n—…]{3,60})`, (o) => `graduated ${o}`),
  about(`(?:${IM} studying|${I} (?:study|major in)) ${OBJECT}`, (o) => `studies ${o}`, {
    fits: /^(?!(?:hard|abroad|for)\b)/i,
  }),
  about(`${I} (?:studied|majored in) ${OBJECT}`, (o) => `studied ${o}`, {
    fits: /^(?!(?:hard|abroad|for|it)\b)/i,
  }),
  on(`${IM} (?:learning|taking up) ((?:to |how to )?[^,.;:!?()\\n—…]{3,60})`, (match) => {
    const object = wholeObject(match);
    return object === undefined || /^(?:a lot|so much|how)\b/i.test(object)
      ? undefined
      : profile(`is learning ${object}`, `learn ${headOf(object)}`);
  }),
  about(`${I} started (learning [^,.;:!?()\\n—…]{3,60})`, (o) => `started ${o}`),
  about(
    `${WE} joined (?!in\\b)(an? [^,.;:!?()\\n—…]{3,60}|the \\p{Lu}[^,.;:!?()\\n—…]{3,60}|\\p{Lu}[^,.;:!?()\\n—…]{3,60})`,
    (o) => `joined ${o}`,
  ),
  about(`${WE} signed up for (an? [^,.;:!?()\\n—…]{3,60})`, (o) => `signed up for ${o}`),
  about(
    `${I} started ((?!(?:(?:an? |my )?(?:new )?(?:job|position)|out|off|feeling|doing|getting|making|working on|noticing|thinking|looking|with|having|being|to|caring|introducing|focusing|realizing|learning|taking on|seeing|using|trying)\\b)(?:an?|my own|\\w+ing) [^,.;:!?()\\n—…]{3,70})`,
    (o) => `started ${o}`,
  ),
  about(
    `${I} (?:volunteer|volunteered) (at an? [^,.;:!?()\\n—…]{3,60}|at the [^,.;:!?()\\n—…]{3,60}|for [^,.;:!?()\\n—…]{3,60})`,
    (o) => `volunteers ${o}`,
  ),
  about(`${WE} (?:visited|traveled to|travelled to|been to|went to|flew to) ${PLACE}`, (o) => `was in ${o}`, {
    fits: /^\p{Lu}(?!.*\b(?:game|concert|show|event|festival|meeting|class|party)\b)/u,
  }),
  about(
    `${WE} won (?!['’]?t\\b)((?:an?|the|my|our|first|second) [^,.;:!?()\\n—…]{3,60})`,
    (o) => `won ${o}`,
    {
      fits: /^(?!the (?:game|match)$)/i,
    },
  ),
  about(
    `${IM} (?:working on|writing|building|developing|designing) (an? [^,.;:!?()\\n—…]{4,70}|my own [^,.;:!?()\\n—…]{4,70}|my (?:new |next |first )?(?:book|novel|thesis|dissertation|album|screenplay|script|app|website|game|blog)[^,.;:!?()\\n—…]{0,40})`,
    (o) => `is working on ${o}`,
  ),
  about(
    `${I} been (\\w+ing [^,.;:!?()\\n—…]{2,50} for (?:over |about |almost |nearly |around )?(?:a|\\d+|one|two|three|four|five|six|seven|eight|nine|ten|many|several)(?: whole)? (?:years?|decades?|months?))`,
    (o) => `has been ${o}`,
    { fits: /^(?!(?:thinking|waiting|wanting|meaning|doing|going|\w+ing for)\b)/i },
  ),
  about(
    `(?<![\\p{L}])[Mm]y (?:biggest |ultimate |main |long-term |lifelong |next )?(?:dream|goal|ambition) (?:is|has always been|was) to ${OBJECT}`,
    (o) => `has the goal to ${o}`,
  ),
  about(
    `${IM} (?:planning|hoping|saving up|training) to ((?!(?:go|do|get|have|be|make|see|spend|keep|try|use)\\b)[^,.;:!?()\\n—…]{6,80})`,
    (o) => `plans to ${o}`,
  ),
  about(
    `${IM} (?:training for|preparing for|saving up for) ((?:an?|my|the) [^,.;:!?()\\n—…]{4,60})`,
    (o) => `is preparing for ${o}`,
  ),
  about(
    `${I} (?:want|hope|plan|decided) to (become (?:an?|the) [^,.;:!?()\\n—…]{3,80}|start (?:an?|my own) [^,.;:!?()\\n—…]{3,80}|learn [^,.;:!?()\\n—…]{3,80}|open (?:an?|my own) [^,.;:!?()\\n—…]{3,80}|pursue [^,.;:!?()\\n—…]{3,80}|write (?:an?|my own) [^,.;:!?()\\n—…]{3,80}|(?:move|travel) to \\p{Lu}[^,.;:!?()\\n—…]{1,60}|visit (?:the )?\\p{Lu}[^,.;:!?()\\n—…]{1,60})`,
    (o) => `wants to ${o}`,
  ),
];

/** Likes, dislikes and choices of the speaker. */
const PREFERENCES: readonly Rule[] = [
  on(
    `(?<![\\p{L}])[Mm]y (?:all-time |absolute )?fav(?:ou?rite)? ((?:[\\w-]+ ){0,2}[\\w-]+) (?:is|are|has to be|is probably) ${OBJECT}`,
    (m) => {
      const object = objectOf(m[2]);
      if (
        !object ||
        EMPTY_FAVOURITE.test(lastOf(itemAt(m, 1).split(" "))) ||
        /^(?:an?|when|how|so|from)\b/i.test(object)
      )
        return undefined;
      const kind = itemAt(m, 1).toLowerCase();
      return {
        category: "preferences",
        topic: `favourite ${kind}`,
        subject: `{Whose} favourite ${kind}`,
        about: `is ${object}`,
        slot: "favourite",
      };
    },
  ),
  prefers(`${I} (?:love|adore) ${OBJECT}`, "loves"),
  prefers(`${I} (?:like|enjoy) ${OBJECT}`, "likes"),
  prefers(
    `${IM} (?:more )?(?:passionate about|obsessed with|(?:an? )?(?:big |huge |massive |total )?fans? of|into|keen on|fond of|hooked on) ${OBJECT}`,
    "likes",
  ),
  prefers(`${I} prefer ${OBJECT}`, "prefers"),
  prefers(
    `${I} (?:hate|dislike|detest|can['’]?t stand|cannot stand|don['’]?t (?:really )?(?:like|enjoy)|do not like|never liked) ${OBJECT}`,
    "dislikes",
  ),
];

/** Rules about people, animals, locations and projects that the speaker names. */
const ENTITIES: readonly Rule[] = [
  on(
    `(?<![\\p{L}])[Mm]y ${OF_MANY}(${RELATION})(?:['’]s name is|(?: is| was)? (?:called|named)|,| is|) ["“'‘]?${PERSON}`,
    (m) => related(itemAt(m, 2), itemAt(m, 1)),
  ),
  on(`(?<![\\p{L}])[Mm]y ${OF_MANY}(${RELATION}) (\\p{Lu}\\p{L}+)['’]s `, (m) =>
    related(itemAt(m, 2), itemAt(m, 1)),
  ),
  on(`(?:^|[^\\p{L}])${NAME} is my ${OF_MANY}(${RELATION})\\b`, (m) => related(itemAt(m, 1), itemAt(m, 2))),
  on(
    `(?<![\\p{L}])(?:[Ii] named|[Ww]e named|[Ww]e called|[Ii] called) (?:him|her|it|them|the (?:puppy|dog|cat|kitten|pup)) ${NAME}`,
    (m) => related(itemAt(m, 1), "pet"),
  ),
  on(
    `\\b(${KIND}),? (?:(?:which|that) is )?(?:called|named) ["“'‘](\\p{Lu}[^"”\\n]{1,60}?)["”'’](?!\\p{L})`,
    (m) => kindOf(itemAt(m, 2), itemAt(m, 1)),
  ),
  on(`\\b(${KIND}),? (?:(?:which|that) is )?(?:called|named) ${TITLE}`, (m) =>
    kindOf(itemAt(m, 2), itemAt(m, 1)),
  ),
  on(
    `^(?:and |so |also,? )?(?:the )?(\\p{Lu}[\\p{L}\\p{N}-]+(?: \\p{Lu}[\\p{L}\\p{N}-]+)?)(?: (?:service|project|team|app|repo|module|database|server))? ((?:works (?:at|as|for)|lives in|leads|owns|maintains|manages|runs on|is written in|is built (?:with|on)|depends on|is deployed (?:on|to|in)|is hosted (?:on|in)|uses|is responsible for|is in charge of) [^,.;:!?()\\n—…]{2,80})`,
    (m) => {
      const object = objectOf(m[2]);
      return object === undefined ||
        NOT_A_NAME.test(itemAt(m, 1)) ||
        /^(?:Our|My|The|Your|This) /.test(itemAt(m, 1))
        ? undefined
        : { category: "entities", topic: itemAt(m, 1), subject: itemAt(m, 1), about: object };
    },
  ),
];

export const ENGLISH: readonly Rule[] = [
  ...SELF,
  ...PREFERENCES,
  ...ENTITIES,
  ...THING_RULES,
  ...HABIT_RULES,
];

const HAS_ROLE = new RegExp(`^(?:${UNIQUE_ROLE})$`, "i");

const NOT_A_NAME =
  /^(?:It|This|That|These|Those|He|She|They|We|You|There|Here|What|Who|Which|Everyone|Everybody|Someone|Nobody|Nothing|Everything|Something|One|My|Our|Your|His|Her|Their|The|If|When|Then|So|And|But|Yes|No|Please|Thanks|Also|Now|Today|Tomorrow|Yesterday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mom|Dad|God|Christmas|Life|People|Art|Music|Nature|Cooking|Yoga|Writing|Reading|Painting|Not|Even|Just|Always|Never|Back|Super|Really|Like)$/;

function related(name: string, relation: string): Statement | undefined {
  if (NOT_A_NAME.test(name) || HAS_ROLE.test(relation)) return undefined;
  return {
    category: "entities",
    topic: name,
    subject: name,
    about: `is {whose} ${relation.toLowerCase()}`,
    slot: "relation",
  };
}

function kindOf(name: string, kind: string): Statement | undefined {
  return NOT_A_NAME.test(name)
    ? undefined
    : { category: "entities", topic: name, subject: name, about: `is a ${kind.toLowerCase()}`, slot: "kind" };
}
