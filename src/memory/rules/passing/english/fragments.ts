import { entity, profile } from "../../predicates.ts";
import { complementOf } from "../../readers/english-objects.ts";
import { LASTING_STATE } from "../../readers/english-words.ts";
import type { Statement } from "../../rule.ts";
import { type Reading, readingsOf } from "../table.ts";
import { ENGLISH_DAY } from "./changes.ts";
import { ENGLISH_KIN } from "./general.ts";

const { fact, form } = readingsOf("en", complementOf);

const TITLE = "(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )";
const NAME = `(?:${TITLE}?\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)`;
/** Capitalized words that are not names of people. */
const NOBODY =
  /^(?:I|We|It|This|That|He|She|They|You|The|There|What|Who|Everyone|Nobody|Someone|Anyone|Nothing|Everything|Here|My|Our|Your|Please|Also|And|But|So|Python|JavaScript|TypeScript|Java|Rust|Git|Docker|Excel|Word|Google|Windows|Linux)$/;
const NUMBER = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})";

/** Parts of a project, which are named without an article. */
const PART =
  "(?:staging|prod|production|the staging|backend|frontend|front end|back end|database|db|api|API|app|site|website|server|cluster|repo|code|codebase|docs|documentation|wiki|pipeline|CI|ci|build|service|schema|tests?|monorepo|stack|project|mobile app|web app|data|backups?|cache|queue|search|auth|analytics|emails?|logs)(?: (?:server|environment|env|database|db|site|stack|code|tests?))?";
const thing = (noun: string): Pick<Statement, "subject"> => ({
  subject: `{Whose} ${noun.replace(/^(?:the|our|my) /i, "")}`,
});

/** Things whose date or place is stated. */
const THINGS: readonly Reading[] = [
  {
    form: form(
      `(?:the |our |my )?(?:\\p{Ll}+ )?(${PART}) (?:still |all |now |must |has to |needs to )*(lives? (?:at|on|in)|is (?:on|at|in|hosted (?:at|on|by|with|in)|deployed (?:to|on)|written in|built (?:with|in|on))|are (?:on|at|in|hosted (?:at|on)|written in)|runs? (?:on|at|in|off)|sits? (?:on|at|in)|stays? on|stay on|go(?:es)? (?:to|in|into)) ((?:an? |the |our )?[\\p{Lu}\\d][^,]{1,40}|\\p{Ll}+[\\d.]+[^,]{0,20})`,
    ),
    make: ([said = "", noun = "", verb = "", raw = ""]) => {
      const about = complementOf(raw);
      if (about === undefined || /\b(?:line \d|error|page|step)\b/i.test(raw)) return undefined;
      const must = /\b(?:must|has to|needs to)\b/.exec(said)?.[0];
      const how = must === undefined ? verb : `${must} ${verb}`;
      return { ...profile("en", `${how} ${about}`, noun.toLowerCase()), ...thing(noun) };
    },
  },
  {
    form: form(
      `(?:the |our |my )?((?!it\\b|his\\b|her\\b|their\\b|its\\b|he\\b|she\\b|that\\b|this\\b|they\\b|there\\b|we\\b|i\\b)[\\p{L}][\\p{L}' -]{2,30}?) (is|are|opens|closes|arrives|starts|ends|begins|lands|ships|launches|kicks off|happens|expires|finishes|goes live) (?:on |by |from )?((?:the )?${ENGLISH_DAY}(?: (?:at|in|to|until|till) [^,]{2,30})?)`,
    ),
    make: ([, noun = "", verb = "", day = ""]) =>
      /^(?:today|what|when|how|if|all|each|every)\b/i.test(noun) || /\btomorrow\b/.test(day)
        ? undefined
        : { ...profile("en", `${verb} on ${day}`, noun.toLowerCase()), ...thing(noun) },
  },
  {
    form: form(
      "(?:my|our) ((?!it\\b)[\\p{L}' -]{3,30}?) (leaves|comes|runs|meets|happens|starts|opens|closes|takes place|gets together|trains|plays|delivers|visits|rehearses|goes out|ships|resets|renews) ((?:(?!yesterday|today|tomorrow)[\\p{L}\\d'’:]+ ){0,4}?(?:every|each|on \\p{L}+days|once a|twice a|daily|weekly|monthly|at (?:\\d|noon|midnight)|in (?:january|february|march|april|may|june|july|august|september|october|november|december))[^,]{0,40})",
    ),
    make: ([, noun = "", verb = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined || /\b(?:code|script|function|test|error|query|loop)\b/i.test(noun)
        ? undefined
        : { ...profile("en", `${verb} ${about}`, `${noun.toLowerCase()} ${verb}`), ...thing(noun) };
    },
  },
  fact(
    "my (phd|PhD|thesis|dissertation|research|masters|novel|book|podcast|blog|degree|channel|company|startup|start-up|business|shop|newsletter|project) (?:is|focuses|looks|deals) (about|on|in|at|with|called|named) ([^,]{3,60}(?:, (?:at|in|with) \\p{Lu}[^,]{2,30})?)",
    "is $2 $3",
    { slot: "$1", subject: "{Whose} $1" },
  ),
  {
    form: form(
      `(?:and )?(${NAME})(?: (handles|owns|leads|manages|maintains|looks after|takes care of|is in charge of|is responsible for|runs|covers|reviews) ((?:the |our |all (?:the )?)?[\\p{L}][\\p{L} /&-]{1,40})| does ((?:the |our |all the )?(?:QA|UX|UI|SEO|PR|HR|IT|design|testing|firmware|hardware|ops|devops|backend|frontend|infra|infrastructure|docs|marketing|sales|support|accounts|books|bookkeeping|translations?|layout|editing|reviews|releases|deployments?|catering|music|flowers|photos)))`,
    ),
    make: ([, name = "", verb = "", raw = "", done = ""]) => {
      const about = complementOf(raw === "" ? done : raw);
      return about === undefined || NOBODY.test(name)
        ? undefined
        : entity("en", name, name, `${verb === "" ? "does" : verb} ${about}`, verb === "" ? "does" : verb);
    },
  },
];

/** The speaker, in sentence fragments and less common wordings. */
const SELF: readonly Reading[] = [
  fact(
    "I(?:['’]m| am) ((?!looking|going|waiting|asking|trying|heading|thinking|writing this|calling|applying)\\p{Ll}{3,}ing (?:\\p{Ll}+ ){0,3}(?:for|at) \\p{Lu}[^,]{1,40}?)(?: now| these days| at the moment)?",
    "is $1",
    { slot: "job" },
  ),
  fact(
    "I(?:['’]d| would) (?:describe|call|consider) myself (?:as )?(an? [^,]{3,40}|[\\p{Ll}-]{4,20})",
    "is $1",
  ),
  fact("I was made (an? [^,]{3,60})", "was made $1"),
  fact(
    "I(?: was|['’]ve been) (an? (?:[\\p{Ll}-]+ ){0,3}[\\p{Ll}-]+(?: (?:at|in|for|with) [^,]{2,40})?) (once upon a time|for (?:\\w+ )?(?:years|decades|ages)|for \\w+ years|until [^,]{3,25}|back in [^,]{3,20}|before [^,]{3,30}|in a (?:past|former|previous) life|all my life|since [^,]{3,20})",
    "was $1 $2",
  ),
  fact(
    "I(?:['’]m| am) (retired|divorced|widowed|single|married|engaged|self-employed|unemployed)(?: now)?(?: and [^,]{3,30})?",
    "is $1",
    {
      slot: "is $1",
    },
  ),
  fact(
    `(?:I|we)(?:['’]ve| have)(?: got)? ((?:an?|${NUMBER}|no) (?:[\\p{Ll}-]+ ){0,3}[\\p{Ll}-]+s?(?: (?:called|named) ${NAME}(?:(?:,| and) ${NAME})*|, ${NAME}(?:(?:,| and) ${NAME})+))`,
    "has $1",
  ),
  fact(
    `(?:I|we)(?:['’]ve| have) got ((?:[\\p{Ll}]+ )?(?:goats|sheep|cows|pigs|hens|chickens|ducks|bees|horses|alpacas|cats|dogs|rabbits|kids|twins)(?:, ${NUMBER} of them)?(?:,? and an? [^,]{3,40})?)`,
    "has $1",
  ),
  fact(
    "(?:I|we)(?:['’]ve| have)? (?:just |recently |finally )*(?:got|picked up|collected) the keys (?:to|for) ((?:an?|our|my|the) (?:[\\p{Ll}-]+ ){0,3}(?:house|flat|place|apartment|cottage|studio|bungalow|home)(?: [^,]{3,40})?)",
    "has moved to $1",
    { slot: "home", replaces: "home" },
  ),
  {
    form: form(
      "(?:I|we)(?:['’]ve| have) (started|begun|taken to|gone back to|switched to|moved to) (\\p{Ll}+ing(?: [^,]{2,40})?)",
    ),
    make: ([, verb = "", raw = ""], { isReplacement }) => {
      const short = raw.replace(/ instead$/, "");
      const about = complementOf(raw) ?? (short.split(" ").length < 4 ? short : undefined);
      return about === undefined || !isReplacement ? undefined : profile("en", `has ${verb} ${about}`);
    },
  },
  {
    form: form(
      "(?:I|we)(?:['’]ve| have) been (\\p{Ll}+ing (?:[^,]{2,60} )?(?:every|each|for (?:\\w+ ){1,2}(?:years|months|decades)|since|once a|twice a|on \\p{L}+days)(?: [^,]{2,40})?|on (?:the )?(?:night|day|early|late) shifts?[^,]{0,50})",
    ),
    make: ([, raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined ||
        /^(?:trying|getting|having|thinking|wondering|looking|waiting|struggling|feeling|meaning|putting)/.test(
          raw,
        )
        ? undefined
        : profile("en", `has been ${about}`);
    },
  },
  fact(
    "(?:we|I) (?:dropped|ditched|abandoned|scrapped|binned) ([\\p{Lu}][^,]{1,30}?) (?:for|in favou?r of) ((?:an? )?[\\p{Lu}][^,]{1,30})",
    "uses $2 instead of $1",
  ),
  fact(
    "(?:we|I) (?:always |only |all )?(?:use|indent with|write|format with|go with) ([\\p{L} ]{2,25}?),? (?:not|never|rather than|instead of) ([\\p{L} ]{2,25}?)(?: in the (?:repo|codebase|project|team))?",
    "uses $1, not $2",
  ),
  fact(
    "(?:we|I) (?:write|do|build|code) (?:everything|it all|all our code) in (\\p{Lu}[\\p{L}+#. ]{1,20}),? no (\\p{Lu}[\\p{L}+#]{1,15})(?: [^,]{0,30})?",
    "writes everything in $1, no $2",
  ),
];

/** People referred to by any noun: "my carer Mrs. Dlamini comes on weekdays". */
const PEOPLE: readonly Reading[] = [
  {
    form: form(
      `(?:my|our) ((?:\\p{Ll}+ )?[\\p{Ll}-]{3,20}),? (${TITLE}\\p{Lu}[\\p{L}'’-]+),? (is|has|comes|lives|works|visits|helps|teaches|sees|does|runs|looks after|speaks|plays|drives|supervises|wants|takes|coaches|retires|loves|hates) ([^,]{2,60})`,
    ),
    make: ([, kind = "", name = "", verb = "", raw = ""]) => {
      const about = complementOf(raw);
      const relation = entity("en", name, name, `is {whose} ${kind.toLowerCase()}`, "relation");
      return about === undefined || verb === "wants"
        ? relation
        : [relation, entity("en", name, name, `${verb} ${about}`, `${verb} ${about.split(" ")[0]}`)];
    },
  },
  {
    form: form(
      `(?:my|our) (${ENGLISH_KIN})(?:,? (\\p{Lu}[\\p{L}'’-]+))? ((?:has |have )?(?:just |recently |finally )?(?:turned ${NUMBER}|quit|left|resigned|retired|graduated|emigrated|got (?:married|engaged|divorced|a (?:new )?job|into|promoted|made redundant)|opened (?:an?|the)|started (?:an?|at|as|her|his|school|uni|university|secondary|nursery)|switched to|changed to|moved (?:to|in|out|back|into)|gone (?:to|up to|back|into|vegan)|given (?:it )?up|gave (?:it )?up|stopped|taken up|took up|joined|become|became|enrolled|qualified|passed (?:her|his|their)|had (?:a baby|twins|a stroke|a heart attack|a hip)|was diagnosed with|been diagnosed with|dropped out)(?: [^,]{2,70})?)`,
    ),
    make: ([, kind = "", name, raw = ""]) => {
      const about = complementOf(raw.replace(/\b(?:given|gave) it up for /, "switched to "));
      if (about === undefined) return undefined;
      const low = kind.toLowerCase();
      const said = entity(
        "en",
        name ?? `{whose} ${low}`,
        name ?? `{Whose} ${low}`,
        about,
        about.split(" ").slice(0, 2).join(" "),
      );
      return name === undefined ? said : [entity("en", name, name, `is {whose} ${low}`, "relation"), said];
    },
  },
];

export const ENGLISH_FRAGMENTS: readonly Reading[] = [...PEOPLE, ...SELF, ...THINGS];

/** Nouns after "as a …" that are ages or passing roles, not lasting ones. */
const NO_ROLE =
  /\b(?:kid|child|baby|teen\p{L}*|boy|girl|beginner|result|rule|test|joke|user|admin|customer|visitor|developer who|reader|token|whole|group|favou?r|start|bonus|gift|present|hobby|treat|snack|thank|side|last|first|backup|example|reference|heads|matter|consequence|reminder|pirate|robot|ai|assistant|bot|model|character|expert)\b/iu;

/** Roles and states that a message mentions in passing: "As a nurse I …", "being colour-blind, I …". */
export function englishRoles(message: string): readonly Statement[] {
  const roles = [
    ...message.matchAll(
      /(?:^|[.!?,;] )as (an? (?:[\p{Ll}&-]+ ){0,3}[\p{Ll}-]+(?: (?:in|at|from) \p{Lu}\p{L}+)?)(?: with [^,.]{3,30},)?(?:, |,? )(?=(?:I|my|we|how (?:do|can|should) I)(?!\p{L}|['’]d| (?:want|need|would|should|can|could|wish)\b))/giu,
    ),
  ].flatMap(([, role = ""]) => (NO_ROLE.test(role) ? [] : [profile("en", `is ${role}`)]));
  const states = [
    ...message.matchAll(
      /(?:^|[.!?,;] )being ([\p{Ll} -]{3,30}?)(?<! (?:in|of|to|with|on|from|by|at|and|for)),? (?=(?:I|we|my)(?!\p{L}))/giu,
    ),
  ].flatMap(([, state = ""]) => (LASTING_STATE.test(state) ? [profile("en", `is ${state}`)] : []));
  return [...roles, ...states];
}
