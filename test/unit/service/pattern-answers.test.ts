import { describe, expect, it } from "vitest";
import { filterAnswer, linesAnswer } from "../../../src/service/search/pattern-answers.ts";

const CALL = { kind: "lines", pattern: "a", caseInsensitive: false, firstLine: 5, most: 2 } as const;
const lines = (numbers: number[], value: object = { cpuMs: 1 }) => ({
  value,
  bytes: new Uint8Array(Uint32Array.from(numbers).buffer),
});
const value = (of: unknown) => ({ value: of, bytes: undefined });

describe("answers of the pattern processes", () => {
  it("the line positions in a worker's answer are read unchanged", () => {
    const read = linesAnswer(CALL, 100);
    expect(read(lines([5, 0, 3, 7, 10, 100], { cpuMs: 1, next: { line: 8, offset: 101 } }))).toEqual({
      cpuMs: 1,
      places: Uint32Array.of(5, 0, 3, 7, 10, 100),
      next: { line: 8, offset: 101 },
    });
  });

  it.each([
    ["places behind the text", lines([5, 0, 101])],
    ["the positions are not in ascending order", lines([5, 10, 20, 6, 15, 30])],
    ["the same line twice", lines([5, 0, 3, 5, 4, 6])],
    ["a line before the first", lines([4, 0, 3])],
    ["more places than asked for", lines([5, 0, 1, 6, 2, 3, 7, 4, 5])],
    ["half a place", lines([5, 0])],
    ["no places", value({ cpuMs: 1 })],
    ["no progress", lines([], { cpuMs: 1, next: { line: 5, offset: 0 } })],
    ["progress behind the text", lines([], { cpuMs: 1, next: { line: 6, offset: 102 } })],
    ["negative time", lines([], { cpuMs: -1 })],
    ["time that is not a number", lines([], { cpuMs: null })],
    ["an error of an unknown code", value({ cpuMs: 1, refused: { code: "toString", message: "m" } })],
    [
      "an error with nested details",
      value({ cpuMs: 1, refused: { code: "INTERNAL", message: "m", details: { a: {} } } }),
    ],
  ])("a worker's answer to a line search with %s is refused", (_, answer) => {
    expect(() => linesAnswer(CALL, 100)(answer)).toThrow();
  });

  it("the filter results of a worker are refused unless they match the subjects", () => {
    expect(filterAnswer(2)(value({ cpuMs: 1, passes: [true] }))).toEqual({ cpuMs: 1, passes: [true] });
    expect(filterAnswer(0)(value({ cpuMs: 1, passes: [] }))).toEqual({ cpuMs: 1, passes: [] });
    const refused = {
      cpuMs: 1,
      refused: { code: "INVALID_ARGUMENT", message: "m", details: { field: "filter" } },
    };
    expect(filterAnswer(2)(value(refused))).toEqual(refused);
    for (const passes of [[], [true, true, true], ["yes"], null, true])
      expect(() => filterAnswer(2)(value({ cpuMs: 1, passes }))).toThrow();
  });

  it("a worker's answer with more results than subjects is refused before the results are validated", async () => {
    const forged = value({ cpuMs: 1, passes: Array(10_000).fill(0) });
    const refusal = await Promise.resolve()
      .then(() => filterAnswer(500)(forged))
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ issues: [{ code: "too_big" }] });
  });
});
