import { productKind } from "../../../facts/product-names.ts";
import { attitude, profile } from "../../predicates.ts";
import { complementOf } from "../../readers/english-objects.ts";
import type { Statement } from "../../rule.ts";
import { type Reading, readingsOf } from "../table.ts";

const { fact, form } = readingsOf("en", complementOf);

const SELF = "(?:I|we)(?:['’](?:m|re|ve)| am| are| have)?";
/** Where somebody moves, after the verb. */
const TO_A_HOME =
  "(?: house| home| back| out| over)* (?:in )?(?:with [^,]{2,30} )?(?:from \\p{Lu}[\\p{L} ]{1,25} )?(to|into|in with) (\\p{Lu}[^,]{2,50}|(?:my|our) [^,]{3,40}|(?:an?|the) (?:[\\p{Ll}-]+ ){0,2}(?:house|flat|city|country|countryside|coast|village|town|suburbs|mountains|cottage|apartment|studio|bungalow)(?: [^,]{2,40})?)";
const NOW = "(?:(?: now| these days| from now on| instead|, now)*)";
export const ENGLISH_DAY =
  "(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?(?: (?:morning|afternoon|evening|night)s?)?|(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)\\p{L}*|(?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)\\p{L}* \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}/\\d{1,2}|next (?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)day|the (?:end|middle|start) of \\p{L}+|tomorrow)(?: the \\d{1,2}(?:st|nd|rd|th)?)?(?: at [\\p{L}\\d:.∶ ]{1,14})?";
const PRODUCT =
  "(?:an? |the |my |our )?(?:new |used |second-hand |secondhand )?([\\p{L}\\d][\\p{L}\\d.+#&'’-]*(?: [\\p{L}\\d+.-]+){0,3}?)";

/** A statement that a product replaces the known product of the same kind. */
function replacing(name: string, about: string): Statement | undefined {
  const kind = productKind(name);
  if (kind === undefined || complementOf(name) === undefined) return undefined;
  return { ...profile("en", about, kind), replaces: kind };
}

const product = (source: string, verb: string): Reading => ({
  form: form(source),
  make: ([, name = "", rest = ""]) => replacing(name, `${verb} ${article(name, verb)}${name}${restOf(rest)}`),
});
const restOf = (rest: string): string => (complementOf(rest) === undefined ? "" : ` ${rest.trim()}`);
const article = (name: string, verb: string): string =>
  verb === "uses" || /^(?:an?|the|my) /i.test(name) ? "" : /^[aeiou]/i.test(name) ? "an " : "a ";

const trade = form(
  "(?:I|we)(?:['’]ve| have)? (?:just |finally )?traded (?:it|her|him|that|(?:my|our|the) [^,]{2,20}?) (?:in )?for (?:an? |the )?(?:new |used )?([\\p{Lu}\\d][\\p{L}\\d' -]{1,25}?)",
);

/** Changes with a word such as "now"; the new fact replaces the known one of the same kind. */
export const ENGLISH_CHANGES: readonly Reading[] = [
  {
    form: trade,
    make: ([, name = ""]) => {
      const kind = productKind(name) ?? "car";
      return { ...profile("en", `has ${article(name, "has")}${name}`, kind), replaces: kind };
    },
  },
  fact(`${SELF}(?: now)? (?:in|at) (an? [^,]{2,40} (?:in|near) \\p{Lu}[^,]{1,40}?) now`, "lives in $1", {
    slot: "home",
    replaces: "home",
  }),
  fact(
    `${SELF}(?: now)? (?:in|living in|settled in|based in|live in) (\\p{Lu}[\\p{L}'’ -]{1,30}?) now`,
    "lives in $1",
    {
      slot: "home",
      replaces: "home",
    },
  ),
  fact(
    `(?:my|our) (?:new )?(?:home|place|flat|house|address|apartment) is (?:now )?(?:in |at )?([\\p{Lu}\\d][^,]{2,50}?)${NOW}`,
    "lives in $1",
    {
      slot: "home",
      replaces: "home",
    },
  ),
  fact(
    `${SELF}(?: now)? (?:at|working (?:at|for)|employed (?:at|by)|work (?:at|for)) (\\p{Lu}[^,]{1,40}?)(?: now| as of \\p{L}+)`,
    "works at $1",
    {
      slot: "employer",
      replaces: "work",
    },
  ),
  fact(
    `${SELF}(?: now| just)? (?:start|starting|started|signed|begin|beginning)( as an? [^,]{2,30}?)? (?:with|at) (\\p{Lu}[^,]{1,50})`,
    "starts$1 at $2",
    {
      slot: "employer",
      replaces: "work",
    },
  ),
  fact(
    `${SELF}(?: just)? (?:got|landed|took|accepted|started) (?:an? |the |my )?(?:new )?(?:job|role|position|offer)(?: as an? ([^,]{2,30}))? (?:at|with|from) (\\p{Lu}[^,]{1,40})`,
    "has a new job at $2",
    {
      slot: "employer",
      replaces: "work",
    },
  ),
  fact(
    "I(?:['’]m| am) (?:now |going to be |starting as |gonna be |working as |employed as )+(an? [^,]{3,40}? (?:at|for|with|in) [^,]{2,40}?)(?: now)?",
    "is $1",
    {
      slot: "job",
      replaces: "work",
    },
  ),
  fact(
    "I(?:['’]m| am) (driving|cooking|working|teaching|nursing|cleaning|coding|delivering|writing) (for|at) (\\p{Lu}[^,]{1,40}?) now",
    "is $1 $2 $3",
    {
      slot: "employer",
      replaces: "work",
    },
  ),
  fact(
    "I(?:['’]m| am)(?: now)? at (\\p{Lu}[^,]{2,40}?(?:University|State|College|Uni|School)[^,]{0,30})",
    "is at $1",
    {
      slot: "university",
      replaces: "study",
    },
  ),
  {
    form: form(
      "(?:they|it|he|she|we|the \\p{L}+|my \\p{L}+)(?:['’]s|['’]ve| has| have| was| got)? ?(?:bumped|moved|pushed|postponed|rescheduled|shifted|brought)(?: us| me| it| that| them| the \\p{L}+)?(?: back| forward| up| out)? (?:to|until|till) (?:the )?(" +
        ENGLISH_DAY +
        ")",
    ),
    make: ([, day = ""]) => ({
      ...profile("en", `is ${day}`, "new date"),
      subject: "The new date of {whose} appointment",
      replaces: "date",
    }),
  },
  fact(`(\\p{Lu}[\\p{L}&. ]{1,30}) (?:hired me|gave me a job|took me on)[^,]{0,30}`, "works at $1", {
    slot: "employer",
    replaces: "work",
  }),
  fact(
    `(?:my|our) (?:new )?(gp|GP|doctor|dentist|landlord|landlady) is (?:now )?((?:(?:Dr|Mr|Mrs|Ms|Miss|Prof)\\.? )?\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)(?: now)?`,
    "is $2",
    {
      slot: "$1",
      subject: "{Whose} $1",
      replaces: "role",
    },
  ),
  {
    form: form(
      "(?:I|we|my (?:girlfriend|boyfriend|wife|husband|partner|fianc[eé]e?)|(\\p{Lu}\\p{L}+)) (?:and (?:I|me|my (?:girlfriend|boyfriend|wife|husband|partner)) )?(?:have |['’]ve )?(?:just |recently )?(?:split up|broke(?:n)? up|called it quits|called off the wedding|ended (?:it|things)|separated|divorced|got divorced|called it off)(?: with [^,]{2,30})?[^,]{0,40}",
    ),
    make: () => ({ ...profile("en", "has separated from their partner", "partner"), replaces: "partner" }),
  },
  {
    form: form("(?:I(?:['’]m| am)|so I(?:['’]m| am)) single (?:again|now)"),
    make: () => ({ ...profile("en", "is single", "marriage"), replaces: "partner" }),
  },
  fact(
    "I(?:['’]m| am) (?:now )?(?:dating|seeing|with|going out with|together with|engaged to|married to) (\\p{Lu}\\p{L}+)( now| these days| since [^,]{2,20})?",
    "is together with $1",
    {
      slot: "partner",
      replaces: "partner",
    },
  ),
  {
    form: form(
      "(?:(?:honestly )?I(?:['’]m| am)?|we(?:['’]re)?)(?: now)? (?:eat(?:ing)?|back (?:to|on)|started eating)(?: eating)? (meat|fish|dairy|eggs)( again)?(?: again)?(?: now)?(?: again)?",
    ),
    make: ([said = "", what = ""]) =>
      /again|back|started/.test(said)
        ? { ...profile("en", `eats ${what} again`, "diet"), replaces: "diet" }
        : undefined,
  },
  {
    form: form(
      "(?:I(?:['’]m| am| went| became|['’]ve gone|['’]ve turned|['’]ve been| have gone| turned)|we(?:['’]re| are| went|['’]ve gone)) (?:completely |fully |totally |a )?(vegan|vegetarian|pescatarian|plant-based|keto)( now| these days| since [^,]{2,30}| for [^,]{2,20}| in [^,]{2,20})?",
    ),
    make: ([said = "", diet = "", when = ""]) => {
      const isChange = /\b(?:went|became|gone|turned|now|fully|completely)\b/.test(said);
      const about = `is ${diet.toLowerCase()}${when.replace(/ now| these days/, "")}`;
      return { ...profile("en", about, "diet"), ...(isChange && { replaces: "diet" as const }) };
    },
  },
  {
    form: form(
      "(?:(?:they|he|she|we|the client|my boss) (?:gave|got) (?:us|me|them) an extension[^,]{0,20}?)?(?:the |my |our |new )*(?:deadline|due date|submission|hand-in|cut-off|launch|release)(?: date| day)?(?:['’]s| is| got| was| has been| has)(?: now)?(?: moved| pushed| extended| postponed| brought forward| shifted)?(?: back)?(?: to| until| till| on)? (?:the )?(" +
        ENGLISH_DAY +
        ")(?: now| instead)?",
    ),
    make: ([said = "", day = ""], { isOfChange }) => ({
      ...profile("en", `is ${day}`, "deadline"),
      subject: `{Whose} ${/launch|release/i.exec(said)?.[0].toLowerCase() ?? "deadline"}`,
      ...((isOfChange || /now|moved|pushed|extended|postponed|instead/.test(said)) && {
        replaces: "deadline" as const,
      }),
    }),
  },
  {
    form: form(
      "(?:I|we) (?:can )?(lift|run|swim|cycle|work out|train|jog|exercise|go to the gym|do yoga|climb)( [^,]{2,40}?)? (?:instead|now)",
    ),
    make: ([, verb = "", when = ""]) => {
      const [first = "", ...rest] = verb.toLowerCase().split(" ");
      const third = first === "go" ? "goes" : first === "do" ? "does" : `${first}s`;
      return { ...profile("en", `${[third, ...rest].join(" ")}${when}`, "exercise"), replaces: "exercise" };
    },
  },
  fact(
    "(?:I|we) (?:only |just )?drink ((?!to\\b)[^,]{3,40}?) (?:now|instead)(?: of [^,]{2,20})?",
    "drinks $1 now",
    { replaces: "drink" },
  ),
  product(
    `(?:I|we)(?:['’]ve| have)? (?:just |finally |recently |now )?(?:bought|got|ordered|picked up|upgraded to|traded [^,]{2,20} for|replaced (?:it|them|[^,]{2,20}) with|leased)(?: myself| ourselves| me)? ${PRODUCT}`,
    "has",
  ),
  product(`(?:I|we)(?:['’]ve| have)? (?:now )?(?:drive|driving) ${PRODUCT} now`, "drives"),
  product(
    `(?:the team|we|I|our team|everyone|the (?:company|office|project))(?:['’]s|['’]ve|['’]re| has| have| is| are)? (?:just |finally |recently |all |now )*(?:switched|moved|migrated|changed|gone over|switching|moving|migrating)(?: (?:everything|all|it all|over|the \\p{L}+|our \\p{L}+|my \\p{L}+))? to ${PRODUCT}( (?:since|in|last|this|for) [^,]{2,30})?`,
    "uses",
  ),
  product(
    `(?:the team|we|I|our team)(?:['’]s|['’]re|['’]m| is| are| am)? (?:now |all )?(?:on|using|use|uses|running|run) ${PRODUCT}(?: now| instead| these days| from now on)`,
    "uses",
  ),
  product(
    `(?:everything|it all|(?:the|our|my) [^,]{2,25})(?:['’]s| is| runs| lives)(?: all)?(?: now)? (?:on|in|at|with|hosted on) ${PRODUCT} now`,
    "uses",
  ),
  product(`(?:I|we)(?:['’]ve| have)? replaced [^,]{2,25} (?:with|by) ${PRODUCT}`, "uses"),
  product(`(?:I|we) (?:now )?use ${PRODUCT} instead(?: of [^,]{2,25})?`, "uses"),
  product(
    `(?:I|we)(?:['’]ve| have)? (?:dropped|ditched|left) [^,]{2,25} (?:for|in favou?r of) ${PRODUCT}`,
    "uses",
  ),
  fact(`${SELF}(?: just| now| finally| recently)* (?:moved|shifted|relocated)${TO_A_HOME}`, "moved $1 $2", {
    slot: "home",
    replaces: "home",
  }),
  {
    form: form(
      "(?:(?:I|we)(?:['’]ve| have)? (?:just |finally )?(?:finished|completed|done|made|finalised) )?(?:(?:the|our|my) )?(?:move|migration|switch|relocation|changeover)(?: from [^,]{2,25}?)? (?:over )?to (\\p{Lu}[\\p{L}\\d .+#-]{1,25}?)(?:(?: is|['’]s)(?: finally| now)? (?:done|complete|completed|finished|over|behind us|through))?",
    ),
    make: ([said = "", to = ""]) => {
      if (!/finish|complete|done|made|final|over|behind|through/.test(said)) return undefined;
      if (/migration|switch|changeover/.test(said) || productKind(to) !== undefined)
        return replacing(to, `uses ${to}`) ?? profile("en", `has switched to ${to}`);
      return { ...profile("en", `moved to ${to}`, "home"), replaces: "home" };
    },
  },
  // a move to come: the home is still the same
  fact(`${SELF}(?: just| now| finally| recently)* (?:moving|relocating)${TO_A_HOME}`, "is moving $1 $2", {
    slot: "move",
  }),
  {
    form: form(
      "(?:my|our|his|her|the) ([^,]{2,30}?) (?:moved|changed|is|has moved|has changed|was moved|got moved|is now|happens|runs)(?: to| on)?(?: now)? (" +
        ENGLISH_DAY +
        ")( from now on| now| instead)",
    ),
    make: ([, what = "", day = ""]) => ({
      ...profile("en", `is ${day}`, what.toLowerCase()),
      subject: `{Whose} ${what}`,
      replaces: "lesson",
    }),
  },
  {
    form: form(`((?:on )?${ENGLISH_DAY})(?: from now on| now| instead)+`),
    make: ([, day = ""]) => ({
      ...profile("en", `is ${day.replace(/^on /, "")}`, "new date"),
      subject: "The new time of {whose} lesson",
      replaces: "lesson",
    }),
  },
];

/** Products of the speaker that a message mentions in passing: "on my Pixel 8". */
export function englishOwned(sentence: string): Statement[] {
  return [
    ...sentence.matchAll(
      /\b(?:my|our) (?:old |new |work |trusty )?(\p{Lu}?\p{Lu}[\p{L}\d-]*(?: (?:\p{Lu}|\d)[\p{L}\d+]*){0,2}|i(?:Phone|Pad|Mac)(?: \d\d?)?)(?![\p{L}'’])/gu,
    ),
  ].flatMap(([, name = ""]) => {
    const kind = productKind(name);
    return kind === "phone" || kind === "car" || kind === "computer"
      ? [profile("en", `has ${article(name, "has")}${name}`, `has ${name.toLowerCase()}`)]
      : [];
  });
}

/** Tools in use, stated without a word such as "now". */
export const ENGLISH_TOOLS: readonly Reading[] = [
  {
    form: form(
      `(?:I|we)(?:['’]m|['’]re| am| are)? (?:mostly |mainly |all )?(?:on|using) ${PRODUCT}(?: at work| at home| here)?`,
    ),
    make: ([, name = ""]) => {
      const kind = productKind(name);
      if (kind === undefined) return undefined;
      return /phone|car|computer|operating system|provider|bank/.test(kind)
        ? profile(
            "en",
            `uses ${article(name, kind === "operating system" || kind === "provider" ? "uses" : "has")}${name}`,
            `${kind} ${name.toLowerCase()}`,
          )
        : attitude("en", `uses ${name}`, name, "yes");
    },
  },
  {
    form: form(
      `(?:I|we) (track|keep|write|store|manage|organi[sz]e|plan|host|run|deploy|log|draw|design|chat|read) ((?:everything|all (?:my|our|of) [^,]{2,25}|my [^,]{2,25}|our [^,]{2,25}|it all)) (in|on|with|at|to|through) ${PRODUCT}`,
    ),
    make: ([, verb = "", what = "", how = "", name = ""]) => {
      const kind = productKind(name);
      return kind === undefined || complementOf(what) === undefined
        ? undefined
        : profile(
            "en",
            `${verb.toLowerCase()}s ${what} ${how} ${name}`,
            `${verb.toLowerCase()} ${what.toLowerCase()} ${how}`,
          );
    },
  },
];
