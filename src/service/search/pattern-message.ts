import type { Code, Details } from "../../domain/errors.ts";
import type { FilterSubject } from "../../domain/filter.ts";
import type { LineStart } from "../../domain/patterns/regular-expression.ts";

/** Searches a text, passed as UTF-16 bytes, for a pattern. `firstLine`: line number of the text's start. */
export interface LinesCall {
  readonly kind: "lines";
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  readonly firstLine: number;
  /** Maximum number of matches. */
  readonly most: number;
}

/** Evaluates a filter, given as JSON, on subjects. */
export interface FilterCall {
  readonly kind: "filter";
  readonly written: string;
  /** Subjects with the fields that the filter reads. */
  readonly subjects: readonly Partial<FilterSubject>[];
}

export type PatternCallMessage = LinesCall | FilterCall;

interface Spent {
  /** Processor time in ms. */
  readonly cpuMs: number;
}

export interface LinesAnswer extends Spent {
  /** Line, start and end of each match; sent as bytes. */
  readonly places: Uint32Array;
  /** Where to resume if the time slice has ended. */
  readonly next?: LineStart;
}

export interface FilterAnswer extends Spent {
  /** Results for the first subjects, at least one: the time slice may end before the last. */
  readonly passes: readonly boolean[];
}

/** The error to return to the caller. */
export interface RefusedAnswer extends Spent {
  readonly refused: { readonly code: Code; readonly message: string; readonly details?: Details | undefined };
}
