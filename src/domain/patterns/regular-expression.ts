import { RE2JS } from "re2js";
import { invalidArgument } from "../errors.ts";
import { compileCost, MAX_COMPILE_COST } from "./pattern-cost.ts";

const MAX_PATTERN_LENGTH = 1024;
/** Maximum RE2 instructions of a pattern; matching is linear in instructions × line length. */
export const MAX_PATTERN_SIZE = 1000;
/** Maximum prefix of a line searched by a regular expression, in UTF-16 units. */
const MAX_SEARCHED_LINE = 256 * 1024;
/** Maximum code points shown of a line. */
const MAX_SHOWN_LINE = 4096;
/** Maximum instructions × characters for one line on the main thread, which is searched without a yield. */
export const MAX_STEPS_AT_ONCE = 64 * 1024;
/** Steps between two yields. Each line counts LINE_STEPS in addition to its characters. */
const STEPS_BETWEEN_PAUSES = 64 * 1024;
const LINE_STEPS = 16;
/**
 * Maximum length of a literal that is searched directly, in UTF-16 units: a longer one may cost length ×
 * text.
 */
const LONG_LITERAL = 200;
/** Number of UTF-16 units searched per step for a longer literal. */
const LITERAL_WINDOW = 32 * 1024;

export interface LineMatch {
  /** Line number from 1. */
  readonly line: number;
  /** The line without its line break, cut at 4,096 characters. */
  readonly content: string;
}

export interface LineStart {
  /** Line number from 1. */
  readonly line: number;
  readonly offset: number;
}

/** Span of a matching line, without its line break. */
export interface LinePlace extends LineStart {
  readonly end: number;
}

/** A point at which a search yields. */
export interface SearchPause {
  /** The search can be paused before this line. */
  readonly next: LineStart;
  /** Whether the line is too costly for the main thread; the search has then stopped before it. */
  readonly isTooLong: boolean;
}

const BEGINNING: LineStart = { line: 1, offset: 0 };

/** A pattern that is searched line by line, in time linear in the text. */
export class LinePattern {
  readonly #compiled: RE2JS | undefined;
  readonly #size: number = 0;
  /** The literal, if the pattern has no special characters. */
  readonly #literal: string | undefined;
  readonly #isBounded: boolean;

  /**
   * Throws INVALID_ARGUMENT {field pattern} for an empty or overlong pattern, and for syntax that RE2 does
   * not support (such as lookaround and back references). `on`: the current thread; the main thread must
   * never be blocked for long.
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
      throw invalidArgument("pattern", "is too large after its repetitions are expanded: use smaller counts");
  }

  get isLiteral(): boolean {
    return this.#literal !== undefined;
  }

  /**
   * Whether the pattern is compiled. If not, it is too costly for the main thread; a worker validates and
   * uses it.
   */
  get isReady(): boolean {
    return this.#literal !== undefined || this.#compiled !== undefined;
  }

  /** False if no line of the text can match. */
  mayMatch(text: string): boolean {
    if (this.#literal === undefined || (this.#literal.length > LONG_LITERAL && text.length > LITERAL_WINDOW))
      return true;
    return text.includes(this.#literal);
  }

  /**
   * Yields the matching lines from `from` on in order, with pauses in between. On the main thread, the search
   * ends at a line that is too costly. A line break at the end of the text does not start another line.
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
    // a worker must not pause inside a line, because it would start that line again
    return this.#isBounded && isLong;
  }

  /** Searches overlapping windows, so that no match at a border is missed. */
  *#inWindows(line: string, pause: SearchPause): Generator<SearchPause, boolean> {
    const literal = this.#literal ?? "";
    for (let start = 0; start < line.length; start += LITERAL_WINDOW) {
      if (line.slice(start, start + LITERAL_WINDOW + literal.length - 1).includes(literal)) return true;
      yield pause;
    }
    return false;
  }
}

/** Converts a matching line for the response. */
export const lineMatch = (text: string, { line, offset, end }: LinePlace): LineMatch => ({
  line,
  content: shown(text.slice(offset, end)),
});

/** Start of the line after line number `after`; undefined at the end. */
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
