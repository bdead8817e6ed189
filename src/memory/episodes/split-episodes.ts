import { atOnce } from "../../base/event-loop.ts";
import { sentenceEnd } from "../../domain/text/sentences.ts";
import { isCjk, isSpace } from "../../domain/text/tokens.ts";
import { hasContent } from "../content-words.ts";
import type { ToolCall, Utterance } from "../utterance.ts";

/** Target and maximum length in characters; a CJK character counts as two. */
const EPISODE_LENGTH = 700;
const MAX_EPISODE_LENGTH = 1050;
/**
 * Maximum characters of a tool's input and output in an episode; the rest remains in the archive and the tool
 * record.
 */
const MAX_TOOL_INPUT = 200;
const MAX_TOOL_OUTPUT = 500;

/** A message, or a part of a long one. */
export interface Said {
  /** Id of the message. */
  readonly id: string;
  readonly speaker: string;
  readonly when: string;
  readonly date: string;
  /** Verbatim text. */
  readonly text: string;
}

/** A verbatim part of a conversation. */
export interface Episode {
  readonly said: readonly Said[];
  /** The messages directly before and after it in the session. */
  readonly border: readonly Said[];
}

/** Length of a text for splitting into episodes. */
export function contentLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) if (isCjk(text.charCodeAt(i))) length++;
  return length;
}

/** Messages with their total length, cached because neighbours are compared often. */
interface Group {
  readonly said: Said[];
  length: number;
}

/**
 * Splits a conversation into episodes (docs/memory.md): exchanges are combined up to EPISODE_LENGTH; long
 * exchanges are split between messages, long messages at paragraphs. Only episodes without content words are
 * dropped. Linear in the text.
 */
export const cutEpisodes = (utterances: readonly Utterance[]): Episode[] =>
  atOnce(splitIntoEpisodeSteps(utterances));

/** Like `cutEpisodes`, in steps of at most a millisecond; returns the episodes. */
export function* splitIntoEpisodeSteps(utterances: readonly Utterance[]): Generator<undefined, Episode[]> {
  const pooled: Group[] = [];
  for (const exchange of yield* exchangesOf(utterances)) {
    const parts = sum(exchange) > MAX_EPISODE_LENGTH ? pool(exchange) : [joined(exchange)];
    for (const part of parts) {
      const last = pooled.at(-1);
      if (last && parts.length === 1 && last.length + part.length <= EPISODE_LENGTH) append(last, part);
      else pooled.push(part);
    }
    yield;
  }
  joinLast(pooled);
  const order = pooled.flatMap(({ said }) => said);
  const episodes: Episode[] = [];
  let at = 0;
  for (const { said } of pooled) {
    const border = [order[at - 1], order[at + said.length]].filter((one) => one !== undefined);
    at += said.length;
    if (said.some(({ text }) => hasContent(text))) episodes.push({ said, border });
    yield;
  }
  return episodes;
}

/**
 * Exchanges: a user's message and everything up to the next one. A message above the limit is split, and each
 * part is a group.
 */
function* exchangesOf(utterances: readonly Utterance[]): Generator<undefined, Group[][]> {
  const exchanges: Group[][] = [];
  for (const utterance of utterances) {
    const last = exchanges.at(-1);
    const open = last && utterance.role !== "user" ? last : [];
    if (open !== last) exchanges.push(open);
    for (const piece of piecesOf(utterance)) {
      open.push({ said: [piece], length: contentLength(piece.text) });
      yield;
    }
  }
  return exchanges.filter((exchange) => exchange.length > 0);
}

function* piecesOf({ id, speaker, when, date, text, tools }: Utterance): Generator<Said> {
  const whole = [text, ...tools.map(toolLine)].filter((part) => part.trim() !== "").join("\n");
  for (const piece of longCut(whole)) yield { id, speaker, when, date, text: piece };
}

function toolLine({ name, input, output, status }: ToolCall): string {
  const call =
    `[${name || "tool"}${status === "completed" ? "" : ` ${status}`}] ${headAndTail(input, MAX_TOOL_INPUT)}`.trim();
  return output.trim() === "" ? call : `${call}\n${headAndTail(output.trim(), MAX_TOOL_OUTPUT)}`;
}

/** Cuts the middle of an output, because errors are mostly at its end. */
function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`.toWellFormed();
}

const sum = (groups: readonly Group[]): number => groups.reduce((total, { length }) => total + length, 0);

const joined = (groups: readonly Group[]): Group => ({
  said: groups.flatMap(({ said }) => said),
  length: sum(groups),
});

function append(to: Group, { said, length }: Group): void {
  for (const one of said) to.said.push(one);
  to.length += length;
}

/** Combines neighbouring groups up to the length of an episode. */
function pool(groups: readonly Group[]): Group[] {
  const pooled: Group[] = [];
  for (const group of groups) {
    const last = pooled.at(-1);
    if (last && last.length + group.length <= EPISODE_LENGTH) append(last, group);
    else pooled.push({ said: [...group.said], length: group.length });
  }
  return pooled;
}

/** Joins a final episode of one message with the previous one if both fit. */
function joinLast(pooled: Group[]): void {
  const last = pooled.at(-1);
  const before = pooled.at(-2);
  if (!last || !before || last.said.length !== 1 || before.length + last.length > MAX_EPISODE_LENGTH) return;
  append(before, last);
  pooled.pop();
}

/**
 * Splits a text above the limit into parts of an episode's length: at blank lines, then line breaks, then
 * sentences, then anywhere.
 */
function* longCut(text: string): Generator<string> {
  const trimmed = text.trim();
  if (isWithin(trimmed, 0, trimmed.length, MAX_EPISODE_LENGTH)) {
    if (trimmed !== "") yield trimmed;
    return;
  }
  let start = 0;
  let at = 0;
  let length = 0;
  for (const end of partEnds(trimmed)) {
    const added = contentLength(trimmed.slice(at, end));
    if (length > 0 && length + added > EPISODE_LENGTH) {
      const piece = trimmed.slice(start, at).trim();
      if (piece !== "") yield piece;
      start = at;
      length = 0;
    }
    length += added;
    at = end;
  }
  const last = trimmed.slice(start).trim();
  if (last !== "") yield last;
}

/** Whether a text has at most length `max`; stops reading at the limit. */
function isWithin(text: string, from: number, to: number, max: number): boolean {
  return to - from <= max && contentLength(text.slice(from, to)) <= max;
}

/** Ends of successive parts that fit into an episode: paragraphs, otherwise lines, otherwise sentences. */
function* partEnds(text: string): Generator<number> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = paragraphEnd(text, from);
    if (isWithin(text, from, to, EPISODE_LENGTH)) yield to;
    else yield* lineEnds(text, from, to);
  }
}

/** The position after the next blank line. */
function paragraphEnd(text: string, from: number): number {
  for (let at = text.indexOf("\n", from); at >= 0; ) {
    const next = text.indexOf("\n", at + 1);
    if (next < 0) break;
    let space = at + 1;
    while (space < next && isSpace(text.charCodeAt(space))) space++;
    if (space === next) return next + 1;
    at = next;
  }
  return text.length;
}

function* lineEnds(text: string, from: number, to: number): Generator<number> {
  for (let at = from; at < to; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 || feed >= to ? to : feed + 1;
    if (isWithin(text, at, end, EPISODE_LENGTH)) yield end;
    else yield* sentenceEnds(text, at, end);
    at = end;
  }
}

function* sentenceEnds(text: string, from: number, to: number): Generator<number> {
  for (let at = from; at < to; ) {
    // longer sentences are split anyway; searching for their end would read the rest of the line each time
    const window = Math.min(to, at + EPISODE_LENGTH + 1);
    let end = sentenceEnd(text, at, window);
    // half the length, which fits in any script
    if (!isWithin(text, at, end, EPISODE_LENGTH)) end = at + EPISODE_LENGTH / 2;
    const unit = text.charCodeAt(end - 1);
    if (end < to && unit >= 0xd800 && unit <= 0xdbff) end--;
    yield end;
    at = end;
  }
}
