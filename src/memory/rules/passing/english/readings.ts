import { entity, profile, wish } from "../../predicates.ts";
import { complementOf, thirdOf } from "../../readers/english-objects.ts";
import { type Reading, readingsOf } from "../table.ts";
import { ENGLISH_CHANGES, ENGLISH_DAY, ENGLISH_TOOLS } from "./changes.ts";
import { ENGLISH_FRAGMENTS } from "./fragments.ts";
import { ENGLISH_KIN } from "./general.ts";
import { ENGLISH_PROJECTS } from "./projects.ts";

/** Breeds, which name a pet as "dog" and "cat" do. */
const BREED =
  "(?:corgi|labrador|lab|poodle|greyhound|whippet|spaniel|retriever|collie|terrier|beagle|dachshund|husky|pug|bulldog|shepherd|rottweiler|chihuahua|siamese|tabby|ragdoll|maine coon|mutt|rescue|pony|mare|gelding|budgie|cockatiel|gecko|tortoise|hamster|gerbil|ferret|bunny|puppy|kitten)";

const { fact, taste, named, form } = readingsOf("en", complementOf);

const NAME =
  "((?:(?:Dr|Mr|Mrs|Ms|Prof|Auntie|Uncle|Aunt)\\.? )?\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)";
const I_AM = "(?:I(?:['’]m| am)|we(?:['’]re| are))";
/** Durable things: buying or losing one is a lasting fact, buying anything else is not. */
const DURABLE =
  "(?:house|flat|cottage|cabin|farm|barn|bungalow|apartment|boat|narrowboat|campervan|camper|caravan|van|car|bike|e-bike|motorbike|scooter|guitar|piano|violin|cello|keyboard|drum kit|telescope|camera|laptop|phone|tablet|dog|puppy|cat|kitten|horse|pony|hens|chickens|allotment|shop|caf[eé]|pub|business|greenhouse|sewing machine|kiln|3D printer)";
const YEARS =
  "(?: (?:in|since|back in|last|two|three|four|five|ten|\\d+|a few|when|over|during|after|before|because|at|from|for|this) [^,]{2,50})?";

/** Single events that are worth storing: jobs, homes, illness, learning. */
const EVENTS: readonly Reading[] = [
  fact(
    `I (left|quit|resigned from|retired from) ((?:my job|the (?:army|navy|police|force|church)|\\p{Lu})[^,]{0,50})`,
    "$1 $2",
  ),
  fact(
    `I (?:used to) ((?:smoke|drink|live|work|play|run|teach|own|be|eat|have|sing|row|box)\\b[^,]{2,70})`,
    "used to $1",
  ),
  fact(
    `(?:I|we) (got into|took up|picked up|fell in love with) ((?!it\\b|the (?:phone|kids|parcel))[^,]{3,60})`,
    "$1 $2",
  ),
  fact(
    `(?:I|we) (bought|inherited|adopted|rescued|built|own|rent|sold) ((?:an?|our|my|the|two|three) (?:[^,]{1,30} )?${DURABLE}${YEARS})`,
    "$1 $2",
  ),
  fact(
    `I(?:['’]ve)? (never) (learned to|learnt to|got round to learning to|owned|had|liked|drunk|smoked|eaten|been to|flown|touched) ([^,]{3,50})`,
    "has $1 $2 $3",
  ),
  fact(
    `I (?:haven['’]t|have not) (touched|eaten|drunk|smoked|had) ([^,]{3,40}? (?:since|in|for) [^,]{2,30})`,
    "has not $1 $2",
  ),
  fact(
    `I (had|am having|I['’]m having) (a (?:hip|knee|heart|kidney|liver|stroke|baby|C-section|hysterectomy|vasectomy)[^,]{0,50})`,
    "$1 $2",
  ),
  fact(
    `I (was|got) (diagnosed with [^,]{3,50}|made redundant[^,]{0,30}|laid off[^,]{0,30}|promoted[^,]{0,40})`,
    "was $2",
  ),
  fact(
    `I (broke|tore|injured|hurt|fractured|dislocated|had surgery on) my ([^,]{3,30}? (?:in|last|playing|skiing|years|when|back) [^,]{2,30})`,
    "$1 their $2",
  ),
  fact(`I (graduated|qualified|trained|retired|emigrated|passed my driving test)( [^,]{3,50})?`, "$1 $2"),
  fact(`(?:I|we) (got married|got engaged|tied the knot|eloped)( [^,]{3,40})?`, "$1 $2", {
    slot: "marriage",
  }),
];

/** The speaker's body, food and tastes. */
const LIKES: readonly Reading[] = [
  taste(
    "I (?:really |absolutely |just )?(?:can['’]t stand|cannot stand|can['’]t abide|can['’]t bear|hate|detest|loathe|despise) ((?!it\\b|when|how|that\\b|myself)[^,]{3,40})",
    "dislikes $1",
    "$1",
    "no",
  ),
  taste(
    `I(?:['’]m| am) (?:really |just )?not (?:a (?:big |huge )?fan of|keen on|into|fond of|big on|much of a) ([^,]{3,40})`,
    "does not like $1",
    "$1",
    "no",
  ),
  taste(
    "I(?:['’]m| am) (?:a )?(?:huge |big |massive |proper )?(?:fan of|addicted to|mad about|crazy about|nuts about|partial to|hooked on|obsessed with|really into|into) ([^,]{3,40})",
    "likes $1",
    "$1",
    "yes",
  ),
  taste(
    "([\\p{L} ]{3,30}) (?:isn['’]t|is not|aren['’]t) (?:really )?(?:for me|my thing|my cup of tea)",
    "does not like $1",
    "$1",
    "no",
  ),
  taste(
    "([\\p{L} ]{3,30}) (?:is|are) (?:really |totally |very much )?(?:my thing|right up my street|my jam|my favou?rite|my guilty pleasure)",
    "likes $1",
    "$1",
    "yes",
  ),
  fact(
    "((?!it\\b|that\\b|this\\b|he\\b|she\\b|they\\b|which\\b)[\\p{L} ]{3,30}?) (?:gives?|give) me ((?:terrible |awful |bad )?(?:migraines?|headaches?|hives|heartburn|a rash|rashes|indigestion|nightmares|the creeps|palpitations))",
    "gets $2 from $1",
  ),
  fact(
    "((?!it\\b|that\\b|this\\b|he\\b|she\\b|they\\b|which\\b)[\\p{L} ]{3,30}?) (?:scares?|terrif(?:y|ies)|frightens?) me(?: to (?:bits|death))?",
    "is afraid of $1",
  ),
  fact(
    `${I_AM} (?:really |badly |quite |severely |also )?(?:allergic|intolerant) to ([^,]{3,60})`,
    "is allergic to $1",
    { slot: "allergic to $1" },
  ),
  fact(
    "I(?:['’]ve)?(?: have|'ve got| got| suffer from| was born with)?(?: got)? ((?:an? )?(?:\\p{L}+ ){0,2}(?:allergy|intolerance|asthma|eczema|coeliac disease|celiac disease|diabetes|epilepsy|tinnitus|arthritis|migraines?|dyslexia|ADHD|autism|IBS|Crohn['’]s|endometriosis|hypertension|anxiety|insomnia|scoliosis|hay fever|MS|PCOS|sciatica))( [^,]{2,30})?",
    "has $1$2",
    { slot: "has $1" },
  ),
  fact(
    "I(?:['’]ve been| have been|['’]m| am|['’]ve)? (?:on|taking|prescribed) ((?!it\\b|the (?:bus|train|phone|way)|my way|holiday|an? (?:call|break|train|bus|diet|budget|roll|mission)|board|top|time|track|hold|leave)[\\p{L}-]{4,25}(?: \\d+ ?mg)?)(?: for ([^,]{3,40}))?",
    "takes $1 for $2",
    { slot: "takes $1" },
  ),
  fact(
    "I (?:take|inject|use) (insulin|[\\p{L}-]{3,20}(?:in|ol|pril|ine|one|ide|ium|statin|artan|ate|am|ax|profen))(?:( every [^,]{3,20}| twice a day| daily| once a day))?(?: for ([^,]{3,40}))?",
    "takes $1$2 for $3",
    { slot: "takes $1" },
  ),
  fact(
    "I (?:don['’]t|do not|never) (eat|drink|have|digest|tolerate|touch) ((?!it\\b|any(?:thing)?\\b|that\\b|to\\b|(?:a )?(?:clue|time|idea))[^,]{3,40})",
    "does not $1 $2",
    { slot: "attitude to $2" },
  ),
  fact(
    "I (?:can['’]t|cannot) (eat|drink|have|digest|tolerate|touch) ((?!it\\b|any(?:thing)?\\b|that\\b|to\\b|(?:a )?(?:clue|time|idea))[^,]{3,40})",
    "cannot $1 $2",
    { slot: "attitude to $2" },
  ),
  fact("no ([\\p{L} ]{3,25}) for me", "does not have $1"),
];

/** The speaker's work, days, travel and belongings. */
const HABITS: readonly Reading[] = [
  fact(
    "(?:I(?:['’]m| am)|my name(?:['’]s| is)|name(?:['’]s| is)|(?:this is|it['’]s)) (\\p{Lu}\\p{Ll}{2,})(?: \\p{Lu}\\p{Ll}+)?(?: here)?",
    "is called $1",
    { slot: "name" },
  ),
  fact(
    `${I_AM} (an? (?:[\\p{L}-]+ ){0,4}?(?:\\p{L}+(?:er|or|ist|ian|man|woman|ant|ent|nurse|chef|vet|clerk|cook|pilot|student|apprentice|intern|mum|dad|carer|postie|GP)) (?:at|in|for|with|on|near) [^,]{3,60})`,
    "is $1",
    { slot: "job" },
  ),
  fact(
    "I(?:['’]m| am) (?:now )?(?:at|with) (an? [^,]{2,40}? (?:called|named) \\p{Lu}[^,]{1,30}?)(?: now)?",
    "works at $1",
    { slot: "employer", replaces: "work" },
  ),
  fact(
    "I (?:look after|care for|take care of) (my (?:mum|dad|mother|father|mom|gran|nan|grandad|grandmother|brother|sister|wife|husband|parents|nephew|niece|grandkids|grandson|granddaughter)[^,]{0,40})",
    "looks after $1",
  ),
  fact(
    `((?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?(?: and (?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?)?) (?:are|is) (?:out for me|no good for me|my (?:day|days) off|my swimming days?|impossible for me|off)`,
    "has no time on $1",
  ),
  fact(
    `I (?:can['’]t do|can['’]t make|never work|don['’]t work|don['’]t do|have off) ((?:on )?(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?[^,]{0,30})`,
    "is not available $1",
  ),
  fact(
    "I (?:only |always |usually |mostly )?(?:get|go|travel|commute|cycle|walk|drive) (?:around |to work |everywhere |in )?by ((?:bus|train|bike|car|boat|tram|bicycle|foot)[^,]{0,40})",
    "travels by $1",
    { slot: "way of travel" },
  ),
  fact(
    "I (?:have|['’]ve got|['’]ve|own|got) ((?:an?|two|three|four|five|no) (?:[\\p{L}-]+ ){0,3}?(?:cats?|dogs?|rabbits?|hens|chickens|hamsters?|budgies?|horses?|tortoises?|guinea pigs?|kids|children|sons?|daughters?|brothers?|sisters?|twins|grandchildren|railcard|allotment|motorbike|campervan|narrowboat|van|piano|greenhouse)(?: (?:called|named) [^,]{2,40})?)",
    "has $1",
    { slot: "has $1" },
  ),
  fact(
    `${I_AM} (saving up|saving|training|preparing|studying|revising|applying|practising) (for|to) ([^,]{3,60})`,
    "is $1 $2 $3",
  ),
  fact(
    "(?:I|we) (?:plan|want|hope|intend|are planning|aim|['’]re planning|am planning) to ((?:move|retire|emigrate|learn|open|start|get married|have a baby|buy a house|study|travel|visit|run)[^,]{3,60})",
    "plans to $1",
  ),
  fact(
    `${I_AM} running (?:my|the|a) ([^,]{0,30}?(?:marathon|half|10k|5k|ultra|race|one)(?: in [^,]{3,40})?)`,
    "is running the $1",
  ),
  fact(`I(?:['’]m| am) (?:turning|going to be|about to turn) (\\d{2})( [^,]{3,30})?`, "turns $1$2", {
    slot: "age",
  }),
  fact(`I turn (\\d{2})( [^,]{3,30})?`, "turns $1$2", { slot: "age" }),
  fact(`my birthday(?:['’]s| is| falls)(?: on)? ([^,]{3,30})`, "is $1", {
    slot: "birthday",
    subject: "{Whose} birthday",
  }),
  fact(
    "(?:we|I) live (out in|up in|down in|outside|just outside|on|near|off) ((?:the )?\\p{Lu}[^,]{2,40}?)(?: where [^,]{3,40})?",
    "lives $1 $2",
    { slot: "home" },
  ),
  fact(
    "I(?:['’]m| am| was)? ?(?:from|raised in|grew up in) (\\p{Lu}[^,]{2,30})( originally)?",
    "comes from $1",
    { slot: "origin" },
  ),
  fact("(?:I|we) speak ([^,]{3,40})", "speaks $1"),
];

/** Teams and projects, and the people in them. */
const WORK: readonly Reading[] = [
  fact(
    "(?:the |our |my )?(client|customer|budget|venue|sponsor|stack|domain|owner|product owner|project lead|designer|contact|supervisor|advisor|go-live|go live|kick-off|kickoff|demo|pitch|exam|interview|wedding|viva|defence|defense|rehearsal|appointment|surgery|operation) (is|are|capped at|moved up to|moved to|moved back to|set for|set at|falls on) ((?!(?:not|so|very|too|going|still|a mess|down|broken|bad|good|great|over|done)\\b)[^,]{2,40})",
    "is $3",
    { slot: "$1", subject: "{Whose} $1" },
  ),
  fact(`(?:the|our|my) ([\\p{L} -]{3,25}) is (?:on |at )?(${ENGLISH_DAY}(?: [^,]{2,30})?)`, "is on $2", {
    slot: "$1",
    subject: "{Whose} $1",
  }),
  {
    form: form(
      `(?:we|I)(?:['’]ve| have)? (?:went with|settled on|decided on|picked|chose|chosen|gone with|opted for|going with) ([^,]{2,40}?) (?:instead of|rather than|over|not) ([^,]{2,30}?)(?: (?:on|for|in) (the [^,]{3,25}|[^,]{3,25}))?`,
    ),
    make: ([, one = "", other = "", where = ""]) =>
      complementOf(one) === undefined || complementOf(other) === undefined
        ? undefined
        : profile(
            "en",
            `chose ${one} over ${other}${where === "" ? "" : ` for ${where}`}`,
            `choice of ${one.toLowerCase()}`,
          ),
  },
  fact(
    "the (backend|frontend|front end|database|api|app|site|website|server|codebase|stack|project|repo|pipeline)(?:['’]s)? ?(is|runs on|uses|is written in|is built (?:in|with|on)) ((?!(?:down|slow|broken|fine|ready|done|not|still|being|working|too|very|so|a mess|failing|up|giving|throwing|due)\\b)[^,]{2,40})",
    "$2 $3",
    { slot: "$1", subject: "The $1" },
  ),
  named(
    `${NAME} (owns|leads|runs|handles|manages|does|looks after|maintains|designs|reviews) (the [^,]{3,40}|our [^,]{3,40})`,
    "$1",
    "$2 $3",
    "$2",
  ),
  named(
    `${NAME} (?:is|['’]s) (?:in charge of|responsible for|doing|handling) ([^,]{3,40})`,
    "$1",
    "is responsible for $2",
    "role",
  ),
  named(`${NAME} is (?:our|my|the team['’]s) ([^,]{2,40})`, "$1", "is {whose} $2", "relation"),
];

const STYLE =
  "(?:[Bb]ritish|[Aa]merican|[Ee]nglish|[Gg]erman|[Ff]rench|[Ss]panish|metric|imperial|[Cc]elsius|bullet|bullets|emojis?|short|shorter|brief|concise|plain|simple|jargon|spelling|units|answers?|replies|sentences|paragraphs|examples?|tables?|code|comments|markdown|formal|informal|24-hour|step by step|words?|pronouns|they/them|headings?|exclamation marks)";

/** Wishes about the agent's answers. */
const WISHES: readonly Reading[] = [
  {
    form: form(
      `(?:and |but )?(?:please |can you please |could you please )((?:use|write|answer|reply|keep|stick to|avoid|skip|don['’]t use|no|call me|give me|talk|explain)\\b[^,]{0,40}\\b${STYLE}\\b[^,]{0,40})`,
    ),
    make: ([, what = ""]) => wish("en", what.split(" ").slice(0, 4).join(" "), `wants: ${what}`),
  },
  {
    form: form(
      `((?:use|keep|stick to|avoid|don['’]t use|no)\\b[^,]{0,30}\\b${STYLE}\\b[^,]{0,30}) (?:please|from now on)`,
    ),
    make: ([, what = ""]) => wish("en", what.split(" ").slice(0, 4).join(" "), `wants: ${what}`),
  },
  fact(
    `I (?:prefer|like|need|want) ((?:an? |your |my )?(?:[\\p{L}-]+ ){0,2}(?:answers|replies|explanations|responses|bullet points|examples|units|spelling|tables)[^,]{0,40})`,
    "prefers $1",
    { slot: "wish about answers" },
  ),
];

/** Predicates of relatives that the clause reader does not know: "My daughter Maisie turns 6". */
const RELATIVES: readonly Reading[] = [
  {
    form: form(
      `(?:my|our) ((?:\\p{Ll}+ )?${BREED})(?:,? (\\p{Lu}[\\p{L}'’-]+))(?: (?:is|turned|has|loves|hates|eats|sleeps|needs|gets) [^,]{2,40})?`,
    ),
    make: ([said = "", breed = "", name = ""]) => {
      const raw = said.slice(said.indexOf(name) + name.length).trim();
      const about = raw === "" ? undefined : complementOf(raw);
      return [
        entity("en", name, name, `is {whose} ${breed}`, "relation"),
        ...(about === undefined ? [] : [entity("en", name, name, about, about.split(" ")[0])]),
      ];
    },
  },
  {
    form: form(
      `((?:(?:my|our) (?:\\p{Ll}+ )?${ENGLISH_KIN} )?\\p{Lu}[\\p{L}'’-]+|(?:my|our) (?:\\p{Ll}+ )?${ENGLISH_KIN}) ((?:turns|turned|is turning|will be) \\d{1,2}(?: [^,]{2,30})?|(?:is|was) due (?:in|on) [^,]{3,20}|(?:flies|drives|works|sings|teaches|coaches|rides|serves|studies|lives|plays) (?:for|at|in|with|on|as) [^,]{2,60}|(?:is|has been) (?:retired|pregnant|diabetic|vegan|vegetarian|dyslexic|deaf|blind|autistic|coeliac|colou?r-?blind|scared of [^,]{3,30}|allergic to [^,]{3,40})|has (?:Parkinson['’]s|dementia|diabetes|asthma|epilepsy|Alzheimer['’]s|ADHD|autism|MS|arthritis|cancer|coeliac disease|a nut allergy)|retires (?:in|next) [^,]{2,20}|moved to \\p{Lu}[^,]{2,30})`,
    ),
    make: ([, who = "", raw = ""]) => {
      const about = complementOf(raw);
      const [, kind, name] =
        /^(?:my|our) ([\p{Ll} -]+?)(?: (\p{Lu}[\p{L}'’-]+))?$/u.exec(who.replace(/^(?:My|Our)/, "my")) ?? [];
      const subject = name ?? (kind === undefined ? who : `{Whose} ${kind}`);
      if (about === undefined || /^(?:I|We|It|This|That|He|She|They|The|There|What|Everyone)$/.test(subject))
        return undefined;
      return entity(
        "en",
        name ?? (kind === undefined ? who : `{whose} ${kind}`),
        subject,
        about,
        about.split(" ").slice(0, 2).join(" "),
      );
    },
  },
];

/** Habits of the speaker: "I see a physio every week". */
const HABITUAL = form(
  "I (do|go to|have|see|attend|teach|play|practi[sc]e|lead|swim|run|cycle|sing) ((?:[\\p{L}'’-]+ ){0,4}(?:on|at|every|twice|once|with) [^,]{3,50})",
);

export const ENGLISH_READINGS: readonly Reading[] = [
  ...ENGLISH_CHANGES,
  ...ENGLISH_TOOLS,
  ...EVENTS,
  ...LIKES,
  ...HABITS,
  ...WORK,
  ...WISHES,
  ...RELATIVES,
  ...ENGLISH_PROJECTS,
  ...ENGLISH_FRAGMENTS,
  {
    form: HABITUAL,
    make: ([, verb = "", raw = ""]) => {
      const rest = complementOf(raw);
      if (rest === undefined || !/\b(?:every|once|twice|days?|mornings?|evenings?|with \p{L}+)/u.test(rest))
        return undefined;
      const [first = "", ...more] = verb.toLowerCase().split(" ");
      return /\b(?:question|problem|issue|meeting|appointment|call|trouble|idea|today|tomorrow|tonight)\b/.test(
        rest,
      )
        ? undefined
        : profile(
            "en",
            `${[thirdOf(first), ...more].join(" ")} ${rest}`,
            `${first} ${rest.split(" ")[0]?.toLowerCase()}`,
          );
    },
  },
  {
    form: form(
      `(?:we|the team|I)(?:['’]re| are| is|['’]m)? (launching|shipping|releasing|handing in|submitting|delivering|presenting|migrating|going live|moving|opening|launch|ship|release|hand in|submit|go live|deliver) ?([^,]{0,50}?) ?((?:on|by) (?:the )?${ENGLISH_DAY})`,
    ),
    make: ([, verb = "", what = "", day = ""]) => {
      const object = what === "" ? "" : complementOf(what);
      if (object === undefined) return undefined;
      const does = verb.includes("ing") ? `is ${verb}` : verb.replace(/^\p{L}+/u, thirdOf);
      return profile(
        "en",
        `${does} ${object} ${day}`.replace(/ {2,}/g, " "),
        `${verb} ${object}`.toLowerCase(),
      );
    },
  },
];
