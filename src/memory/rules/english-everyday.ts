import { objectOf } from "./clauses.ts";
import { PERSON, UNIQUE_ROLE } from "./english-things.ts";
import { attitude, entity, profile } from "./predicates.ts";
import type { Rule, Statement } from "./rule.ts";

const START = String.raw`(?:^|[,:] |\b(?:and|but|so|now|because|since),? )`;
const PLACE = String.raw`(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})`;
const TOOL = String.raw`([\p{L}\p{N}](?:[\p{L}\p{N}.+#/-]*[\p{L}\p{N}+#])?(?: \p{Lu}(?:[\p{L}\p{N}.+#/-]*[\p{L}\p{N}+#])?){0,2})`;
const MORE = String.raw`([^,;:!?()\n—…]{2,80})`;
const RELATIVE =
  "(?:brother|sister|mother|father|son|daughter)-in-law|mom|mum|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|niece|nephew";
const PET = "dog|cat|puppy|kitten|rabbit|hamster|horse|parrot|turtle|guinea pig";
const WHEN =
  /^(?:(?:about|over|almost|nearly|more than|around)? ?(?:an?|\d+|\w+) (?:years?|months?|weeks?|days?) ago|(?:last|this) \w+|in \d{4}|for good)$/i;

const on = (pattern: string, make: Rule["make"], isOfEnds = false): Rule => ({
  pattern: new RegExp(pattern, "u"),
  make,
  ...(isOfEnds && { isOfEnds }),
});

/** Predicates of lasting roles and occupations, in contrast to moods ("is jealous"). */
const LASTING =
  /^(?:is (?:an? \p{L}|\d+|allergic to|vegan|vegetarian|pregnant|retired|due in|from \p{Lu})|(?:has|lives|works|plays|runs|teaches|studies|speaks|likes|loves|hates|turned|just turned) )/u;

/** Splits a predicate into independent statements, each with its own slot. */
function factsOf(topic: string, subject: string, predicate: string): readonly Statement[] {
  return predicate
    .replace(/\.$/, "")
    .split(/,? and (?=(?:is|are|due|has|lives?|works?|plays?|runs?|teaches|studies|speaks?|likes?|loves?) )/)
    .flatMap((part) => {
      const about = objectOf(part.replace(/ there$/, "").replace(/^due /, "is due "));
      return about === undefined || !LASTING.test(about)
        ? []
        : [entity("en", topic, subject, about, about.split(" ").slice(0, 2).join(" "))];
    });
}

/** Words that show that "moved" concerns a home: editors and tools are "moved" too. */
const OF_A_HOME =
  /\b(?:because of|for (?:work|my|love|a (?:new )?job|family|university|school)|with (?:my|the (?:kids|family))|last (?:spring|summer|autumn|fall|winter|year)|years? ago|apartment|flat|house|town|city)\b/i;

function movedHome({ input, 1: from = "", 2: to = "" }: RegExpExecArray): Statement | undefined {
  // names like "VS Code" are not places
  if (/\p{Lu}{2}|\d/u.test(`${from} ${to}`)) return undefined;
  return profile("en", `moved from ${from} to ${to}`, OF_A_HOME.test(input) ? "home" : undefined);
}

/** A statement about the habit that ended, with its time if known. */
function quit(verb: string, rest: string): Statement | undefined {
  const plain = rest.trim().replace(/[.!]+$/, "");
  if (plain !== "" && !WHEN.test(plain)) return undefined;
  return attitude("en", `quit ${verb}${plain === "" ? "" : ` ${plain}`}`, verb, "no");
}

/** Everyday patterns beside the other rules: homes, things, relatives by name, choices. */
export const EVERYDAY_RULES: readonly Rule[] = [
  on(
    `${START}I(?:['’]ve| have)?(?: just| recently)? moved (?:back )?from ${PLACE} to ${PLACE}(?! \\p{Lu})`,
    movedHome,
  ),
  on(
    `${START}I(?:['’]ve| have)? (?:quit|stopped|given up|gave up) (smoking|drinking|vaping|gambling)\\b([^,;!?\\n]{0,40})`,
    ([, verb = "", rest = ""]) => quit(verb, rest),
    true,
  ),
  on(`^[Ii]nstead of ${TOOL},? (?:I|[Ww]e)(?: now)? use ${TOOL}`, ([, from = "", to = ""]) =>
    attitude("en", `uses ${to} instead of ${from}`, to, "yes"),
  ),
  on(
    `${START}(?:I|[Ww]e)(?:['’]ve| have)? (?:decided (?:to go with|on|to use)|chose|chosen|went with|picked|settled on) ${TOOL} (?:over|rather than|instead of|and not) ${TOOL}( for [^,;!?.\\n]{3,50})?`,
    ([, to = "", from = "", why = ""]) => attitude("en", `chose ${to} over ${from}${why}`, to, "yes"),
  ),
  on(
    `${START}I(?:['’]ve| have) been (?:an? )?(vegetarian|vegan|pescatarian|sober|married|divorced|retired)( (?:since|for) [^,;!?.\\n]{2,30})?`,
    ([, what = "", since = ""]) =>
      profile("en", `has been ${what}${since}`, what === "married" ? "marriage" : `is ${what}`),
  ),
  on(
    `${START}I have (type [12] diabetes|celiac disease|coeliac disease|hay fever|high blood pressure)\\b`,
    ([, what = ""]) => profile("en", `has ${what}`),
  ),
  on(`${START}(?:everyone|everybody|people|my friends|friends) calls? me ${PLACE}`, ([, name = ""]) =>
    profile("en", `goes by ${name}`, "called"),
  ),
  on(
    `${START}I (really )?(hate|love|like|dislike) it when ([^,;!?.\\n]{6,60})`,
    ([, , verb = "", what = ""]) => {
      if (/\b(?:you|he|she|it|they|this|that)\b/.test(what)) return undefined;
      const isYes = /^l/.test(verb);
      return attitude("en", `${verb}s it when ${what}`, what, isYes ? "yes" : "no");
    },
  ),
  on(
    `${START}I(?:['’]d| would) rather have ((?:short|long|brief|detailed|concise)[^,;!?.\\n]{4,60})`,
    ([, what = ""]) => {
      const object = objectOf(what);
      return object === undefined ? undefined : attitude("en", `would rather have ${object}`, object, "yes");
    },
  ),
  on(
    `^[Ww]e(?:['’]re| are) expecting (a baby|twins|(?:our|a) (?:first|second|third) (?:child|baby))( in \\p{Lu}\\p{L}+)?`,
    ([, what = "", when = ""]) => profile("en", `is expecting ${what}${when}`),
  ),
  on(
    `${START}(?:I|[Ww]e) (?:have|own) (an? (?:cabin|cottage|garden|allotment|boat|holiday home|summer house|farm)(?: (?:near|in|at|on|by) ${PLACE})?)`,
    ([, what = ""]) => profile("en", `has ${what}`),
  ),
  on(
    `(?:^|[,:] |\\band )(?:[Mm]y|[Oo]ur) (${PET}) is (?:called|named) (\\p{Lu}\\p{L}+)`,
    ([, kind = "", name = ""]) => entity("en", name, name, `is {whose} ${kind}`, "relation"),
  ),
  on(
    `(?:^|[,:] |\\band )(?:[Mm]y|[Oo]ur) (?:older |younger |little |big )?(${RELATIVE}) (\\p{Lu}\\p{L}+) ((?:is|has|lives|works|plays|runs|teaches|studies|speaks|likes|loves|hates|just turned|turned) ${MORE})`,
    ([, relative = "", name = "", predicate = ""]) => {
      const told = factsOf(name, name, predicate);
      const isRole = new RegExp(`^(?:${UNIQUE_ROLE})$`, "i").test(relative);
      return isRole
        ? [{ ...profile("en", `is ${name}`, relative), subject: `{Whose} ${relative}` }, ...told]
        : [entity("en", name, name, `is {whose} ${relative}`, "relation"), ...told];
    },
  ),
  on(
    `(?:^|[,:] |\\band )(?:[Mm]y|[Oo]ur) (?:older |younger )?(${RELATIVE}) (passed away|died)\\b([^,;!?\\n]{0,30})`,
    ([, relative = "", verb = "", when = ""]) =>
      entity(
        "en",
        `{whose} ${relative}`,
        `{Whose} ${relative}`,
        `${verb}${/\b(?:I|we|when|while|after|before|because)\b/.test(when) ? "" : when.replace(/[.\s]+$/, "")}`,
        "life",
      ),
  ),
  on(
    `(?:^|[,:] |\\band )(?:[Mm]y|[Oo]ur) (${RELATIVE}|kids|children) (can(?:['’]t|not) (?:eat|drink|stand)|(?:is|are) allergic to) ${MORE}`,
    ([, relative = "", verb = "", what = ""]) => {
      const object = objectOf(what);
      return object === undefined
        ? undefined
        : entity(
            "en",
            `{whose} ${relative}`,
            `{Whose} ${relative}`,
            `${verb} ${object}`,
            `${verb} ${object}`,
          );
    },
  ),
  on(
    `^[Tt]he ((?:staging|production|test|build|deploy|api|API|dev) (?:server|database|cluster|environment|system)) (?:now |currently )?(runs on [^,;!?\\n]{2,60})`,
    ([, name = "", about = ""]) => {
      const object = objectOf(about.replace(/ instead of .*$/, ""));
      return object === undefined ? undefined : entity("en", name, `The ${name}`, object, "runs on");
    },
  ),
  on(
    `^${PERSON} (?:is|was) (?:now )?(?:my|our) (?:new )?(vet|neighbou?r|piano teacher|teacher|coach|physiotherapist|hairdresser|tax advisor|babysitter)\\b`,
    ([, name = "", of = ""]) =>
      /^(?:He|She|It|This|That|The|My|Our)\b/.test(name)
        ? undefined
        : entity("en", name, name, `is {whose} ${of}`, "relation"),
  ),
];
