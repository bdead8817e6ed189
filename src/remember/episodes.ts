import { sentenceEnd } from "../domain/sentences.ts";
import { isCjk } from "../domain/tokens.ts";
import { hasContent } from "./content-words.ts";
import type { ToolCall, Utterance } from "./utterance.ts";

/** Of content; a CJK character counts two. */
const EPISODE_LENGTH = 700;
const MAX_EPISODE_LENGTH = 1050;
/** Of a tool's input and output, how much an episode holds: the rest is in the archive and in the record of the call. */
const MAX_TOOL_INPUT = 200;
const MAX_TOOL_OUTPUT = 500;

/** A message or a piece of a long one. */
export interface Said {
  /** Of the message. */
  readonly id: string;
  readonly speaker: string;
  readonly when: string;
  readonly date: string;
  /** Verbatim. */
  readonly text: string;
}

/** A stretch of a conversation, kept as it was said. */
export interface Episode {
  readonly said: readonly Said[];
  /** What was said directly before and after it in the session. */
  readonly border: readonly Said[];
}

/** How long a text counts for the cut. */
export function contentLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) if (isCjk(text.charCodeAt(i))) length++;
  return length;
}

/**
 * Cuts a conversation into episodes (docs/memory.md): whole exchanges are pooled up to 700 characters, long exchanges are cut between messages, long messages at
 * paragraphs. Nothing is left out but episodes without a word that says something.
 */
export function cutEpisodes(utterances: readonly Utterance[]): Episode[] {
  const pooled: Said[][] = [];
  for (const exchange of exchangesOf(utterances)) {
    const parts = lengthOf(exchange) > MAX_EPISODE_LENGTH ? pool(exchange.map((said) => [said])) : [exchange];
    for (const part of parts) {
      const last = pooled.at(-1);
      if (last && parts.length === 1 && lengthOf(last) + lengthOf(part) <= EPISODE_LENGTH) last.push(...part);
      else pooled.push([...part]);
    }
  }
  joinLast(pooled);
  const order = pooled.flat();
  let at = 0;
  return pooled.flatMap((said) => {
    const border = [order[at - 1], order[at + said.length]].filter((one) => one !== undefined);
    at += said.length;
    return said.some(({ text }) => hasContent(text)) ? [{ said, border }] : [];
  });
}

/** A user's message and everything up to the next one; messages above the limit are in pieces. */
function exchangesOf(utterances: readonly Utterance[]): Said[][] {
  const exchanges: Said[][] = [];
  for (const utterance of utterances) {
    const pieces = piecesOf(utterance);
    const open = exchanges.at(-1);
    if (open && utterance.role !== "user") open.push(...pieces);
    else exchanges.push(pieces);
  }
  return exchanges.filter((exchange) => exchange.length > 0);
}

function piecesOf({ id, speaker, when, date, text, tools }: Utterance): Said[] {
  const whole = [text, ...tools.map(toolLine)].filter((part) => part.trim() !== "").join("\n");
  return cutLong(whole).map((piece) => ({ id, speaker, when, date, text: piece }));
}

function toolLine({ name, input, output, status }: ToolCall): string {
  const call = `[${name || "tool"}${status === "completed" ? "" : ` ${status}`}] ${headAndTail(input, MAX_TOOL_INPUT)}`.trim();
  return output.trim() === "" ? call : `${call}\n${headAndTail(output.trim(), MAX_TOOL_OUTPUT)}`;
}

/** Errors stand at the end of an output more often than at its beginning. */
function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`.toWellFormed();
}

const lengthOf = (said: readonly Said[]): number => said.reduce((sum, { text }) => sum + contentLength(text), 0);

/** Neighbours together while they stay within the length of an episode. */
function pool(groups: readonly (readonly Said[])[]): Said[][] {
  const pooled: Said[][] = [];
  for (const group of groups) {
    const last = pooled.at(-1);
    if (last && lengthOf(last) + lengthOf(group) <= EPISODE_LENGTH) last.push(...group);
    else pooled.push([...group]);
  }
  return pooled;
}

/** A session does not end in an episode of one message where that fits to the one before. */
function joinLast(pooled: Said[][]): void {
  const last = pooled.at(-1);
  const before = pooled.at(-2);
  if (!last || !before || last.length !== 1 || lengthOf(before) + lengthOf(last) > MAX_EPISODE_LENGTH) return;
  before.push(...last);
  pooled.pop();
}

/** A text above the limit in pieces of an episode's length: at blank lines, then lines, then sentences, then anywhere. */
function cutLong(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (contentLength(trimmed) <= MAX_EPISODE_LENGTH) return [trimmed];
  const pieces: string[] = [];
  let open = "";
  for (const part of smallParts(trimmed)) {
    if (open !== "" && contentLength(open) + contentLength(part) > EPISODE_LENGTH) {
      pieces.push(open);
      open = "";
    }
    open += part;
  }
  return [...pieces, open].map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** Parts that fit into an episode; joined they are the text. */
function* smallParts(text: string): Generator<string> {
  for (const paragraph of text.split(/(?<=\n\s*\n)/)) {
    if (contentLength(paragraph) <= EPISODE_LENGTH) yield paragraph;
    else for (const line of paragraph.split(/(?<=\n)/)) yield* sentenceParts(line);
  }
}

function* sentenceParts(line: string): Generator<string> {
  if (contentLength(line) <= EPISODE_LENGTH) {
    yield line;
    return;
  }
  for (let from = 0; from < line.length; ) {
    let end = sentenceEnd(line, from, line.length);
    // half as many, so that they fit whatever script they are in
    if (contentLength(line.slice(from, end)) > EPISODE_LENGTH) end = Math.min(end, from + EPISODE_LENGTH / 2);
    const unit = line.charCodeAt(end - 1);
    if (end < line.length && unit >= 0xd800 && unit <= 0xdbff) end--;
    yield line.slice(from, end);
    from = end;
  }
}
