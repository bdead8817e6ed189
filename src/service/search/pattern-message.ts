import type { Code, Details } from "../../domain/errors.ts";
import type { FilterSubject } from "../../domain/filter.ts";
import type { LineStart } from "../../domain/patterns/line-pattern.ts";

/**
 * Looks for a pattern in the text that is handed over as bytes of UTF-16, which begins with the line
 * `firstLine`.
 */
export interface LinesCall {
  readonly kind: "lines";
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  readonly firstLine: number;
  /** Places at most. */
  readonly most: number;
}

/** Asks which subjects pass a filter, which is written in JSON. */
export interface FilterCall {
  readonly kind: "filter";
  readonly written: string;
  /** With the fields that the filter asks for. */
  readonly subjects: readonly Partial<FilterSubject>[];
}

export type PatternCallMessage = LinesCall | FilterCall;

interface Spent {
  /** Processor time in ms. */
  readonly cpuMs: number;
}

export interface LinesAnswer extends Spent {
  /** Line, beginning and end of each matching line. */
  readonly places: readonly number[];
  /** Where to resume after the time slice ended. */
  readonly next?: LineStart;
}

export interface FilterAnswer extends Spent {
  /** For the first subjects, at least one: the time of one turn may be used up before the last. */
  readonly passes: readonly boolean[];
}

/** The error to return to the caller. */
export interface RefusedAnswer extends Spent {
  readonly refused: { readonly code: Code; readonly message: string; readonly details: Details | undefined };
}

export type PatternAnswer<T> = T | RefusedAnswer;
