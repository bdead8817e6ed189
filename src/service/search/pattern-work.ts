import { ServiceError } from "../../domain/errors.ts";
import { type Filter, type FilterSubject, matches, parseFilter } from "../../domain/filter.ts";
import { LinePattern } from "../../domain/patterns/regular-expression.ts";
import type {
  FilterAnswer,
  FilterCall,
  LinesAnswer,
  LinesCall,
  PatternCallMessage,
  RefusedAnswer,
} from "./pattern-message.ts";

/** Time slice in ms, after which calls of other accounts go first. */
const TURN_MS = 300;

/**
 * Worker side of pattern matching: the same algorithms as on the main thread, without limits, in time slices.
 */
export class PatternWork {
  readonly #cpuMs: () => number;
  /** Compiled pattern of the last call, shared by the slices of a search. */
  #pattern: { readonly key: string; readonly compiled: LinePattern } | undefined;
  #filter: { readonly written: string; readonly parsed: Filter } | undefined;

  /** `cpuMs` returns the processor time of this process. */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
  }

  answer(
    call: PatternCallMessage,
    bytes: Uint8Array | undefined,
  ): LinesAnswer | FilterAnswer | RefusedAnswer {
    const began = this.#cpuMs();
    const spent = () => this.#cpuMs() - began;
    try {
      const found =
        call.kind === "lines" ? this.#lines(call, textOf(bytes), spent) : this.#passes(call, spent);
      return { ...found, cpuMs: spent() };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, details } = error;
      return { refused: { code, message, details }, cpuMs: spent() };
    }
  }

  #lines(
    { pattern, caseInsensitive, firstLine, most }: LinesCall,
    text: string,
    spent: () => number,
  ): Omit<LinesAnswer, "cpuMs"> {
    const key = `${caseInsensitive} ${pattern}`;
    if (this.#pattern?.key !== key)
      this.#pattern = { key, compiled: new LinePattern(pattern, caseInsensitive, "worker") };
    const places: number[] = [];
    for (const item of this.#pattern.compiled.search(text, { line: firstLine, offset: 0 })) {
      if ("end" in item) {
        places.push(item.line, item.offset, item.end);
        if (places.length >= 3 * most)
          return {
            places: Uint32Array.from(places),
            next: { line: item.line + 1, offset: lineEnd(text, item.end) },
          };
      } else if (spent() > TURN_MS) return { places: Uint32Array.from(places), next: item.next };
    }
    return { places: Uint32Array.from(places) };
  }

  #passes({ written, subjects }: FilterCall, spent: () => number): Omit<FilterAnswer, "cpuMs"> {
    if (this.#filter?.written !== written)
      this.#filter = { written, parsed: parseFilter(JSON.parse(written)) };
    const passes: boolean[] = [];
    for (const subject of subjects) {
      passes.push(matches(this.#filter.parsed, subject as FilterSubject));
      if (spent() > TURN_MS) break;
    }
    return { passes };
  }
}

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined
    ? ""
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf16le");

/** Offset just after the line break at `end`. */
function lineEnd(text: string, end: number): number {
  const found = text.indexOf("\n", end);
  return found < 0 ? text.length : found + 1;
}
