import { RE2JS } from "re2js";
import { invalidArgument } from "../errors.ts";
import { compileCost, MAX_COMPILE_COST } from "./pattern-cost.ts";

const MAX_PATTERN_LENGTH = 1024;
/** Instructions of a pattern: matching is linear in this times the line. */
export const MAX_PATTERN_SIZE = 1000;
/** Longest prefix of a line that a regular expression searches, in UTF-16 units. */
const MAX_SEARCHED_LINE = 256 * 1024;
/** Code points of a line that are shown. */
const MAX_SHOWN_LINE = 4096;
/**
 * Limit in instructions × characters of one line on the main thread, which runs without a pause: 15 ms at the
 * worst.
 */
export const MAX_STEPS_AT_ONCE = 64 * 1024;
/** Steps between two yields. A line counts as slightly more than its characters. */
const STEPS_BETWEEN_PAUSES = 64 * 1024;
const LINE_STEPS = 16;
/** Limit in UTF-16 units of plain text that is searched directly; longer text may cost length × text. */
const LONG_LITERAL = 200;
/** UTF-16 units searched at once for such a text. */
const LITERAL_WINDOW = 32 * 1024;

export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** Without its end, cut at 4,096 characters. */
  readonly content: string;
}

/** Start of a line. */
export interface LineStart {
  /** From 1. */
  readonly line: number;
  readonly offset: number;
}

/** Span of a matching line, without its line end. */
export interface LinePlace extends LineStart {
  readonly end: number;
}

/** Position at which a search yielded. */
export interface SearchPause {
  /** A good position to yield: before this line. */
  readonly next: LineStart;
  /** The line is too costly for the main thread: the search has stopped before it. */
  readonly isTooLong: boolean;
}

const BEGINNING: LineStart = { line: 1, offset: 0 };

/** A pattern that is searched in lines, in time linear in the text. */
export class LinePattern {
  readonly #compiled: RE2JS | undefined;
  readonly #size: number = 0;
  /** The literal, if the pattern is plain text. */
  readonly #literal: string | undefined;
  readonly #isBounded: boolean;

  /**
   * INVALID_ARGUMENT {field pattern} for an empty or overlong pattern and for syntax that RE2 lacks (such as
   * lookaround and back references). `on` names the thread: the main thread must not do anything long in one
   * stretch.
   */
  constructor(pattern: string, caseInsensitive: boolean, on: "main thread" | "worker" = "main thread") {
    if (pattern === "") throw invalidArgument("pattern", "must not be empty");
    if (pattern.length > MAX_PATTERN_LENGTH)
      throw invalidArgument("pattern", `must have at most ${MAX_PATTERN_LENGTH} characters`);
    this.#isBounded = on === "main thread";
    this.#literal = !caseInsensitive && !/[\\^$.|?*+()[\]{}]/.test(pattern) ? pattern : undefined;
    if (this.#literal !== undefined) return;
    if (this.#isBounded && compileCost(pattern, caseInsensitive) > MAX_COMPILE_COST) return;
    this.#compiled = compiled(pattern, caseInsensitive);
    this.#size = this.#compiled.programSize();
    if (this.#size > MAX_PATTERN_SIZE)
      throw invalidArgument("pattern", "is too large once its repetitions are expanded: use smaller counts");
  }

  get isLiteral(): boolean {
    return this.#literal !== undefined;
  }

  /** Whether the main thread may compile it; if not, it is unchecked and left to a worker. */
  get isReady(): boolean {
    return this.#literal !== undefined || this.#compiled !== undefined;
  }

  /** False if certainly no line of a text matches. */
  mayMatch(text: string): boolean {
    if (this.#literal === undefined || (this.#literal.length > LONG_LITERAL && text.length > LITERAL_WINDOW))
      return true;
    return text.includes(this.#literal);
  }

  /**
   * The positions of matching lines from `from` on, in order, with yields between them. On the main thread
   * the search ends at a line that is too costly. A line end at the end of the text starts no further line.
   */
  *search(text: string, from: LineStart = BEGINNING): Generator<LinePlace | SearchPause> {
    if (!this.mayMatch(text)) return;
    let steps = 0;
    for (let { line, offset } = from; offset < text.length; line++) {
      const found = text.indexOf("\n", offset);
      const next = found < 0 ? text.length : found;
      const end = next > offset && text[next - 1] === "\r" ? next - 1 : next;
      const cost = this.#costOf(end - offset);
      if (this.#isBounded && this.#literal === undefined && cost > MAX_STEPS_AT_ONCE) {
        yield { next: { line, offset }, isTooLong: true };
        return;
      }
      const content = text.slice(offset, end);
      const here = { next: { line, offset }, isTooLong: false };
      if (this.#needsWindows(content) ? yield* this.#inWindows(content, here) : this.#matches(content))
        yield { line, offset, end };
      offset = next + 1;
      steps += cost;
      if (steps < STEPS_BETWEEN_PAUSES) continue;
      steps = 0;
      yield { next: { line: line + 1, offset }, isTooLong: false };
    }
  }

  #costOf(length: number): number {
    return (
      (Math.min(length, this.#literal === undefined ? MAX_SEARCHED_LINE : length) + LINE_STEPS) *
      Math.max(1, this.#size)
    );
  }

  #matches(line: string): boolean {
    if (this.#literal !== undefined) return line.includes(this.#literal);
    return (
      this.#compiled?.test(line.length > MAX_SEARCHED_LINE ? line.slice(0, MAX_SEARCHED_LINE) : line) ?? false
    );
  }

  #needsWindows(line: string): boolean {
    const isLong = (this.#literal?.length ?? 0) > LONG_LITERAL && line.length > LITERAL_WINDOW;
    // a worker that paused inside a line would begin it again and again
    return this.#isBounded && isLong;
  }

  /** Windows overlap, so that no match at a border is missed. */
  *#inWindows(line: string, pause: SearchPause): Generator<SearchPause, boolean> {
    const literal = this.#literal ?? "";
    for (let start = 0; start < line.length; start += LITERAL_WINDOW) {
      if (line.slice(start, start + LITERAL_WINDOW + literal.length - 1).includes(literal)) return true;
      yield pause;
    }
    return false;
  }
}

/** A matching line as shown to callers. */
export const lineMatch = (text: string, { line, offset, end }: LinePlace): LineMatch => ({
  line,
  content: shown(text.slice(offset, end)),
});

/** Start of the line that follows line `after`, or undefined. */
export function lineBehind(text: string, after: number): LineStart | undefined {
  let offset = 0;
  for (let line = 1; line <= after; line++) {
    const found = text.indexOf("\n", offset);
    if (found < 0) return undefined;
    offset = found + 1;
  }
  return { line: after + 1, offset };
}

function compiled(pattern: string, caseInsensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    throw invalidArgument("pattern", "must be a regular expression in RE2 syntax");
  }
}

const shown = (line: string): string =>
  line.length <= MAX_SHOWN_LINE
    ? line
    : [...line.slice(0, 2 * MAX_SHOWN_LINE)].slice(0, MAX_SHOWN_LINE).join("");
