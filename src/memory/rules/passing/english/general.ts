import { entity, profile } from "../../predicates.ts";
import { complementOf, headOf, slotOf, thirdOf } from "../../readers/english-objects.ts";
import {
  LASTING_STATE,
  MOMENTARY,
  OFTEN,
  PASSING_SUBJECT,
  PASSING_THING,
} from "../../readers/english-words.ts";
import type { Statement } from "../../rule.ts";

/** Words of the current moment and the task at hand, and words that mark a clause as not asserted. */
const MOMENT =
  /["“”«»?]|\b(?:today|tonight|tomorrow|yesterday|right now|just now|at the moment|this (?:morning|afternoon|evening|time|one|way)|last night|later|soon|error|exception|bug|function|script|query|variable|snippet|prompt|chapter|paragraph|essay|above|below|following|mistake|loop|in fear|battery|page|menu|button|column|row|tab|branch|endpoint|step|port|spreadsheet|dashboard|cell|tests?|template|topic|\d+ ?%|you|your|these|those|would|could|should|might|maybe|perhaps)\b/i;
/** Verbs of the current moment, of thought and of the task at hand, in addition to MOMENTARY. */
const NOW_VERB = new Set(
  "get need want look keep try make start mean go come ask click paste post send copy open close follow seem sound appear plan intend hate love like prefer call stand sit lie hold finish dreamt burnt begin end decide expect accept refuse let put set cut hit".split(
    " ",
  ),
);
/** Life events: they are stored although they happened once. */
const EVENT =
  /^(?:moved (?:back |out |over )?(?:to \p{Lu}|from \p{Lu}|in with|out of|(?:to|into) (?:an?|our|my|the) (?:[\p{Ll}-]+ ){0,2}(?:house|flat|city|country|countryside|coast|village|town|suburbs|mountains|cottage|apartment|home|studio))|left (?:\p{Lu}|school|home|my (?:job|husband|wife)|the (?:army|church|police))|quit (?:my job|smoking|drinking|sugar|\p{Lu})|(?:re)?trained (?:as|to)|qualified|joined (?:a|an|the|\p{Lu})|married|divorced|retired|studied|graduated|grew up|lived (?:in|with|on|at)|worked (?:as|at|for|in)|taught|served in|adopted|got (?:rid of (?:my|our)|married|engaged|divorced|promoted|diagnosed|laid off|made redundant|my (?:licen[cs]e|degree)|a (?:dog|cat|puppy|kitten|job|new job|promotion|divorce))|lost my (?:job|dad|mum|mother|father|husband|wife|sense|hearing)|broke my (?:leg|arm|hip|wrist|ankle|collarbone)|had (?:a (?:stroke|heart attack|baby|hip|knee|transplant|hysterectomy|miscarriage)|my (?:appendix|tonsils|gallbladder|knee|hip)|surgery|twins)|switched (?:to|from) (?!the |a new (?:tab|branch))|changed (?:jobs|careers|schools|my (?:name|number|phone number|job|diet))|gave up|stopped \p{L}+ing|took up|learn(?:ed|t) (?:to|\p{Lu})|inherited|founded|set up (?:a|my)|opened (?:a|my)|emigrated|became|turned \d\d|swore off|cut out|went (?:vegan|vegetarian|freelance|part-time|full-time|plant-based|gluten-free)|enrolled|named (?:him|her|our|the|my)|won (?:a|the)|wrote a (?:book|novel|thesis)|was (?:born|raised|diagnosed|adopted|made redundant|promoted|baptised|brought up)|were (?:born|married)|sold (?:my|our|the (?:house|car|flat|business|van|boat))|bought (?:a|our|my)(?: [\p{L}-]+){0,2} (?:house|flat|place|home|apartment|cottage|car|van|boat|bike|business|shop|farm|piano|camera|plot))(?!\p{L})/u;
const LONG =
  /\b(?:since|for (?:\w+ ){0,3}(?:years?|months|decades|ages|weeks)|all my life|ago|in (?:19|20)\d\d|last (?:year|summer|spring|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)|as a (?:kid|child|teenager|student)|over lockdown|years back|at (?:school|uni))\b/i;

/** Lasting states after "I'm", in contrast to moods and the task at hand. */
const STATE =
  /^(?:(?:really |very |pretty |quite |totally |strictly |also |more of )*(?:(?:vice |deputy |assistant |co-?|club |team )?(?:captain|chair|chairman|chairwoman|head|president|secretary|treasurer|director|owner|founder|lead|leader|editor|member|principal|godparent|guardian|organi[sz]er) (?:of|at|for) |doing (?:[\p{Ll}\d]+ ){1,3}(?:shifts?|days?|hours?|nights?) (?:a|per|each|every) |an? |the (?:youngest|oldest|eldest|only|treasurer|chair|captain)|from |in (?:my (?:\w+ )?(?:twenties|thirties|forties|fifties|sixties|\d0s)|year \d|the (?:army|navy|choir)|a (?:band|choir|wheelchair|relationship|flat|house|terrace|cottage|bungalow|caravan|narrowboat))|on (?:an? (?!call|train|bus|plane|break|roll|mission|walk|budget|deadline|date|trip|phone|mac\b)|insulin|statins|benefits|metformin|antidepressants|thyroxine|the (?:pill|committee|board|night shift))|at (?:uni|university|college|\p{Lu})|with (?:\p{Lu}|an? )|based |living |renting |studying |learning |(?:re)?training |saving |expecting |raising |working (?:as|at|for|part|full|from|nights|shifts)|teaching |allergic|intolerant|off (?:the booze|sugar|dairy|gluten|alcohol|meat|caffeine)|not (?:a |an |allowed |able to (?:eat|drive|have)|keen on|into|religious|good with)|terrified of|scared of|afraid of|hopeless (?:at|with)|rubbish at|good at|bad at|fluent in|married|engaged|single|divorced|widowed|retired|pregnant|self-employed|\d\d(?: years old)?$|prone to|blind in|deaf in|missing |into |big on|hooked on|mad about|obsessed with|one of))/u;
const MOOD =
  /^(?:(?:a |an )?(?:bit|little|mess|wreck|fan|beginner at this|idiot|genius|moron|total (?:mess|wreck)|quick)\b|(?:really |very |so |pretty |quite |a bit |just )*(?:tired|hungry|bored|busy|sorry|glad|happy|sad|ill|sick|sure|stuck|lost|confused|curious|ready|back|here|done|late|fine|good|great|okay|ok|excited|worried|nervous|stressed|cold|hot|frustrated|annoyed|trying|looking|wondering|having|getting|thinking|feeling|doing(?! (?:\p{L}+|\d+) (?:shifts?|days?|nights?|hours?))|seeing|asking|about|going|in (?:a (?:hurry|rush|meeting)|trouble|pain|bed|town|need)|on (?:it|my way|the (?:phone|train|bus|way|fence)|hold|holiday)|at (?:home|work|a loss|the (?:station|airport|shop|pub|gym|office))))\b/iu;

const say = (about: string, slot: string): readonly Statement[] => [profile("en", about, slot)];

function selfStatement(verb: string, rest: string, whole: string): readonly Statement[] {
  if (EVENT.test(whole)) {
    const event = complementOf(whole);
    return event === undefined ? [] : say(event, `event ${headOf(event)}`);
  }
  if (verb === "have") return having(rest);
  const complement = complementOf(rest);
  if (complement === undefined) return [];
  switch (verb) {
    case "am":
    case "are": {
      const isLasting = STATE.test(rest) || LASTING_STATE.test(rest);
      // "a week" in "two shifts a week" is no thing that one has
      const thing = rest.replace(/ (?:a|per) (?:day|week|month|year)(?!\p{L})/u, "");
      return isLasting && !MOOD.test(rest) && !PASSING_THING.test(thing)
        ? say(`is ${complement}`, `is ${headOf(complement)}`)
        : [];
    }
    case "can't":
    case "cannot":
      return ABILITY.test(`${rest} `) && !/\b(?:this|that|it|more|any|anything|enough|much)\b/.test(rest)
        ? say(`cannot ${complement}`, `can ${headOf(rest)}`)
        : [];
    case "don't":
    case "never":
      return negated(verb, rest, complement);
    default:
      return verbal(verb, rest, complement);
  }
}

const ABILITY =
  /^(?:eat|drink|have|drive|swim|stand|bear|hear|smell|use|come|take|lift|climb|sleep|touch|wear|tolerate|ride|cook|sing|fly|do|work|digest|read|be (?:around|near)|handle) /;
const NOT_NOW =
  /^(?:need|want|get|see|go|come|mind|care|have (?:any|time|the|much|access|enough|an? (?:clue|idea|problem|preference)))\b/;

function negated(not: string, rest: string, complement: string): readonly Statement[] {
  const [verb = "", ...more] = rest.split(" ");
  if (MOMENTARY.has(verb) || NOT_NOW.test(rest) || /^(?:in|on|at|to|by|of|for|with|from)$/.test(verb))
    return [];
  const about = not === "never" ? `never ${[thirdOf(verb), ...more].join(" ")}` : `does not ${complement}`;
  return say(about, slotOf(verb, more.join(" ")));
}

/**
 * Things of the task at hand ("the second one", "my file"), unless a phrase such as "on Mondays" makes it a
 * habit.
 */
const OF_TASK = /^(?:the|my|this|some|an? (?:few|couple|lot)) (?!\p{Lu})(?!.*\b(?:by|in|on|at|with|for) )/u;

function verbal(verb: string, rest: string, complement: string): readonly Statement[] {
  if (!/^(?:[a-z]{3,}|do|go)$/.test(verb) || MOMENTARY.has(verb) || /(?:ed|ing)$/.test(verb)) return [];
  const isHabit = OFTEN.test(rest) || LONG.test(rest);
  if (!isHabit && (verb.length < 3 || NOW_VERB.has(verb) || OF_TASK.test(complement))) return [];
  return PASSING_THING.test(rest) || /^(?:to|that|how|what|why|if|about)\b/.test(rest)
    ? []
    : say(`${thirdOf(verb)} ${complement}`, slotOf(verb, complement));
}

const PERFECT =
  /^(?:been|lived|worked|had|known|owned|played|smoked|used|driven|never|always|taken|suffered|studied|wanted)\b/;
const PASSING_PERFECT =
  /\b(?:hours?|minutes|days)\b|^been (?:trying|getting|having|thinking|wondering|looking|waiting|struggling|feeling)|^(?:never|always) (?:understood|thought|known|seen|noticed|heard)\b/;
const NOT_OWNED =
  /^(?:to|not|just|already|\p{L}+ed|no (?:idea|clue|time)|some|the|this|that|any|an? (?:question|problem|quick|few|couple|feeling|meeting|call|look|go|date|interview|exam|test|essay|presentation|party|guest|list|text|table|csv|array))\b/iu;

function having(rest: string): readonly Statement[] {
  const owned = rest.replace(/^got /, "");
  const complement = complementOf(owned);
  if (complement === undefined) return [];
  if (PERFECT.test(owned)) {
    const isLasting = LONG.test(owned) || /^(?:never|always) /.test(owned);
    return isLasting && !PASSING_PERFECT.test(owned)
      ? say(`has ${complement}`, `has ${headOf(complement)}`)
      : [];
  }
  return PASSING_THING.test(owned) || NOT_OWNED.test(owned)
    ? []
    : say(`has ${complement}`, `number of ${headOf(complement)}`);
}

export const ENGLISH_KIN =
  "(?:(?:older|younger|little|big|twin|eldest|youngest|oldest|late|ex|step|half|best|new|other|foster|great)[ -])*(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|gran|nan|granny|grandma|grandad|grandmother|grandfather|uncle|aunt|auntie|cousin|niece|nephew|mate|best friend|friend|flatmate|housemate|roommate|neighbour|neighbor|boss|manager|colleague|coworker|business partner|landlord|landlady|dentist|doctor|gp|physio|therapist|hairdresser|dog|cat|horse|rabbit|parrot|hamster|tortoise|puppy|kitten|(?:mother|father|brother|sister|son|daughter)-in-law|godson|goddaughter|grandson|granddaughter|kids|children|twins|parents|in-laws|grandparents|boys|girls|brothers|sisters|sons|daughters|cats|dogs|eldest|youngest|oldest|middle one|little one|fella|missus|hubby|folks)";
const OF_PERSON = new RegExp(`^(?:my|our) (${ENGLISH_KIN})(?:,? (\\p{Lu}[\\p{L}'’-]+))?,? (.+)$`, "u");
const NOT_LASTING =
  /^(?:is|are|was|were) (?:(?:so|very|really|a bit|pretty) )*(?:tired|ill|jealous|mad|proud|bored|grumpy|moody|curious|nervous|hungry|thirsty|cold|hot|lost|stuck|confused|disappointed|furious|keen to|sick|late|angry|cross|sad|happy|fine|ok|okay|here|away|out|home|back|upset|worried|excited|annoyed|asleep|busy|crazy|amazing|great|lovely|nice|brilliant|funny|right|wrong|sure|going to|coming|visiting|asking|trying|looking|getting|having|driving|making|being|doing|staying|saying)\b|^(?:says?|said|thinks?|told|asked|asks|wants?|needs?|wanted|needed|keeps?|just|would|could|should|might|may|will probably|came|went|called|rang|sent|gave|got|made|has to|have to|can(?:not|'t)? (?:come|make|find|get)|seems?|looks?|sounds?|feels?|knows?|is like)\b/i;

const MENTIONED = new RegExp(
  `(?<!\\p{L})(?:[Mm]y|[Oo]ur) (${ENGLISH_KIN}),? ((?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?\\p{Lu}[\\p{Ll}-]+)(?![\\p{L}'’])`,
  "gu",
);
/** Words after a relation that begin another clause and are not names. */
const NO_NAME =
  /^(?:I|The|And|But|So|He|She|They|We|It|Is|Are|What|How|Can|Could|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|English|German|French)/;

/**
 * Relations with a name that a message mentions in any sentence, even a question: "to my landlord, Mr.
 * Whitlock".
 */
export function englishNamed(message: string): readonly Statement[] {
  return [...message.matchAll(MENTIONED)].flatMap(([, kind = "", name = ""]) =>
    NO_NAME.test(name) ? [] : [entity("en", name, name, `is {whose} ${kind.toLowerCase()}`, "relation")],
  );
}

/** Reads any lasting statement of a clause about the speaker or a relative, and nothing temporary. */
export function generalEnglish(text: string): readonly Statement[] {
  if (MOMENT.test(text) || text.length > 160) return [];
  const person = OF_PERSON.exec(text);
  if (person) return ofPerson(person[1] ?? "", person[2], person[3] ?? "");
  const plain = text
    .replace(/^(I|We)'m /i, "$1 am ")
    .replace(/^(I|We)'re /i, "$1 are ")
    .replace(/^(I|We)'ve /i, "$1 have ");
  const self =
    /^(?:I|we)((?: (?:also|just|really|still|mostly|mainly|usually|always|normally|generally|only|currently|now|often|sometimes|rarely|actually|both|all|tend to))*) ([\p{L}']+)(?: (.+))?$/iu.exec(
      plain,
    );
  if (self === null) return ofThing(text);
  const [, often = "", verb = "", rest = ""] = self;
  const kept =
    /(?:usually|always|mostly|mainly|only|normally|often|rarely|sometimes)/i.exec(often)?.[0] ?? "";
  const made = selfStatement(verb.toLowerCase(), rest, `${verb} ${rest}`.trim());
  return kept === "" ? made : made.map((one) => ({ ...one, about: `${kept.toLowerCase()} ${one.about}` }));
}

function ofPerson(kind: string, name: string | undefined, raw: string): readonly Statement[] {
  const vp = raw.replace(/^'s /, "is ").replace(/^'ve /, "have ");
  const about = complementOf(vp);
  if (
    about === undefined ||
    NOT_LASTING.test(vp) ||
    !/^[a-z']+ /.test(vp) ||
    PASSING_THING.test(vp.replace(/^(?:has|have) /, ""))
  )
    return [];
  if (
    !/^(?:is|are|has|have|was born|lives?|works?|\p{Ll}+s|start|go|attend|speak|come|eat|love|hate|like|don't|doesn't|can't|moved|retired|died|married|teach|run|live|own|play) /u.test(
      vp,
    )
  )
    return [];
  const called = /^(?:is|are) (?:called|named) (\p{Lu}[\p{L}'’-]+)/u.exec(vp)?.[1];
  const who = name ?? called;
  const low = kind.toLowerCase();
  const relation = who === undefined ? [] : [entity("en", who, who, `is {whose} ${low}`, "relation")];
  if (called !== undefined) return relation;
  return [
    ...relation,
    entity(
      "en",
      who ?? `{whose} ${low}`,
      who ?? `{Whose} ${low}`,
      about,
      about.split(" ").slice(0, 2).join(" "),
    ),
  ];
}

const THING =
  /^(?:my|our) ([\p{L}' -]{3,30}?) (is|are|runs on|starts at|starts on|ends at|costs|closes at|opens at|goes to|comes on|needs|has|was built in|dates from|expires in|expires on|falls on) (.+)$/u;
const PASSING_VALUE =
  /^(?:not|so|very|too|really|broken|down|slow|fine|ready|done|late|a (?:bit|mess|problem|nightmare)|killing|acting|giving|getting|being|making|about|to|that|how|what|why|hurting|sore|shot|great|good|bad|terrible|nice|amazing|working|failing|full|empty|dead|gone|off|on fire|coming|going|\d+ ?\p{L}* (?:late|early|away|left|behind|off|over))\b/iu;

function ofThing(text: string): readonly Statement[] {
  const [match, thing = "", verb = "", raw = ""] = THING.exec(text) ?? [];
  const value = complementOf(raw);
  if (match === undefined || value === undefined || PASSING_VALUE.test(raw) || PASSING_SUBJECT.test(thing))
    return [];
  const is =
    /^(?:is|are)$/i.test(verb) &&
    !/^(?:an? |the |called |in |at |on |from |\d|\p{Lu}|\p{Ll}{5,} \d+ ?m[gl])/u.test(value);
  return is
    ? []
    : [
        {
          ...profile(
            "en",
            `${verb.toLowerCase()} ${value}`,
            `${thing.toLowerCase()}${/^(?:is|are)$/i.test(verb) ? "" : ` ${verb}`}`,
          ),
          subject: `{Whose} ${thing}`,
        },
      ];
}
