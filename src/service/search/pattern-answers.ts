import { z } from "zod";
import type { ChildAnswer, ReadAnswer } from "../../base/processes/child-process.ts";
import { type Code, STATUS } from "../../domain/errors.ts";
import type { FilterAnswer, LinesAnswer, LinesCall, RefusedAnswer } from "./pattern-message.ts";

const CODES = new Set(Object.keys(STATUS));
const MAX_MESSAGE = 16 * 1024;
/** Processor time of a call in ms; the maximum is above any limit. */
const cpuMs = z.number().min(0).max(3_600_000);
const count = z
  .int()
  .min(0)
  .max(2 ** 32);
const text = z.string().max(MAX_MESSAGE);

const refused = z.strictObject({
  cpuMs,
  refused: z.strictObject({
    code: z.custom<Code>((code) => CODES.has(String(code))),
    message: text,
    details: z.record(text, z.union([text, z.number()])).optional(),
  }),
});
const found = z.strictObject({ cpuMs, next: z.strictObject({ line: count, offset: count }).optional() });
/** An array with a maximum is measured before its items are validated. */
const passed = (most: number) => z.strictObject({ cpuMs, passes: z.array(z.boolean()).max(most) });

const isRefused = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "refused" in value;

/** Validates the answer to a call about a text of `length` units. The next call must start further on. */
export function linesAnswer(
  { firstLine, most }: LinesCall,
  length: number,
): ReadAnswer<LinesAnswer | RefusedAnswer> {
  return ({ value, bytes }) => {
    if (isRefused(value)) return refused.parse(value);
    const { next, ...spent } = found.parse(value);
    if (next && (next.offset === 0 || next.offset > length + 1 || next.line <= firstLine))
      throw new Error("the search makes no progress");
    return { ...spent, places: placesIn(bytes, { firstLine, most }, length), ...(next && { next }) };
  };
}

function placesIn(
  bytes: ChildAnswer["bytes"],
  { firstLine, most }: Pick<LinesCall, "firstLine" | "most">,
  length: number,
): Uint32Array {
  if (bytes === undefined || bytes.byteLength % 12 !== 0 || bytes.byteLength > 12 * most)
    throw new Error(`no list of at most ${most} places`);
  const places = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let lastLine = firstLine - 1;
  let lastEnd = 0;
  for (let i = 0; i < places.length; i += 3) {
    const [line = 0, begin = 0, end = 0] = places.subarray(i, i + 3);
    if (line <= lastLine || begin < lastEnd || end < begin || end > length)
      throw new Error("the positions are not in ascending order");
    lastLine = line;
    lastEnd = end;
  }
  return places;
}

/** Validates the answer to a call about this many subjects; it must cover at least one. */
export function filterAnswer(subjects: number): ReadAnswer<FilterAnswer | RefusedAnswer> {
  return ({ value }) => {
    if (isRefused(value)) return refused.parse(value);
    const answer = passed(subjects).parse(value);
    const { length } = answer.passes;
    if (length === 0 && subjects > 0) throw new Error(`expected ${subjects} match results, got ${length}`);
    return answer;
  };
}
