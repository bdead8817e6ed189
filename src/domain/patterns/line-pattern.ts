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
 * Instructions × characters of one look at a line on the main thread, which goes without a pause: 15 ms at
 * the worst.
 */
export const MAX_STEPS_AT_ONCE = 64 * 1024;
/** Between two pauses. A line counts as some characters more than it has. */
const STEPS_BETWEEN_PAUSES = 64 * 1024;
const LINE_STEPS = 16;
/** Plain text that is longer may take a search of length × text. UTF-16 units. */
const LONG_LITERAL = 200;
/** Text that is searched for such a one at once. */
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

/** Progress marker of a search. */
export interface SearchPause {
  /** A good moment to pause, before this line. */
  readonly next: LineStart;
  /** The line is too much for the main thread: the search has ended before it. */
  readonly isTooLong: boolean;
}

const BEGINNING: LineStart = { line: 1, offset: 0 };

/** A pattern that is looked for in lines, in time linear in the text. */
export class LinePattern {
  readonly #compiled: RE2JS | undefined;
  readonly #size: number = 0;
  /** The literal, if the pattern is plain text. */
  readonly #literal: string | undefined;
  readonly #isBounded: boolean;

  /**
   * INVALID_ARGUMENT {field pattern} for what RE2 does not know (lookaround and back references among it), an
   * empty or an overlong pattern. `on` tells where it is used: on the main thread nothing is done that takes
   * long at once.
   */
  constructor(pattern: string, caseInsensitive: boolean, on: "main thread" | "worker" = "main thread") {
    if (pattern === "") throw invalidArgument("pattern", "must not be empty");
    if (pattern.length > MAX_PATTERN_LENGTH)
      throw invalidArgument("pattern", `longer than ${MAX_PATTERN_LENGTH} characters`);
    this.#isBounded = on === "main thread";
    this.#literal = !caseInsensitive && !/[\\^$.|?*+()[\]{}]/.test(pattern) ? pattern : undefined;
    if (this.#literal !== undefined) return;
    if (this.#isBounded && compileCost(pattern, caseInsensitive) > MAX_COMPILE_COST) return;
    this.#compiled = compiled(pattern, caseInsensitive);
    this.#size = this.#compiled.programSize();
    if (this.#size > MAX_PATTERN_SIZE)
      throw invalidArgument("pattern", "it is too large once its repetitions are written out");
  }

  get isLiteral(): boolean {
    return this.#literal !== undefined;
  }

  /** Whether the main thread may compile it; if not, it is unchecked and left to a worker. */
  get isReady(): boolean {
    return this.#literal !== undefined || this.#compiled !== undefined;
  }

  /** False where it is certain that no line of a text matches. */
  mayMatch(text: string): boolean {
    if (this.#literal === undefined || (this.#literal.length > LONG_LITERAL && text.length > LITERAL_WINDOW))
      return true;
    return text.includes(this.#literal);
  }

  /**
   * The places of matching lines from `from` on, in order, and pauses between them. On the main thread the
   * search ends at a line that is too much. An end of line at the end of the text begins no further one.
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
    return this.#literal !== undefined && this.#literal.length > LONG_LITERAL && line.length > LITERAL_WINDOW;
  }

  /** Windows overlap, so that nothing is missed between two of them. */
  *#inWindows(line: string, pause: SearchPause): Generator<SearchPause, boolean> {
    const literal = this.#literal ?? "";
    for (let start = 0; start < line.length; start += LITERAL_WINDOW) {
      if (line.slice(start, start + LITERAL_WINDOW + literal.length - 1).includes(literal)) return true;
      yield pause;
    }
    return false;
  }
}

/** A matching line as it is shown. */
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
    throw invalidArgument("pattern", "not a regular expression in RE2 syntax");
  }
}

const shown = (line: string): string =>
  line.length <= MAX_SHOWN_LINE
    ? line
    : [...line.slice(0, 2 * MAX_SHOWN_LINE)].slice(0, MAX_SHOWN_LINE).join("");
