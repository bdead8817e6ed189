import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileCost, MAX_COMPILE_COST } from "../../../src/domain/patterns/pattern-cost.ts";
import {
  LinePattern,
  lineBehind,
  lineMatch,
  MAX_PATTERN_SIZE,
  MAX_STEPS_AT_ONCE,
} from "../../../src/domain/patterns/regular-expression.ts";
import { PatternWork } from "../../../src/service/search/pattern-work.ts";

const symbol = fc.constantFrom(
  "a",
  "b",
  ".",
  "я",
  "\\d",
  "\\b",
  "[ab]",
  "[^a]",
  "\\pL",
  "😀",
  "x",
  "\\Qa\\E",
  "(?i)A",
);
const { pattern: anyPattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    symbol,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc
      .tuple(tie("group"), fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{12}", "{2,}"))
      .map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
  ),
  group: fc.oneof(
    symbol,
    tie("pattern").map((inner) => `(?:${inner})`),
  ),
}));
const anyText = fc
  .array(fc.string({ unit: fc.constantFrom("a", "b", "x", "я", "1", " ", "😀", "\r"), maxLength: 12 }), {
    maxLength: 8,
  })
  .map((lines) => lines.join("\n"));

const compiledBy = (pattern: string, caseInsensitive: boolean): RE2JS =>
  RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);

/** Splits text into lines in the simplest way. */
function reference(pattern: string, caseInsensitive: boolean, text: string): [number, string][] {
  const compiled = compiledBy(pattern, caseInsensitive);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, i): [number, string][] => {
    const content =
      line.endsWith("\r") && line !== "" && (i < lines.length - 1 || line.length > 0)
        ? line.slice(0, -1)
        : line;
    return compiled.test(content) ? [[i + 1, content]] : [];
  });
}

function found(pattern: LinePattern, text: string): [number, string][] {
  return [...pattern.search(text)].flatMap((item): [number, string][] =>
    "end" in item ? [[item.line, lineMatch(text, item).content]] : [],
  );
}

describe("a pattern that is looked for in lines", () => {
  it("a line pattern finds what RE2 finds, in the main thread or a worker, at once or in steps", () => {
    fc.assert(
      fc.property(
        anyPattern,
        fc.boolean(),
        anyText,
        fc.integer({ min: 1, max: 3 }),
        (pattern, caseInsensitive, text, most) => {
          let expected: [number, string][];
          try {
            expected = reference(pattern, caseInsensitive, text);
          } catch {
            return;
          }
          if (compiledBy(pattern, caseInsensitive).programSize() > MAX_PATTERN_SIZE) {
            expect(() => new LinePattern(pattern, caseInsensitive, "worker")).toThrow("too large");
            return;
          }
          const here = new LinePattern(pattern, caseInsensitive);
          if (here.isReady) expect(found(here, text)).toEqual(expected);
          const work = new PatternWork(() => 0);
          const places: [number, string][] = [];
          for (let from: { line: number; offset: number } | undefined = { line: 1, offset: 0 }; from; ) {
            const rest = text.slice(from.offset);
            const call = { kind: "lines", pattern, caseInsensitive, firstLine: from.line, most } as const;
            const answer = work.answer(call, Buffer.from(rest, "utf16le"));
            if (!("places" in answer)) throw new Error("the worker refused");
            for (let i = 0; i < answer.places.length; i += 3) {
              const [line = 0, offset = 0, end = 0] = answer.places.subarray(i, i + 3);
              places.push([line, lineMatch(rest, { line, offset, end }).content]);
            }
            from = answer.next && { line: answer.next.line, offset: from.offset + answer.next.offset };
          }
          expect(places).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a line pattern is searched in steps of bounded cost on the main thread", () => {
    const pattern = new LinePattern("a.{100}[cd]", false);
    const text = `${"ab".repeat(100)}\n`.repeat(100);
    const pauses = [...pattern.search(text)].filter((item) => "next" in item).map(({ next }) => next.offset);
    const longest = Math.max(...[...pauses, text.length].map((offset, i) => offset - (pauses[i - 1] ?? 0)));
    // about 100 instructions; two such steps must not run between two pauses
    expect(longest * 100).toBeLessThan(2 * MAX_STEPS_AT_ONCE);
  });

  it("a line too long for the main thread is left to a worker, with all following lines", () => {
    const pattern = new LinePattern("a.{100}[cd]", false);
    const text = `no\nthis\n${"ab".repeat(5000)}c\nlast`;
    expect([...pattern.search(text)].at(-1)).toEqual({ next: { line: 3, offset: 8 }, isTooLong: true });
  });

  it("a literal pattern is found in lines of any length, with event-loop yields", () => {
    const literal = `${"a".repeat(500)}b${"a".repeat(500)}`;
    const pattern = new LinePattern(literal, false);
    for (const at of [0, 100, 32_768 - 500, 32_768, 90_000]) {
      const line = "a".repeat(at) + literal;
      const items = [...pattern.search(`x\n${line}\ny`)];
      expect(items.filter((item) => "end" in item)).toEqual([{ line: 2, offset: 2, end: 2 + line.length }]);
    }
    const items = [...pattern.search("a".repeat(1_000_000))];
    expect(items.filter((item) => "end" in item)).toEqual([]);
    expect(items.length).toBeGreaterThan(1_000_000 / 32_768 - 1);
  });

  it("a search resumes at the line after any given line", () => {
    expect(lineBehind("a\nb\nc", 2)).toEqual({ line: 3, offset: 4 });
    expect(lineBehind("a\nb\nc", 3)).toBeUndefined();
  });
});

describe("the cost of compiling a pattern", () => {
  it("the estimated compile cost is at least the size of the compiled pattern", () => {
    fc.assert(
      fc.property(anyPattern, fc.boolean(), (pattern, caseInsensitive) => {
        let size: number;
        try {
          size = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0).programSize();
        } catch {
          return;
        }
        // the start and end instructions of the program itself
        expect(size).toBeLessThanOrEqual(3 * compileCost(pattern, caseInsensitive) + 3);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    "((a{10}){10}){10}".repeat(4),
    "(\\pL{1,900})".repeat(80),
    "(?:a{1000})\\Q\\E{1000}",
    "(a{1,900}){1}".repeat(50),
    `[${"\\pL".repeat(330)}]`,
    `(?i)[${"\u0001-\u{1e8ff}".repeat(200)}]`,
    "(".repeat(500) + ")".repeat(500),
  ])("a pattern too costly to compile on the main thread is left to a worker: %s", (pattern) => {
    expect(compileCost(pattern, false)).toBeGreaterThan(MAX_COMPILE_COST);
    expect(new LinePattern(pattern, false).isReady).toBe(false);
  });

  it.each([
    "TODO|FIXME",
    "\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b",
    "(?i)[а-яё]+-[a-z]{2,20}",
    "^\\s*(export )?(async )?function \\w+\\(.*\\)",
    "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z",
    "[\\p{L}\\p{N}]{200}",
    "ёлка".repeat(200),
  ])("an ordinary pattern is compiled on the main thread: %s", (pattern) => {
    expect(new LinePattern(pattern, false).isReady).toBe(true);
    expect(new LinePattern(pattern, true).isReady).toBe(true);
  });
});
