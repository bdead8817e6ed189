import { append } from "../../base/append.ts";
import type { Conversation, Fact, KnownStatement } from "../facts/fact.ts";
import { kindOfFact } from "../facts/facts-of-kind.ts";
import { PRODUCT_KINDS } from "../facts/product-names.ts";
import type { Utterance } from "../utterance.ts";
import { CHANGE_RULES } from "./changes.ts";
import { CHINESE } from "./chinese.ts";
import { coordinated, isOfEnds, isPlain } from "./clauses.ts";
import { type Conditional, conditionIn, underCondition } from "./conditions.ts";
import { ENGLISH } from "./english.ts";
import { EVERYDAY_RULES } from "./english-everyday.ts";
import { CHINESE_EVERYDAY, FRENCH_EVERYDAY, GERMAN_EVERYDAY } from "./everyday.ts";
import { EVERYDAY_THINGS } from "./everyday-things.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { instructionIn } from "./instructions.ts";
import { withEndedFacts } from "./known/link-changes.ts";
import { withKnownNames, withKnownPerson } from "./known/people.ts";
import { addNew } from "./passing/coverage.ts";
import {
  contextOf,
  presupposedStatements,
  readByForms,
  readByGeneralForm,
  readCommaParts,
} from "./passing/read-message.ts";
import { languageOf, segmentsOf } from "./passing/segments.ts";
import { simplified } from "./passing/traditional.ts";
import { plainTextOf, withMarks } from "./plain-text.ts";
import { PLAN_RULES } from "./plans.ts";
import { frenchInThirdPerson, withNegation } from "./readers/french-objects.ts";
import { germanInThirdPerson } from "./readers/german-objects.ts";
import { parseClause } from "./readers/read-clause.ts";
import { writtenGerman } from "./readers/spoken-german.ts";
import { isQuoted, isShortTask, isTask } from "./readers/task.ts";
import type { Rule, RuleLanguage, Statement } from "./rule.ts";
import { typedSentences } from "./typed-sentences.ts";
import { wellFormed } from "./well-formed.ts";

/** Maximum length of a message in characters; longer ones are pasted documents rather than speech. */
const MAX_TEXT_LENGTH = 4000;
const MAX_SENTENCE_LENGTH = 300;
/** Number of rules tried in one step; their patterns are compiled on first use. */
const RULES_PER_STEP = 16;
const RULES: readonly Rule[] = [
  ...CHANGE_RULES,
  ...PLAN_RULES,
  ...EVERYDAY_THINGS,
  ...EVERYDAY_RULES,
  ...ENGLISH,
  ...CHINESE_EVERYDAY,
  ...CHINESE,
  ...GERMAN_EVERYDAY,
  ...GERMAN,
  ...FRENCH_EVERYDAY,
  ...FRENCH,
];

/**
 * Finds statements about the user, the speakers, and the people they name. Yields between steps of a few
 * milliseconds.
 */
export function* statedFactSteps(
  { utterances }: Conversation,
  known: KnownStatement[] = [],
): Generator<undefined, Fact[]> {
  const facts: Fact[] = [];
  for (const spoken of utterances) {
    // an unnamed agent that says "I" states nothing about a person
    const isPerson = spoken.role === "user" || spoken.isNamed;
    if (!isPerson || spoken.text.length > MAX_TEXT_LENGTH) continue;
    const { text: plain, restore } = simplified(spoken.text);
    const language = languageOf(plain);
    const named = spoken.isNamed ? plain : withKnownNames(plain, language, known);
    const text = spoken.isNamed ? plain : withKnownPerson(named, language, known);
    const utterance = text === spoken.text ? spoken : { ...spoken, text };
    if (utterance.text.length > MAX_TEXT_LENGTH) continue;
    // "Translate" in "Translate: …" was taken for a speaker's name, but begins a task
    const isMaterial = isTask(utterance.isNamed ? `${utterance.speaker}: ${utterance.text}` : utterance.text);
    if (isMaterial && !isShortTask(utterance.text)) continue;
    const said: Fact[] = [];
    if (!isMaterial)
      for (const clause of clausesOf(utterance.text)) append(said, yield* factsIn(clause, utterance));
    yield* addPassing(said, utterance);
    const { id, date } = utterance;
    const found = spoken.isNamed
      ? said
      : yield* withEndedFacts({ text: plain, language, id, date }, said, known);
    const restored = found.flatMap((fact) => {
      const text = wellFormed(fact.text, language);
      return text === undefined ? [] : [written({ ...fact, text }, restore)];
    });
    append(facts, restored);
    remember(known, restored);
    yield;
  }
  return facts;
}

/** Maximum number of known facts with which a message is compared; the latest are kept. */
const MAX_KNOWN = 200;

/** Adds the facts of a message to the known statements and removes those that it ended. */
function remember(known: KnownStatement[], found: readonly Fact[]): void {
  const over = new Set(found.flatMap(({ ends }) => ends ?? []));
  const left = known.filter(({ text }) => !over.has(text));
  append(
    left,
    found.map(({ category, topic, text, slot, sources }) => ({
      category,
      topic,
      text,
      ...(slot !== undefined && { slot }),
      message: sources[0] ?? "",
    })),
  );
  known.splice(0, known.length, ...left.slice(-MAX_KNOWN));
}

const written = (fact: Fact, restore: (text: string) => string): Fact => ({
  ...fact,
  text: restore(fact.text),
  topic: restore(fact.topic),
});

/** Adds what a message states in passing: beside a question, as a reason, or without a subject. */
function* addPassing(said: Fact[], utterance: Utterance): Generator<undefined, void> {
  const plain = plainTextOf(utterance.text);
  const context = contextOf(plain);
  const found: Fact[] = [];
  for (const segment of yield* segmentsOf(plain)) {
    let statements = yield* readByForms(segment, context);
    if (statements.length === 0) statements = yield* statementsIn(segment.text);
    // a relation alone says nothing about what its bearer does
    if (statements.every(isIntroduction)) statements = [...statements, ...readByGeneralForm(segment)];
    if (statements.length === 0 && segment.text.includes(","))
      statements = yield* readCommaParts(segment, context);
    append(
      found,
      distinct(statements).map((statement) => factOf(statement, utterance)),
    );
    yield;
  }
  if (!isQuoted(plain))
    append(
      found,
      presupposedStatements(plain, languageOf(plain)).map((statement) => factOf(statement, utterance)),
    );
  addNew(said, found);
  if (context.isReplacement)
    for (const [at, fact] of said.entries()) {
      const kind = fact.replaces ?? (isOfProductOfOther(fact) ? undefined : kindOfFact(fact));
      if (kind !== undefined) said[at] = { ...fact, replaces: kind };
    }
}

/**
 * Whether a fact is about a product of somebody else: "My neighbour sold his Golf" does not concern the
 * speaker's car.
 */
function isOfProductOfOther(fact: Fact): boolean {
  if (/^The user's [\p{L} -]+['’]s /u.test(fact.text)) return true;
  const kind = kindOfFact(fact);
  return fact.category === "entities" && PRODUCT_KINDS.some((product) => product === kind);
}

/** Introductory words without meaning. */
const OPENING =
  /^(?:actually|honestly|personally|also|well|so|and|but|lately|recently|currently|by the way|btw|oh|hi|hey|hello|yes|yeah|no|ok|okay|fyi|these days|nowadays|just so you know|übrigens|ja|nein|hallo|au fait|bonjour|salut|oui|non)[,!:]? (?=(?:I|we|my|our|ich|wir|mein\p{L}*|unser\p{L}*|je|nous|mon|ma|notre|please|call|always|never)\b|j['’])/iu;

/** Filler words, which are removed from sentences. */
const FILLER = / (?:übrigens|leider|d['’]ailleurs|malheureusement)(?=[ ,])/giu;
const BREAK = /(?:\s[-–—]+\s|[;…]|\.{3}|, (?:but|and|so) (?=(?:now )?(?:I\b|my\b|we\b|our\b|I')))/;
const NEXT_STATEMENT =
  /(?:\s[-–—]+\s|[;…]|\.{3}|, (?:(?:but|and|so) )?(?=(?:now )?(?:[Ii]\b|my\b|we\b|our\b)(?! (?:think|guess|believe|suppose|hope|swear|mean|know|bet)\b)))/;
/** Words that begin a clause on which the rest of the sentence, after the comma, depends. */
const SUBORDINATE =
  /\b(?:if|when|whenever|while|as|since|because|although|though|after|before|unless|once|until|suppose|imagine|assuming|would|could|than|whether|said|says)\b/i;

/** A clause and, if it holds only under a condition, its main clause and the condition. */
interface Clause {
  readonly text: string;
  readonly conditional: Conditional | undefined;
}

/** Splits a text into sentences, without code, quotes and picture captions. */
function clausesOf(text: string): Clause[] {
  // a repeated sentence says nothing new
  return [...new Set(typedSentences(plainTextOf(text)))]
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH && !isQuoted(sentence))
    .flatMap((sentence) =>
      /[?？]\s*["'”’)]*$/.test(sentence)
        ? []
        : sentence.split(SUBORDINATE.test(sentence) ? BREAK : NEXT_STATEMENT),
    )
    .map((clause) => writtenGerman(clause.trim().replace(OPENING, "").replace(FILLER, "")))
    .map((clause) => ({ text: clause, conditional: conditionIn(clause) }))
    .filter(({ text, conditional }) => text !== "" && isPlain(conditional?.main ?? text))
    .filter(({ text, conditional }) => conditional !== undefined || !EXCEPTION.test(text));
}

/** Exceptions that no rule parses: the statement without its exception would be too general. */
const EXCEPTION = /, (?:es sei denn|außer wenn|außer,|sofern|à moins que|sauf (?:si|quand))(?!\p{L})|除非/u;

/**
 * Whether a statement names a person's relation to the speaker; it does not depend on the clause's condition.
 */
const isIntroduction = ({ slot, subject, about }: Statement): boolean =>
  slot === "relation" || (subject?.startsWith("{Whose} ") === true && /^is \p{Lu}/u.test(about));

function* factsIn({ text, conditional }: Clause, utterance: Utterance): Generator<undefined, Fact[]> {
  // people in conversation give each other advice, not orders
  const isUser = utterance.role === "user" && !utterance.isNamed;
  const asked = isUser && isPlain(text) && !isOfEnds(text) ? instructionIn(text) : undefined;
  let statements: readonly Statement[] = [];
  // an instruction includes its conditions
  if (conditional && !asked)
    statements = underCondition(yield* statementsIn(conditional.main), conditional, isIntroduction);
  if (statements.length === 0 && isPlain(text)) statements = yield* statementsIn(text, asked);
  return distinct(statements).map((statement) => factOf(statement, utterance));
}

function* statementsIn(clause: string, asked?: Statement): Generator<undefined, Statement[]> {
  const isOver = isOfEnds(clause);
  const parts = coordinated(clause);
  const statements: Statement[] = [];
  const isRead = new Set<string>();
  const isSaid = new Set<string>();
  for (const [at, rule] of RULES.entries()) {
    for (const part of parts) {
      const match = isOver && rule.isOfEnds !== true ? null : rule.pattern.exec(part);
      const made = [(match && rule.make(match)) ?? []].flat();
      if (made.length > 0) isRead.add(part);
      if (made.some((one) => !isIntroduction(one))) isSaid.add(part);
      append(statements, made);
    }
    if (at % RULES_PER_STEP === 0) yield;
  }
  if (asked) statements.push(asked);
  for (const part of parts) {
    if (asked || isSaid.has(part)) continue;
    append(
      statements,
      parseClause(part).filter((one) => !isRead.has(part) || !isIntroduction(one)),
    );
    yield;
  }
  return statements;
}

/** Keeps the first statement of each slot, and each statement only once. */
function distinct(statements: readonly Statement[]): Statement[] {
  const keys = new Set<string>();
  return statements.filter(({ category, topic, slot, subject, about }) => {
    const key = `${category} ${topic.toLowerCase()} ${subject ?? ""} ${slot ?? about.toLowerCase()}`;
    const said = `${subject ?? ""} ${about}`;
    return !keys.has(key) && !keys.has(said) && keys.add(key).add(said);
  });
}

/** How statements refer to the speaker, in the nominative and the genitive. */
const TELLERS: Readonly<Record<RuleLanguage, { readonly user: string; readonly users: string }>> = {
  en: { user: "The user", users: "the user's" },
  zh: { user: "用户", users: "用户" },
  de: { user: "Der Nutzer", users: "des Nutzers" },
  fr: { user: "L'utilisateur", users: "de l'utilisateur" },
};
const GENITIVES: Readonly<Record<RuleLanguage, (name: string) => string>> = {
  en: (name) => `${name}'s`,
  zh: (name) => name,
  de: (name) => `von ${name}`,
  fr: (name) => `de ${name}`,
};

function factOf(statement: Statement, { id, speaker, role, isNamed, date }: Utterance): Fact {
  const { slot, answer, about, replaces } = statement;
  const language = statement.language ?? (/^\p{Script=Han}/u.test(about) ? "zh" : "en");
  const teller = isNamed ? speaker : TELLERS[language].user;
  const whose = isNamed ? GENITIVES[language](speaker) : TELLERS[language].users;
  const filled = (text: string): string =>
    withMarks(text)
      .replaceAll("{Teller}", teller)
      .replaceAll("{whose}", whose)
      .replaceAll("{Whose}", `${whose[0]?.toUpperCase()}${whose.slice(1)}`);
  const isOthers = role !== "user" && (statement.subject === undefined || statement.category === "profile");
  const gap = language === "zh" ? "" : " ";
  const text = filled(`${statement.subject ?? teller}${gap}${about}`);
  return {
    category: isOthers ? "entities" : statement.category,
    topic: isOthers ? speaker : filled(statement.topic),
    text: IN_THIRD_PERSON[language](text),
    ...(slot !== undefined && { slot }),
    ...(answer !== undefined && { answer }),
    ...(replaces !== undefined && { replaces }),
    sources: [id],
    date,
  };
}

const THIRD: Readonly<Record<string, string>> = {
  my: "their",
  our: "their",
  me: "them",
  us: "them",
  myself: "themself",
  mine: "theirs",
  ours: "theirs",
  "i'm": "they are",
  "we're": "they are",
  "i've": "they have",
  "we've": "they have",
  "i'll": "they will",
  "i am": "they are",
  i: "they",
  we: "they",
};

const inThirdPerson = (text: string): string =>
  text.replace(
    /(?<![\p{L}'’])(?:my|our|me|us|myself|mine|ours|i am|(?:i|we)['’](?:m|re|ve|ll)|i|we)(?![\p{L}'’])/giu,
    (word) => THIRD[word.toLowerCase().replace("’", "'")] ?? word,
  );

const IN_THIRD_PERSON: Readonly<Record<RuleLanguage, (text: string) => string>> = {
  en: inThirdPerson,
  // the text after the colon of a wish is kept verbatim
  de: (text) => (text.includes(":") ? text : germanInThirdPerson(text)),
  fr: (text) => (text.includes(":") ? text : withNegation(frenchInThirdPerson(text))),
  zh: (text) => text,
};
