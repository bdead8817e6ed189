import { RE2JS } from "re2js";
import { invalidArgument } from "./errors.ts";

const MAX_PATTERN_LENGTH = 1024;
/** Instructions of a pattern: matching is linear in this times the line. */
const MAX_PATTERN_SIZE = 1000;
/** Of a longer line only this much is searched, so that no line holds the process. UTF-16 units. */
const MAX_SEARCHED_LINE = 256 * 1024;
/** Instructions times characters that one line may take, some 50 ms: a large pattern searches less of a long line. */
const MAX_LINE_STEPS = 2_500_000;
/** Instructions times characters between two pauses. */
const STEPS_PER_PAUSE = 1_000_000;
/** Code points of a line that are shown (ruling G1). */
const MAX_SHOWN_LINE = 4096;
/** Lines looked at between two pauses. */
const LINES_PER_STEP = 64;
const UNITS_PER_STEP = 64 * 1024;

export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** Without its end, cut at 4,096 characters. */
  readonly content: string;
}

/** A pattern that is looked for in lines, in time linear in the text. */
export class LinePattern {
  readonly #compiled: RE2JS;
  /** What every match holds, where the pattern is nothing but text. */
  readonly #literal: string | undefined;
  /** Characters of a line that are searched, and characters between two pauses. */
  readonly #searched: number;
  readonly #unitsPerPause: number;

  /** INVALID_ARGUMENT {field pattern} for what RE2 does not know (lookaround and back references among it), an empty or an overlong pattern. */
  constructor(pattern: string, caseInsensitive: boolean) {
    if (pattern === "") throw invalidArgument("pattern", "must not be empty");
    if (pattern.length > MAX_PATTERN_LENGTH) throw invalidArgument("pattern", `longer than ${MAX_PATTERN_LENGTH} characters`);
    this.#compiled = compiled(pattern, caseInsensitive);
    const size = this.#compiled.programSize();
    if (size > MAX_PATTERN_SIZE) throw invalidArgument("pattern", "it is too large once its repetitions are written out");
    this.#searched = Math.min(MAX_SEARCHED_LINE, Math.floor(MAX_LINE_STEPS / size));
    this.#unitsPerPause = Math.min(UNITS_PER_STEP, Math.floor(STEPS_PER_PAUSE / size));
    this.#literal = !caseInsensitive && !/[\\^$.|?*+()[\]{}]/.test(pattern) ? pattern : undefined;
  }

  /** False where it is certain that no line of a text matches. */
  mayMatch(text: string): boolean {
    return this.#literal === undefined || text.includes(this.#literal);
  }

  /** The matching lines behind line `after` in order; `undefined` stands for a good moment to pause. An end of line at the end of the text begins no further one. */
  *search(text: string, after = 0): Generator<LineMatch | undefined> {
    if (!this.mayMatch(text)) return;
    let paused = 0;
    for (let start = 0, line = 1; start < text.length; line++) {
      const found = text.indexOf("\n", start);
      const end = found < 0 ? text.length : found;
      if (line > after) {
        const content = text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
        if (this.#matches(content)) yield { line, content: shown(content) };
      }
      start = end + 1;
      // the line may have been a long one: the pause comes before the next is searched
      if (line % LINES_PER_STEP > 0 && start - paused < (this.#literal === undefined ? this.#unitsPerPause : UNITS_PER_STEP)) continue;
      paused = start;
      yield undefined;
    }
  }

  #matches(line: string): boolean {
    if (this.#literal !== undefined) return line.includes(this.#literal);
    return this.#compiled.test(line.length > this.#searched ? line.slice(0, this.#searched) : line);
  }
}

function compiled(pattern: string, caseInsensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    throw invalidArgument("pattern", "not a regular expression in RE2 syntax");
  }
}

const shown = (line: string): string =>
  line.length <= MAX_SHOWN_LINE ? line : [...line.slice(0, 2 * MAX_SHOWN_LINE)].slice(0, MAX_SHOWN_LINE).join("");
