import { append } from "../../../base/append.ts";
import { attitude, entity, profile } from "../predicates.ts";
import type { Statement } from "../rule.ts";
import { baseOf, complementOf } from "./english-objects.ts";
import { ADVERB, KEPT, type Person, predicateOf, type VerbPhrase } from "./english-predicates.ts";
import { ALSO_NOUN, LASTING_VERBS, PASSING_SUBJECT, PLURAL, RELATION, ROLE } from "./english-words.ts";

/** Words of single days and hearsay, and quotation marks. */
const REFUSED =
  /["“”«»]|\b(?:today|tonight|tomorrow|yesterday|right now|just now|at the moment|this (?:morning|afternoon|evening|week|weekend|time)|last (?:night|week|weekend)|said|says|told|thinks?|guess|hope|believe|heard|apparently|supposedly|story|character|hero|almost|nearly)\b/i;
/** Small talk that may precede a statement. */
const LEADING =
  /^(?:(?:hey|hi|hello|haha|yes|yeah|no|ok|okay|oh|well|so|and|but|also|right|sure|thanks|thank you|sorry|great|cool|btw|by the way|fyi|just so you know|for context|for the record|quick background|background|about me|a bit about me|actually|honestly|personally|basically|currently|now|nowadays|these days|at home|unfortunately|sadly|luckily|since you ask|in case it helps|just)[,!.:]* )+(?=(?:i|we|my|our|the)\b)/i;
/** "On weekends I …": the time is moved behind the verb. */
const FRONTED =
  /^((?:on|in|at|every|during|after|before|as|for|most|once|twice) (?:[\w']+ ){0,4}?[\w']+),? (?=(?:I|we)(?:'\w+)? )/i;
/** Positions in a sentence where another statement begins. */
const NEXT_CLAUSE =
  /(?:,? (?:and|but|so|while|whereas),? |, |: )(?=(?:(?:i|we|my|our|he|she|they)(?:'\w+)? |(?:the|our) (?:kids|dog|cat|boys|girls|twins)\b))/i;
const SHARED_SUBJECT = /,? and (?:also )?(?=(?:\w+) )/gi;

interface Subject {
  readonly kind: Person;
  readonly topic: string;
  /** The subject, with placeholders for the speaker; undefined: the speaker. */
  readonly text?: string;
  readonly isOurs: boolean;
}
const SELF: Subject = { kind: "self", topic: "profile", isOurs: false };

/** The statements in an English clause about the speaker, or about somebody or something the speaker has. */
export function readEnglish(clause: string): readonly Statement[] {
  const plain = clause.replaceAll("’", "'").replace(LEADING, "");
  if (REFUSED.test(plain)) return [];
  const statements: Statement[] = [];
  let known: Subject | undefined;
  for (const part of plain.split(NEXT_CLAUSE)) {
    const read = readPart(part.replace(LEADING, "").trim(), known);
    if (read === undefined) continue;
    known = read.subject;
    append(statements, read.statements);
  }
  return statements;
}

interface Read {
  readonly subject: Subject | undefined;
  readonly statements: readonly Statement[];
}

function readPart(part: string, known: Subject | undefined): Read | undefined {
  const employer = /^[Ii](?:'m| am) (?:now )?(?:at|with) (\p{Lu}[\w&. -]*?)(?: now)?$/u.exec(part)?.[1];
  if (employer !== undefined && / now\b/.test(part))
    return { subject: undefined, statements: [profile("en", `is at ${employer} now`, "employer")] };
  const fronted = FRONTED.exec(part);
  const behind = fronted?.[1];
  const main = fronted ? part.slice(fronted[0].length) : part;
  const self = /^(?:i|we)(?:'(m|re|ve|ll|d))? (.+)$/i.exec(main);
  if (self) {
    // "can" in a proposal does not express an ability
    if (/^we can\b/i.test(main)) return undefined;
    const vp = `${AUXILIARY.get(self[1]?.toLowerCase() ?? "") ?? ""}${self[2]}`;
    return { subject: undefined, statements: said(SELF, vp, behind) };
  }
  const other = /^(he|she|they)(?:'(s|re|ve))? (.+)$/i.exec(main);
  if (other) {
    if (known?.kind !== "person") return undefined;
    const vp = `${other[2] ? "is " : ""}${other[3]}`;
    return { subject: known, statements: said(known, vp, behind) };
  }
  return readMoved(main) ?? readPossessed(main);
}

const AUXILIARY: ReadonlyMap<string, string> = new Map([
  ["m", "am "],
  ["re", "are "],
  ["ve", "have "],
  ["ll", "will "],
  ["d", "would "],
]);

const FAMILY = /^the (?=(?:kids|children|dogs?|cats?|boys|girls|twins) )/i;
const FINITE =
  /^(?:is|are|was|were|has|have|had|can|can't|cannot|doesn't|does|don't|do|won't|isn't|aren't|used|always|never|usually|often|mostly|only|still|also|just|really|no|hardly|rarely|got|came|grew|served|fought|studied|worked)$/i;

const MOVED =
  /^(?:my|our|the) ([\w '-]{3,40}?) (?:got |was |were |has |have |has been |have been |had to be |is being |is now |are now )?(?:moved|rescheduled|rebooked|changed|postponed|shifted|pushed(?: back)?|brought forward|relocated) to (.+)$/i;

/** Reads appointments that were moved: "the stand-up got moved to 10". */
function readMoved(part: string): Read | undefined {
  const [, thing = "", to = ""] = MOVED.exec(part) ?? [];
  const complement = complementOf(to.replace(/ (?:last|this) \w+$/i, ""));
  if (complement === undefined || PASSING_SUBJECT.test(thing)) return undefined;
  const about = `${/(?:office|company|team|shop|business|school)$/.test(thing) ? "has" : "was"} moved to ${complement}`;
  const isOurs = !/^my /i.test(part);
  const topic = thing.toLowerCase();
  const subject: Subject = { kind: "thing", topic, text: `{Whose} ${thing}`, isOurs };
  return { subject, statements: [statementOf(subject, { about, slot: "is" }, undefined)] };
}

/** Reads statements that begin with "my X …"; the subject extends to the first finite verb. */
function readPossessed(text: string): Read | undefined {
  const start = /^(my|our) /i.exec(text.replace(FAMILY, "our "));
  if (!start) return undefined;
  const isOurs = start[1]?.toLowerCase() === "our";
  const words = text
    .replace(FAMILY, "our ")
    .slice(start[0].length)
    .replace(/^([\w -]{2,30}), (\p{Lu}[\p{L}-]+),? /u, "$1 $2 ")
    .replace(
      /^([\w -]{2,40}?(?: \p{Lu}\p{L}+)?)'s (?=(?:called|named|an?|in|from|at|\d|allergic|vegan|vegetarian|scared|afraid|pregnant|retired|deaf|blind|diabetic|dyslexic|autistic|married|divorced|left-handed)\b)/u,
      "$1 is ",
    )
    .split(" ");
  const at = words.findIndex(
    (word, i) => i > 0 && i < 6 && (FINITE.test(word) || isVerbOf(word, words.slice(0, i).join(" "))),
  );
  if (at < 1) return undefined;
  const nouns = words.slice(0, at);
  const named = nouns.findIndex((word, i) => i > 0 && /^\p{Lu}\p{Ll}/u.test(word));
  const kind = nouns.slice(0, named < 0 ? at : named).join(" ");
  const name = named < 0 ? undefined : nouns.slice(named).join(" ");
  // in "my roommate Dante's studying", the "'s" is a verb, not a genitive
  if (/'s$/.test(name ?? "")) return undefined;
  const vp = words.slice(at).join(" ");
  if (!RELATION.test(kind)) {
    if (name !== undefined || PASSING_SUBJECT.test(kind) || !/^[\w '-]{2,40}$/.test(kind)) return undefined;
    const thing: Subject = { kind: "thing", topic: kind.toLowerCase(), text: `{Whose} ${kind}`, isOurs };
    return { subject: thing, statements: said(thing, vp, undefined) };
  }
  const called = /^(?:is |are )(?:called|named) (\p{Lu}[\p{L}'-]+)/u.exec(vp)?.[1];
  const person =
    /^is (?:now )?((?:(?:Dr|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?: now)?$/u.exec(vp)?.[1];
  if (person !== undefined && ROLE.test(kind)) {
    const role = kind.toLowerCase().replace(/^new /, "");
    const statement = { ...profile("en", `is ${person}`, role), subject: `{Whose} ${role}` };
    return { subject: undefined, statements: [statement] };
  }
  const who = name ?? called;
  const subject: Subject = {
    kind: "person",
    topic: who ?? `{whose} ${kind}`,
    text: who ?? `{Whose} ${kind}`,
    isOurs,
  };
  const introduced =
    who === undefined ? [] : [entity("en", who, who, `is {whose} ${kind.toLowerCase()}`, "relation")];
  return { subject, statements: called ? introduced : [...introduced, ...said(subject, vp, undefined)] };
}

function isVerbOf(word: string, nouns: string): boolean {
  if (word !== word.toLowerCase()) return false;
  if (PLURAL.test(nouns)) return LASTING_VERBS.has(word);
  return word.endsWith("s") && LASTING_VERBS.has(baseOf(word));
}

function said(subject: Subject, vp: string, behind: string | undefined): Statement[] {
  return predicatesOf(vp).flatMap((part) => {
    const predicate = predicateOf(part, subject.kind);
    return predicate === undefined ? [] : [statementOf(subject, predicate, behind)];
  });
}

/** Splits verb phrases with a common subject: "teaches physics and plays chess". */
function predicatesOf(vp: string): string[] {
  const [first = ""] = vp.replace(ADVERB, "").replace(KEPT, "").split(" ");
  if (!LASTING_VERBS.has(baseOf(first.toLowerCase())) && !/^(?:am|is|are|live|has|have)$/i.test(first))
    return [vp];
  const parts: string[] = [];
  let from = 0;
  for (const match of vp.matchAll(SHARED_SUBJECT)) {
    const before = vp.slice(from, match.index);
    const next = vp.slice(match.index + match[0].length);
    const verb = (/^(?:(?:usually|always|mostly|never|often) )?(\w+) /i.exec(next)?.[1] ?? "").toLowerCase();
    // the verb may belong to a preceding infinitive, participle or relative clause
    if (/ (?:to|can|will|gonna|could|should|let|who|which|that|how|I|we) |\w+ing /.test(`${before} `)) break;
    const isBeing = /^(?:am|is|are)$/i.test(first);
    if (
      isBeing
        ? !/^(?:has|have|lives|works|is|are|am|plays|goes|studies|teaches)$/.test(verb)
        : !isSecondVerb(verb, next)
    )
      continue;
    parts.push(before);
    from = match.index + match[0].length;
  }
  parts.push(vp.slice(from));
  return parts;
}

/** Whether a word after "and" continues with the same subject instead of the object. */
function isSecondVerb(verb: string, next: string): boolean {
  if (/^(?:am|are|is|have|has)$/.test(verb)) return true;
  const base = baseOf(verb);
  if (!LASTING_VERBS.has(base)) return false;
  // "and play in a band" continues with a verb, "and play time" with a noun
  return !ALSO_NOUN.test(verb) || /^(?:\w+ )?\w+ (?:in|at|as|for|on|my|our|the|a|with|to) /i.test(`${next} `);
}

function statementOf(
  subject: Subject,
  { about, slot, thing }: VerbPhrase,
  behind: string | undefined,
): Statement {
  const text = behind === undefined ? about : `${about} ${behind[0]?.toLowerCase()}${behind.slice(1)}`;
  if (thing) return attitude("en", text, thing.name, thing.answer);
  if (subject.kind === "self") return profile("en", text, slot);
  const of = subject.text ?? "{Whose}";
  if (subject.kind === "person") return entity("en", subject.topic, of, text, slot);
  const thingSlot = slot === "is" ? subject.topic : `${subject.topic} ${slot ?? text.split(" ")[0]}`;
  return subject.isOurs
    ? entity("en", subject.topic, of, text, thingSlot)
    : { ...profile("en", text, thingSlot), subject: of };
}
