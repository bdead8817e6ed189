import { chineseSegments } from "./readers/chinese.ts";

/** Words that end an object because another clause begins. */
const OBJECT_END =
  /\s+(?:and (?:I|I['’]\w+|we|we['’]\w+|it|it['’]s|he|she|they|my|that|this|then|now|also|so|just|am|are|is|was|got|had|have|made|felt|found|want|decided|saw|try|did|hope|practi[cs]e|walk|go|started|see|help|work|play|run|use|learn|meet|make|love|enjoy|can|will|took|take|bring|feel)|but|because|cause|['’]cause|since|so|when|whenever|while|if|though|although|even|as (?:I|it|well|we|they|a way|much|soon|part)|until|till|after (?:I|we|that|this|it)|before (?:I|we|that|this|it|\w+ing)|whether|too|also|anyway|lately|recently|these days|right now|now|already|again|at the moment|for now|instead|actually|honestly|lol|tbh|itself|to be honest|then|yesterday|today|tonight)\b.*$/i;
const EDGE = /^[\s"'“”‘’*_~`]+|[\s"'“”‘’*_~`.,;:!?-]+$/gu;
/** Words with which an object must not begin: they refer to another sentence or are fillers. */
const POINTING =
  /^(?:its?|it['’]s|that|that['’]s|this|these|those|them|theirs?|they|him|his|her|hers|he|she|you|your|yours|us|there|here|how|what|when|where|why|which|who|ones?|something|anything|everything|nothing|someone|everyone|anyone|some|any|all|both|each|more|most|less|so|such|to|doing|being in|having|seeing|hearing|knowing|getting (?:to|a)|going (?:there|back)|and|or|other|same|another|even|both|every|also|not|no|a (?:lot|bit|few|good one|similar|different|big part|part of)|talking (?:to|with) you|chatting|sharing (?:it|this|that)|making (?:it|this|that|a (?:positive )?(?:difference|impact)))\b/i;
/** Things that the definite article is enough to identify. */
const KNOWN_BY_ARTICLE =
  /^the (?:bus|train|tram|metro|subway|tube|ferry|ocean|sea|beach|outdoors|mountains?|sun|rain|snow|water|woods|forest|country(?:side)?|city|summer|winter|spring|autumn|fall|holidays|piano|guitar|violin|drums|gym|news|dark|cold|heat|command line|terminal|dark mode)\b/i;
const NAMED = /^[Tt]he \p{Lu}/u;
const REFERENCE =
  /\b(?:you|your|yours|it|its|them|this|that|these|those|him|his|her|he|she|they|their|theirs|there|here|which|who|whom|what|where|how|I|I['’]\w+|we|one)\b/i;
const UNFINISHED =
  /\b(?:the|an?|my|our|of|to|with|for|in|on|at|by|from|and|or|not|very|really|is|are|was|be|been|just|own|more|about|than|like|into)$/i;
const MAX_WORDS = 12;

/**
 * The object of a statement, limited to one thought; undefined if it is incomplete, too long, or refers to
 * another sentence.
 */
export function objectOf(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const object = raw.replace(OBJECT_END, "").replace(EDGE, "").replace(/\s+/g, " ");
  if (object.length < 2 || POINTING.test(object) || REFERENCE.test(object) || UNFINISHED.test(object))
    return undefined;
  if (/^the /i.test(object) && !KNOWN_BY_ARTICLE.test(object) && !NAMED.test(object)) return undefined;
  return object.split(" ").length > MAX_WORDS ? undefined : object;
}

/** Statements that are not asserted: conditions, wishes, questions, others' opinions. */
const UNREAL =
  /\b(?:if|unless|wish|would|could|might|may|should|maybe|perhaps|probably|imagine|suppose|supposed|pretend|thought (?:I|we)|used to|almost|nearly|not sure|unsure|wonder(?:ing)?|kidding|joking|(?:don['’]t|not|never) forget|forget (?:it|that|about)|as if|like I|hear you|same here)\b|除非|\?\s*["'”’)]*$/i;

/** Whether a clause is a plain assertion. */
export const isPlain = (clause: string): boolean => !UNREAL.test(clause.replace(MONTH, "$1"));

/** Matches the month "May" to tell it apart from the verb "may". */
const MONTH = /(\p{L}|\d|,) May\b/gu;

const OVER =
  /\b(?:no longer|any ?more|any longer|(?:stopped|quit|gave up) \w+ing|not (?:an? )?\w+ any ?more)\b/i;

/** Whether a clause says that something has ended. */
export const isOfEnds = (clause: string): boolean => OVER.test(clause);

const SHARED_VERB =
  "live|work|study|teach|play|drive|own|use|speak|drink|eat|love|like|hate|prefer|run|have|am|are";
/** "I live in Rome and work for Fiat", "I'm vegan and allergic to nuts": the second half as a statement. */
const SECOND_VERB = new RegExp(
  `^(.*?\\b(I|[Ww]e)(?:['’]m| am|['’]re| are)? .*?),? and (?:(${SHARED_VERB}) )(.+)$`,
);
const SECOND_STATE =
  /^(.*?\b(I['’]m|I am) .*?),? and ((?:severely |also )?(?:allergic|vegetarian|vegan|married|single|engaged|divorced|lactose intolerant|diabetic|an? |from \p{Lu}|based in|afraid of|scared of|left-handed|\d+ years).*)$/u;

/** In German and French, a new subject begins a new clause. */
const NEW_SUBJECT =
  /(?:,| und|, aber| et(?: moi,?)?|, mais) (?=(?:ich|wir|mein|meine|unser|unsere|je|nous|mon|ma|notre) |j['’])/;
/** Do for German and French what SECOND_VERB and SECOND_STATE do for English. */
const SECOND_GERMAN =
  /^(.*?(?<!\p{L})(ich|wir) .*?) und ((?:wohne|lebe|arbeite|studiere|spiele|trinke|esse|mag|liebe|benutze|nutze|spreche|lerne|leite|vertrage|unterrichte|bin|habe?)n? .+)$/iu;
const SECOND_FRENCH =
  /^(.*?(?<!\p{L})(je |j['’]|nous ).*?) et ((?:habite|travaille|étudie|joue|bois|mange|aime|utilise|parle|suis|ai) .+)$/iu;

/** Where another subject with its verb begins: "Ada teaches physics and our son Theo is six". */
const SECOND_SUBJECT =
  /,? and (?=(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){1,3}(?:is|are|has|just|lives?|works?|plays?|likes?|loves?|hates?|teaches|studies|runs?|turned|can['’]t|cannot|prefers?)\b)/;

/** "ich arbeite nicht mehr bei Siemens, sondern bei Bosch": the job after "sondern" is the current one. */
const INSTEAD = /^(ich|wir) (\p{L}+) (?:nicht|kein)[^,]*, sondern (?:jetzt |nun )?([^,]+)$/iu;

/** Where a second statement of the speaker begins: "I'm an electrician and I've got my own van". */
const SECOND_STATEMENT =
  /(?<=^(?:I|[Ww]e)(?:['’]m| am|['’]re|['’]ve) [^,]{3,80}) and (?=(?:I|we)['’](?:m|ve|re) )/;
const DEPENDENT = /\b(?:because|since|when|if|while|that|so|after|before|as)\b/i;

/** Beginnings of conditional sentences, whose main clauses are not asserted. */
const CONDITION = /^(?:si|s['’]ils?|quand|wenn|falls|sobald|ob) /i;

/** Splits a clause into coordinated statements; the second one gets the subject of the first. */
export function coordinated(clause: string): string[] {
  if (CONDITION.test(clause)) return [clause];
  if (/^\p{Script=Han}/u.test(clause)) {
    const segments = chineseSegments(clause);
    return segments.length < 2 && !/[，,]/.test(clause) ? [segments[0] ?? clause] : [clause, ...segments];
  }
  const instead = INSTEAD.exec(clause);
  if (instead) {
    const now = `${instead[1]} ${instead[2]} ${instead[3]}`;
    // for a home or a job, the new answer already supersedes the earlier one
    return /^(?:wohn|leb|arbeit|heiß|bin|sind)/i.test(instead[2] ?? "")
      ? [now]
      : [clause.replace(/, sondern .*$/, ""), now];
  }
  const [first = clause, ...others] = clause.split(NEW_SUBJECT);
  if (others.length > 0) return [first, ...others].flatMap(coordinated);
  const foreign = SECOND_GERMAN.exec(clause) ?? SECOND_FRENCH.exec(clause);
  if (foreign)
    return [
      foreign[1] ?? "",
      ...coordinated(`${(foreign[2] ?? "").replace(/^j['’]$/i, "je").trim()} ${foreign[3]}`),
    ];
  const [mine = clause, ...more] = clause.split(SECOND_STATEMENT);
  if (more.length > 0 && !DEPENDENT.test(mine)) return [mine, ...more].flatMap(coordinated);
  const [own = clause, ...theirs] = clause.split(SECOND_SUBJECT);
  if (theirs.length > 0) return [own, ...theirs].flatMap(coordinated);
  const state = SECOND_STATE.exec(clause);
  if (state) return [state[1] ?? "", ...coordinated(`${state[2]} ${state[3]}`)];
  const verb = SECOND_VERB.exec(clause);
  if (verb && !/\b(?:that|which|who|because|to) /.test(verb[1] ?? ""))
    return [verb[1] ?? "", ...coordinated(`${verb[2]} ${verb[3]} ${verb[4]}`)];
  return [clause];
}
