import { profile } from "../../predicates.ts";
import { complementOf } from "../../readers/english-objects.ts";
import { type Reading, readingsOf } from "../table.ts";
import { ENGLISH_DAY } from "./changes.ts";

const { fact, form } = readingsOf("en", complementOf);

/** What people build or run, and speak of as theirs. */
const PROJECT =
  "(?:app|application|site|website|project|product|service|library|package|plugin|extension|game|api|API|bot|tool|platform|store|shop|company|startup|start-up|team|codebase|repo|repository|backend|frontend|database|server|cluster|pipeline|framework|theme|newsletter|podcast|channel|blog|band|choir|club|school|charity|agency|studio|firm|business|caf[eé]|restaurant|bakery|farm|clinic|practice|lab|department|office)";
/** Verbs of what a project is like, in contrast to what just happened to it. */
const LASTING =
  "(?:supports?|runs? on|uses?|targets?|requires?|depends? on|relies on|rely on|stores?|talks? to|connects? to|consists? of|serves?|sells?|makes?|offers?|belongs? to|follows?|accepts?|exports?|employs?|speaks?|meets?|trains?|rehearses?|opens?|closes?|has|have|is (?:written|built|hosted|based|called|named|made|licensed|funded|run)|are (?:written|built|hosted|based|called|named|made|licensed|funded|run))";
const PLACE =
  "(?:[\\p{Ll}-]+ ){0,2}(?:shop|office|company|team|school|clinic|lab|firm|place|work|restaurant|caf[eé]|studio|practice|department|store|agency|club|house|home|codebase|repo|project|app|school)";
const CLOCK = "(?:\\d{1,2}(?::\\d\\d)? ?(?:am|pm)?|noon|midnight|half past \\p{Ll}+)";

export const ENGLISH_PROJECTS: readonly Reading[] = [
  // "our app Tidemark only supports iOS 17 and up"
  {
    form: form(
      `(?:my|our) ((?:[\\p{L}-]+ ){0,2}${PROJECT})(?:,? (\\p{Lu}[\\p{L}\\d.-]+),?)? ((?:(?:only|also|always|mainly|mostly|officially|still) )?${LASTING}) ([^,]{2,60})`,
    ),
    make: ([, noun = "", name, verb = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined ||
        /^(?:a|an|some|the) (?:bug|problem|issue|error|question|meeting|crash)\b/.test(raw)
        ? undefined
        : {
            ...profile("en", `${verb} ${about}`, `${noun.toLowerCase()} ${verb}`),
            subject: `{Whose} ${noun}${name === undefined ? "" : ` ${name}`}`,
          };
    },
  },
  // "at our shop invoices go out on the 25th": what holds at a place of the speaker
  {
    form: form(
      `(at|in) (?:my|our) (${PLACE}),? ((?:(?:the|all|every) )?[\\p{Ll} -]{3,30}? (?:goes?|is|are|must|has to|have to|starts?|ends?|needs? to|gets?|takes?|comes?|lasts?|closes?|opens?) [^,]{3,60})`,
    ),
    make: ([, where = "", place = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined || /^(?:i|we|it|he|she|they|there|this|that|what|who|which)\b/i.test(raw)
        ? undefined
        : { ...profile("en", about), subject: `${where === "at" ? "At" : "In"} {whose} ${place},` };
    },
  },
  // "our team's standup moved to 9:45", "my shift was changed to Fridays"
  {
    form: form(
      `(?:my|our) ([\\p{L}'’ -]{3,40}?) (?:has |is |was |got |have |are |were )?(?:been )?(?:moved|pushed|changed|rescheduled|postponed|brought forward|bumped|shifted|switched)(?: back| forward| up)? to (?:the )?(${CLOCK}|${ENGLISH_DAY}(?: (?:at|in) [^,]{2,20})?)`,
    ),
    make: ([, noun = "", when = ""]) => ({
      ...profile(
        "en",
        `is ${/^(?:\d{1,2}(?::\d\d)? ?(?:am|pm)?$|noon|midnight|half)/.test(when) ? "at" : "on"} ${when}`,
        noun.toLowerCase(),
      ),
      subject: `{Whose} ${noun}`,
    }),
  },
  // "we're dropping Redux for Zustand", "I'm moving from Mint to Fedora": a change that has been decided
  fact(
    "(?:I|we)(?:['’]m|['’]re| am| are) (?:now )?(?:dropping|ditching|replacing|swapping(?: out)?|abandoning|(?:moving|migrating|switching|changing)(?: away| over)? from) ((?:the |our |my )?\\p{Lu}[^,]{1,30}?) (?:for|with|to|in favou?r of) ((?:the |an? )?\\p{Lu}[^,]{1,30})",
    "is replacing $1 with $2",
    { slot: "$2" },
  ),
  // "I got my pilot's licence yesterday"
  fact(
    "(?:I|we)(?:['’]ve| have)? (?:finally |just |recently )*(?:got|passed|earned|received|obtained) my ((?:[\\p{Ll}'’-]+ ){0,2}(?:licen[cs]e|degree|diploma|certificate|citizenship|black belt|PhD|green card|driving test|pilot['’]s licen[cs]e|qualification))(?: (?:yesterday|today|last|this|in) ?[^,]{0,20})?",
    "has got their $1",
    { slot: "has $1" },
  ),
  // "I get chemo on Mondays": treatment that goes on
  fact(
    "(?:I|we)(?:['’]m| am)? (?:get|getting|have|having|receive|receiving|undergo|undergoing) ((?:chemo|chemotherapy|dialysis|physio|physiotherapy|radiotherapy|infusions|allergy shots|hormone therapy|speech therapy|immunotherapy)\\b)(?: then)?( [^,]{2,60})?",
    "gets $1$2",
    { slot: "treatment $1" },
  ),
  // "it's Dana from the allotment committee"
  fact(
    "(?:it['’]s|this is|I['’]m) (\\p{Lu}\\p{Ll}{2,}(?: \\p{Lu}\\p{Ll}+)?) from (the [\\p{L} -]{3,40}|our [\\p{L} -]{3,40})",
    "is called $1 and is from $2",
    { slot: "name" },
  ),
];
