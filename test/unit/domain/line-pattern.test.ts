import { expect, it } from "vitest";
import { LinePattern } from "../../../src/domain/line-pattern.ts";

const pausesOf = (pattern: LinePattern, text: string): number => [...pattern.search(text)].filter((match) => match === undefined).length;

it("a large pattern pauses by the work that it does, a small one by the text that it has gone through", () => {
  const lines = `${"a".repeat(2000)}\n`.repeat(100);
  expect(pausesOf(new LinePattern(`${"a{0,30}".repeat(15)}z`, false), lines)).toBeGreaterThan(90);
  expect(pausesOf(new LinePattern("a+z", false), lines)).toBeLessThan(10);
});

it("a large pattern searches less of a long line than a small one", () => {
  const line = `${"-".repeat(100_000)}aaz`;
  const found = (pattern: string) => [...new LinePattern(pattern, false).search(line)].filter((match) => match !== undefined);
  expect(found("a+z")).toEqual([{ line: 1, content: line.slice(0, 4096) }]);
  expect(found(`${"a{0,30}".repeat(15)}z`)).toEqual([]);
});
