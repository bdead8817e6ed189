import { append } from "../../base/append.ts";
import { sentencesOf } from "../../domain/text/sentences.ts";
import type { Conversation, Fact } from "../fact.ts";
import type { Utterance } from "../utterance.ts";
import { CHINESE } from "./chinese.ts";
import { coordinated, isOfEnds, isPlain } from "./clauses.ts";
import { ENGLISH } from "./english.ts";
import { EVERYDAY_RULES } from "./english-everyday.ts";
import { CHINESE_EVERYDAY, FRENCH_EVERYDAY, GERMAN_EVERYDAY } from "./everyday.ts";
import { EVERYDAY_THINGS } from "./everyday-things.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { instructionIn } from "./instructions.ts";
import type { Rule, RuleLanguage, Statement } from "./rule.ts";

/** Longer messages are pasted documents rather than speech. */
const MAX_TEXT_LENGTH = 4000;
const MAX_SENTENCE_LENGTH = 300;
/** Rules per step: their patterns are compiled on first use. */
const RULES_PER_STEP = 16;
const RULES: readonly Rule[] = [
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
 * Statements in a conversation about the user, about its speakers, and about those whom they name; in steps
 * of a few milliseconds.
 */
export function* statedFactSteps({ utterances }: Conversation): Generator<undefined, Fact[]> {
  const facts: Fact[] = [];
  for (const utterance of utterances) {
    // an agent without a name says "I" only to be polite
    const isPerson = utterance.role === "user" || utterance.isNamed;
    if (!isPerson || utterance.text.length > MAX_TEXT_LENGTH) continue;
    for (const clause of clausesOf(utterance.text)) append(facts, yield* factsIn(clause, utterance));
    yield;
  }
  return facts;
}

/** Introductory words without meaning. */
const OPENING =
  /^(?:actually|honestly|personally|also|well|so|and|but|lately|recently|currently|by the way|btw|oh|hi|hey|hello|yes|yeah|no|ok|okay|fyi|these days|nowadays|just so you know|übrigens|ja|nein|hallo|au fait|bonjour|salut|oui|non)[,!:]? (?=(?:I|we|my|our|ich|wir|mein\p{L}*|unser\p{L}*|je|nous|mon|ma|notre|please|call|always|never)\b|j['’])/iu;

/** Replaces the full stop of "St. Mary", which ends neither a sentence nor an object. */
const NO_STOP = "\u2024";

/** Splits a text into sentences, without code, quotes and picture captions. */
function clausesOf(text: string): string[] {
  const plain = text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[.,;:!?]/g, "·"))
    .replace(/^\s*>.*$/gm, " ")
    .replace(/\[[^\]\n]{0,300}\]/g, " ")
    .replace(/\b(St|Mt|Ft)\. (?=\p{Lu})/gu, `$1${NO_STOP} `);
  return sentencesOf(plain)
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
    .flatMap((sentence) =>
      /[?？]\s*["'”’)]*$/.test(sentence)
        ? []
        : sentence.split(
            /(?:\s[-–—]+\s|[;…]|\.{3}|, (?:but|and|so) (?=(?:now )?(?:I\b|my\b|we\b|our\b|I')))/,
          ),
    )
    .map((clause) => clause.trim().replace(OPENING, ""))
    .filter((clause) => clause !== "" && isPlain(clause));
}

function* factsIn(clause: string, utterance: Utterance): Generator<undefined, Fact[]> {
  const isOver = isOfEnds(clause);
  const parts = coordinated(clause);
  const statements: Statement[] = [];
  for (const [at, rule] of RULES.entries()) {
    for (const part of parts) {
      const match = isOver && rule.isOfEnds !== true ? null : rule.pattern.exec(part);
      append(statements, [(match && rule.make(match)) ?? []].flat());
    }
    if (at % RULES_PER_STEP === 0) yield;
  }
  // people in conversation give each other advice, not orders
  const asked =
    utterance.role === "user" && !utterance.isNamed && !isOver ? instructionIn(clause) : undefined;
  if (asked) statements.push(asked);
  return distinct(statements).map((statement) => factOf(statement, utterance));
}

/** The first statement per question, without those that another one contains. */
function distinct(statements: readonly Statement[]): Statement[] {
  const keys = new Set<string>();
  return statements.filter(({ category, topic, slot, subject, about }) => {
    const key = `${category} ${topic.toLowerCase()} ${subject ?? ""} ${slot ?? about.toLowerCase()}`;
    return !keys.has(key) && keys.add(key);
  });
}

/** The speaker, as subject and as genitive. */
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
  const { slot, answer, about } = statement;
  const language = statement.language ?? (/^\p{Script=Han}/u.test(about) ? "zh" : "en");
  const teller = isNamed ? speaker : TELLERS[language].user;
  const whose = isNamed ? GENITIVES[language](speaker) : TELLERS[language].users;
  const filled = (text: string): string =>
    text
      .replaceAll(NO_STOP, ".")
      .replaceAll("{Teller}", teller)
      .replaceAll("{whose}", whose)
      .replaceAll("{Whose}", `${whose[0]?.toUpperCase()}${whose.slice(1)}`);
  const isOthers = role !== "user" && (statement.subject === undefined || statement.category === "profile");
  const gap = language === "zh" ? "" : " ";
  const text = filled(`${statement.subject ?? teller}${gap}${about}`);
  return {
    category: isOthers ? "entities" : statement.category,
    topic: isOthers ? speaker : filled(statement.topic),
    text: language === "en" ? inThirdPerson(text) : text,
    ...(slot !== undefined && { slot }),
    ...(answer !== undefined && { answer }),
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
  i: "they",
  we: "they",
};

const inThirdPerson = (text: string): string =>
  text.replace(
    /(?<![\p{L}'’])(?:my|our|me|us|myself|mine|ours|i['’]m|i|we)(?![\p{L}'’])/giu,
    (word) => THIRD[word.toLowerCase().replace("’", "'")] ?? word,
  );
