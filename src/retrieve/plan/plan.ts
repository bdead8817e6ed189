import { itemAt, valueFor } from "../../base/expect.ts";
import type { ContextType } from "../../domain/scope.ts";
import { analyseQuery } from "../../domain/text/analyse.ts";
import { datesIn } from "../../domain/text/dates.ts";
import { refersBack, subjectsOf, type Turn } from "./subjects.ts";

/** Maximum number of questions into which a query is split. */
const MAX_QUESTIONS = 3;
/**
 * Maximum UTF-16 units of a query that are read for the plan; longer queries are documents rather than
 * questions.
 */
const MAX_READ_LENGTH = 4000;
/** Minimum number of terms of a question. */
const MIN_QUESTION_TERMS = 2;
/** Maximum number of conversation subjects added to a question. */
const MAX_SUBJECTS = 3;
/** Number of turns in `sessionContext`, and maximum characters of each. */
const SHOWN_TURNS = 3;
const SHOWN_CHARACTERS = 160;
/** Maximum characters at the beginning of a turn that are searched for subjects. */
const READ_CHARACTERS = 2000;

export interface SessionHistory {
  /** Summary of the session's archives; "" if there are none. */
  readonly summary: string;
  /** The latest messages, oldest first. */
  readonly turns: readonly Turn[];
}

export interface PlannedQuery {
  readonly query: string;
  readonly contextType: ContextType;
  readonly intent: string;
  /** 1 is the most important. */
  readonly priority: number;
}

/** Plan for a question: at least one query, most important first. */
export interface QueryPlan {
  readonly queries: readonly PlannedQuery[];
  /** Human-readable reason for these queries. */
  readonly reasoning: string;
  readonly sessionContext: string;
}

export interface PlanQuestion {
  readonly query: string;
  /** Context types in scope, at least one. */
  readonly types: readonly ContextType[];
  readonly conversation?: SessionHistory | undefined;
  /** Unix time in ms. */
  readonly now: number;
}

interface Kind {
  readonly type: ContextType;
  readonly intent: string;
  readonly cues: RegExp;
}

/** Default order if a question names no kind. */
const KINDS: readonly Kind[] = [
  {
    type: "resource",
    intent: "look it up in documents",
    cues: /\b(?:documents?|docs|documentation|files?|guides?|manual|readme|source|definition|defined|explains?|what (?:is|are))\b|文档|文件|资料|手册|什么是/giu,
  },
  {
    type: "memory",
    intent: "recall what was said or is known of somebody",
    cues: /\b(?:i|me|my|mine|we|our|us|remember|recall|said|told|mention(?:ed)?|prefers?|favou?rite|last time|yesterday|earlier|previously|decided|agreed|discussed|talked|who)\b|我们?|上次|之前|记得|喜欢|说过|昨天|谁/giu,
  },
  {
    type: "skill",
    intent: "find a skill that does it",
    cues: /\b(?:skills?|tools?|how (?:do|can|to)|commands?|automate|convert|generate|deploy|execute|run)\b|怎么|如何|工具|技能/giu,
  },
];

/**
 * Plans a search without a language model: a question that depends on the conversation gets its subjects,
 * several questions become separate queries, relative dates become absolute, and each context type in scope
 * is searched, starting with the one that the words name. Deterministic.
 */
export function planQuery({ query, types, conversation, now }: PlanQuestion): QueryPlan {
  const read = query.slice(0, MAX_READ_LENGTH);
  const subjects = conversation && refersBack(read) ? subjectsOf(conversation.turns, MAX_SUBJECTS) : [];
  const whole = [query.trim(), ...subjects].join(" ");
  const dates = datesIn(read, now);
  const parts = questionsIn(read).map((part) => [part, ...subjects].join(" "));
  const kinds = ordered(read).filter(({ type }) => types.includes(type));
  const queries = kinds.flatMap((kind, at) => {
    const asked = at === 0 ? [whole, ...parts] : [whole];
    return asked.map((text) => ({
      query: kind.type === "memory" ? [text, ...dates.map(({ date }) => date)].join(" ") : text,
      contextType: kind.type,
      intent: kind.intent,
    }));
  });
  return {
    queries: queries.map((planned, at) => ({ ...planned, priority: at + 1 })),
    reasoning: reasoningOf({ subjects, dates, parts, kinds }),
    sessionContext: conversation ? contextOf(conversation) : "",
  };
}

/** The kinds, ordered by the number of words that name them. */
function ordered(query: string): Kind[] {
  const counts = new Map(KINDS.map((kind) => [kind, query.match(kind.cues)?.length ?? 0]));
  return [...KINDS].sort((a, b) => valueFor(counts, b) - valueFor(counts, a));
}

/**
 * The separate questions in a text; those that refer back get the first one's subjects. Empty if there is
 * only one.
 */
function questionsIn(query: string): string[] {
  const parts = query
    .split(/(?<=[?？])\s*/u)
    .map((part) => part.trim())
    .filter((part) => analyseQuery(part).length >= MIN_QUESTION_TERMS);
  if (parts.length < 2) return [];
  const opening = [{ role: "user", text: itemAt(parts, 0) }];
  return parts
    .slice(0, MAX_QUESTIONS)
    .map((part, at) =>
      at > 0 && refersBack(part) ? [part, ...subjectsOf(opening, MAX_SUBJECTS)].join(" ") : part,
    );
}

function reasoningOf(found: {
  subjects: readonly string[];
  dates: readonly { words: string; date: string }[];
  parts: readonly string[];
  kinds: readonly Kind[];
}): string {
  const [first, ...others] = found.kinds.map(({ type }) => type);
  const said = [`Asked of ${first} first${others.length > 0 ? `, then of ${others.join(" and ")}` : ""}.`];
  if (found.subjects.length > 0)
    said.push(`The question leans on the conversation, which is about ${found.subjects.join(", ")}.`);
  if (found.parts.length > 0) said.push(`${found.parts.length} questions are asked one by one, too.`);
  for (const { words, date } of found.dates) said.push(`"${words}" is ${date}.`);
  return said.join(" ");
}

function contextOf({ summary, turns }: SessionHistory): string {
  const latest = turns.slice(-SHOWN_TURNS).map(({ role, text }) => `${role}: ${clipped(text)}`);
  return [summary, ...latest].filter((part) => part !== "").join("\n");
}

function clipped(text: string): string {
  const line = text.slice(0, READ_CHARACTERS).replace(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : line;
}
