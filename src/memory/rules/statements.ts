import { sentencesOf } from "../../domain/text/sentences.ts";
import type { Conversation, Fact } from "../fact.ts";
import type { Utterance } from "../utterance.ts";
import { CHINESE } from "./chinese.ts";
import { isPlain } from "./clauses.ts";
import { ENGLISH } from "./english.ts";
import { instructionIn } from "./instructions.ts";
import type { Rule, Statement } from "./rule.ts";

/** A longer message is a document that was pasted rather than something said. */
const MAX_TEXT_LENGTH = 4000;
const MAX_SENTENCE_LENGTH = 300;
const RULES: readonly Rule[] = [...ENGLISH, ...CHINESE];

/**
 * What is said in a conversation about the user, about people who speak in it, and about those whom they
 * name.
 */
export function statedFacts({ utterances }: Conversation): Fact[] {
  return utterances.flatMap((utterance) => {
    // an agent without a name of its own speaks of itself to be polite
    const isPerson = utterance.role === "user" || utterance.isNamed;
    if (!isPerson || utterance.text.length > MAX_TEXT_LENGTH) return [];
    return clausesOf(utterance.text).flatMap((clause) => factsIn(clause, utterance));
  });
}

/** Sentences, divided where a new one could begin; code, quotes and picture captions are nobody's words. */
function clausesOf(text: string): string[] {
  const plain = text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[.,;:!?]/g, "·"))
    .replace(/^\s*>.*$/gm, " ")
    .replace(/\[[^\]\n]{0,300}\]/g, " ");
  return sentencesOf(plain)
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
    .flatMap((sentence) =>
      /[?？]\s*["'”’)]*$/.test(sentence)
        ? []
        : sentence.split(/(?:\s[-–—]+\s|[;…]|\.{3}|, (?:but|and|so) (?=I\b|my\b|I'))/),
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "" && isPlain(clause));
}

function factsIn(clause: string, utterance: Utterance): Fact[] {
  const statements = RULES.flatMap((rule) => {
    const match = rule.pattern.exec(clause);
    return (match && rule.make(match)) ?? [];
  });
  // people who talk to each other give each other advice, not orders
  const asked = utterance.role === "user" && !utterance.isNamed ? instructionIn(clause) : undefined;
  if (asked) statements.push(asked);
  return statements.map((statement) => factOf(statement, utterance));
}

function factOf(statement: Statement, { id, speaker, role, isNamed, date }: Utterance): Fact {
  const { slot, answer, about } = statement;
  const isChinese = /^\p{Script=Han}/u.test(about);
  const teller = isNamed ? speaker : isChinese ? "用户" : "The user";
  const isOthers = role !== "user" && statement.subject === undefined;
  const said = about.replace("{whose}", isChinese ? teller : `${isNamed ? speaker : "the user"}'s`);
  const text = `${statement.subject ?? teller}${isChinese ? "" : " "}${said}`;
  return {
    category: isOthers ? "entities" : statement.category,
    topic: isOthers ? speaker : statement.topic,
    text: inThirdPerson(text),
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
