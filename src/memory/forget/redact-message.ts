import type { Message, MessagePart, ToolPart } from "../../domain/message.ts";
import { wordSteps } from "./key-words.ts";
import { digestOf, FORGOTTEN, type Sentence, sentenceSteps, withoutSentences } from "./redact-text.ts";
import type { ReadText, Targets } from "./targets.ts";

/** Maximum depth in a tool's input; deeper values are removed as a whole. */
const MAX_DEPTH = 32;

/** Selects sentences in the texts of a message. */
export type Select = (texts: readonly ReadText[]) => Generator<undefined, ReadonlySet<Sentence>>;

export interface Redacted {
  /** The same object if nothing was selected. */
  readonly message: Message;
  /** Digests of the removed sentences. */
  readonly gone: ReadonlySet<string>;
}

/**
 * A message without the selected content; keeps id, speaker, time and all other sentences. Runs in steps of a
 * few milliseconds, because a message may have 8 MiB.
 */
export function* redactSteps(
  message: Message,
  targets: Targets,
  select: Select,
): Generator<undefined, Redacted> {
  const said: string[] = [];
  const collect = (text: string) => {
    said.push(text);
    return text;
  };
  for (const part of message.parts) yield* mapPart(part, collect, targets);
  const texts: ReadText[] = [];
  for (const text of said) texts.push({ text, sentences: yield* sentenceSteps(text) });
  const selected = yield* select(texts);
  const goneDigests = new Set<string>();
  for (const { text, sentences } of texts)
    for (const sentence of sentences) {
      yield;
      if (selected.has(sentence)) goneDigests.add(digestOf(text, sentence));
    }
  let at = 0;
  const redact = (text: string) => {
    const gone = (texts[at++]?.sentences ?? []).filter((sentence) => selected.has(sentence));
    return gone.length === 0 ? text : withoutSentences(text, gone);
  };
  const parts: MessagePart[] = [];
  for (const part of message.parts) parts.push(yield* mapPart(part, redact, targets));
  const isSame = parts.every((part, i) => part === message.parts[i]);
  return { message: isSame ? message : { ...message, parts }, gone: goneDigests };
}

/**
 * Replaces the texts of a part; returns the same object if none changes. Visits the texts in a fixed order.
 */
function* mapPart(
  part: MessagePart,
  change: (text: string) => string,
  targets: Targets,
): Generator<undefined, MessagePart> {
  if (part.type === "text") {
    const text = change(part.text);
    return text === part.text ? part : { ...part, text };
  }
  if (part.type === "tool") return yield* mapTool(part, change, targets);
  const abstract = part.abstract === undefined ? undefined : change(part.abstract);
  if (targets.uris.has(part.uri) || (yield* isSelected(decoded(part.uri), targets)))
    return { type: "text", text: FORGOTTEN };
  return abstract === part.abstract ? part : { ...part, ...(abstract !== undefined && { abstract }) };
}

/** Whether to redact the whole text. */
function* isSelected(text: string, targets: Targets): Generator<undefined, boolean> {
  return yield* targets.isSelectedSteps(yield* wordSteps(text));
}

function* mapTool(
  part: ToolPart,
  change: (text: string) => string,
  targets: Targets,
): Generator<undefined, ToolPart> {
  const output = part.tool_output === undefined ? undefined : change(part.tool_output);
  const mapped = part.tool_input === undefined ? undefined : mapValue(part.tool_input, change, 0);
  const input = typeof mapped === "object" && mapped !== null ? mapped : undefined;
  const isNamed = part.tool_name !== undefined && (yield* isSelected(part.tool_name, targets));
  const isLeft = input !== undefined && (yield* isSelected(JSON.stringify(input), targets));
  if (output === part.tool_output && input === part.tool_input && !isNamed && !isLeft) return part;
  return {
    ...part,
    ...(isNamed && { tool_name: FORGOTTEN }),
    ...(input !== undefined && { tool_input: isLeft ? { forgotten: true } : input }),
    ...(output !== undefined && { tool_output: output }),
  };
}

/** Replaces the strings in a JSON value; returns the same object if none changes. */
function mapValue(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return change(JSON.stringify(value)) === JSON.stringify(value) ? value : FORGOTTEN;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapValue(item, change, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([name, inner]) => [name, mapValue(inner, change, depth + 1)] as const);
  return mapped.every(([, inner], i) => inner === entries[i]?.[1]) ? value : Object.fromEntries(mapped);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
