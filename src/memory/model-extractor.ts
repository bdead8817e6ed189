import { z } from "zod";
import { append } from "../base/append.ts";
import type { Clock } from "../base/clock.ts";
import type { Adviser } from "../providers/language.ts";
import type { Conversation, ExtractionContext, Extractor, Fact, KnownStatement } from "./facts/fact.ts";
import { MEMORIES } from "./prompts.ts";
import { isSupported } from "./supported.ts";
import type { Utterance } from "./utterance.ts";

/** Maximum characters of a conversation per question, and of a message. */
const WINDOW_LENGTH = 12_000;
const MESSAGE_LENGTH = 2000;
const TOOL_INPUT_LENGTH = 200;
const TOOL_OUTPUT_LENGTH = 500;
/** Maximum number of questions per conversation; the built-in extractor reads the rest. */
const MAX_WINDOWS = 12;
/** Time in ms after which no more questions are asked, because the job must end within its lease. */
const ASK_MS = 8 * 60_000;
const MAX_KNOWN_LENGTH = 6000;

/** Maximum number of facts per answer. */
const MAX_FACTS = 40;
const MAX_SOURCES = 8;
const MAX_TOPIC_LENGTH = 80;
const MAX_SLOT_LENGTH = 40;
const MAX_TEXT_LENGTH = 400;
const MAX_CASE_LENGTH = 2000;

const ANSWER = z.object({
  memories: z.array(
    z.object({
      category: z.enum(["profile", "preferences", "entities", "cases", "patterns"]),
      topic: z.string(),
      text: z.string(),
      question: z.string(),
      sources: z.array(z.string()),
    }),
  ),
});
type Told = z.infer<typeof ANSWER>["memories"][number];

/** A message with the marker by which the model refers to it. */
interface Marked {
  readonly mark: string;
  readonly utterance: Utterance;
}

interface Deps {
  readonly adviser: Adviser;
  readonly clock: Clock;
  /** Extractor for parts without a usable answer from the model. */
  readonly fallback: Extractor;
}

/**
 * Extracts facts with a language model, window by window; keeps only facts that are supported by the messages
 * the model cites. Failed windows go to the fallback.
 */
export function modelExtractor({ adviser, clock, fallback }: Deps): Extractor {
  return {
    isRepeatable: false,
    async extract(
      conversation: Conversation,
      signal: AbortSignal,
      context: ExtractionContext,
    ): Promise<Fact[]> {
      const windows = windowsOf(conversation.utterances);
      const facts: Fact[] = [];
      const left: Utterance[] = [];
      const known = knownText(windows.length > 0 ? await context.known() : []);
      const until = clock() + ASK_MS;
      for (const [at, window] of windows.entries()) {
        const isAsked = at < MAX_WINDOWS && clock() < until;
        const material = [{ label: "conversation", text: window.map(lineOf).join("\n\n") }, ...known];
        const told = isAsked
          ? await adviser.ask(
              { ...MEMORIES, material, answer: ANSWER },
              { workspace: context.workspace, signal },
            )
          : undefined;
        if (told) append(facts, factsIn(told.memories, window));
        else
          append(
            left,
            window.map(({ utterance }) => utterance),
          );
      }
      return left.length === 0
        ? facts
        : [...facts, ...(await fallback.extract({ utterances: left }, signal, context))];
    },
  };
}

/** Groups whole messages into windows, as many as fit. */
function windowsOf(utterances: readonly Utterance[]): Marked[][] {
  const windows: Marked[][] = [];
  let room = 0;
  for (const [at, utterance] of utterances.entries()) {
    const marked = { mark: `m${at + 1}`, utterance };
    const { length } = lineOf(marked);
    const last = windows.at(-1);
    if (last && length <= room) last.push(marked);
    else {
      windows.push([marked]);
      room = WINDOW_LENGTH;
    }
    room -= length;
  }
  return windows;
}

function lineOf({ mark, utterance: { speaker, when, text, tools } }: Marked): string {
  const calls = tools.map(
    ({ name, input, output, status }) =>
      `(called ${name || "a tool"}, ${status}: ${input.slice(0, TOOL_INPUT_LENGTH)} → ${output.slice(-TOOL_OUTPUT_LENGTH)})`,
  );
  return `[${mark}] ${when} ${speaker}: ${[text.slice(0, MESSAGE_LENGTH), ...calls].join("\n")}`;
}

function knownText(known: readonly KnownStatement[]): { label: string; text: string }[] {
  const lines = known.map(
    ({ category, topic, text, slot }) =>
      `- ${category} | topic: ${topic} | question: ${slot ?? ""} | ${text}`,
  );
  return lines.length === 0 ? [] : [{ label: "known", text: lines.join("\n").slice(0, MAX_KNOWN_LENGTH) }];
}

function factsIn(memories: readonly Told[], window: readonly Marked[]): Fact[] {
  const marked = new Map(window.map(({ mark, utterance }) => [mark, utterance]));
  return memories.slice(0, MAX_FACTS).flatMap((memory) => factOf(memory, marked) ?? []);
}

/** Undefined if the fact is empty, too long or unsupported. */
function factOf(
  { category, topic, text, question, sources }: Told,
  marked: ReadonlyMap<string, Utterance>,
): Fact | undefined {
  const named = [...new Set(sources)]
    .flatMap((mark) => marked.get(mark.replace(/[[\]\s]/g, "")) ?? [])
    .slice(0, MAX_SOURCES);
  const isCase = category === "cases";
  const said = isCase ? text.trim() : oneLine(text);
  const about = category === "profile" ? "profile" : oneLine(topic).slice(0, MAX_TOPIC_LENGTH).toWellFormed();
  if (said === "" || about === "" || said.length > (isCase ? MAX_CASE_LENGTH : MAX_TEXT_LENGTH))
    return undefined;
  const last = named.at(-1);
  if (!last || !isSupported(said, named)) return undefined;
  const slot = oneLine(question).toLowerCase();
  return {
    category,
    topic: about,
    text: said,
    ...(slot !== "" && slot.length <= MAX_SLOT_LENGTH && !isCase && { slot }),
    sources: named.map(({ id }) => id),
    date: last.date,
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
