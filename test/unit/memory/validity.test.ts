import { describe, expect, it, vi } from "vitest";
import type { FactFile, KnownFact } from "../../../src/memory/facts/fact-file.ts";
import { heldUntil } from "../../../src/memory/facts/validity.ts";

const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);
const fact = (i: number, more: Partial<KnownFact> = {}): KnownFact => ({
  text: `lives in place ${i}`,
  slot: "home",
  answer: `${i}`,
  date: day(i),
  sources: [],
  ...more,
});
const file = (facts: readonly KnownFact[], earlier: readonly KnownFact[]): FactFile => ({
  category: "profile",
  topic: "Home",
  facts,
  earlier,
});

describe("the end of a fact's validity", () => {
  it("a fact of an earlier version is valid until the next answer to the same question", () => {
    const [a, b, c, other] = [fact(1), fact(5), fact(9), fact(3, { slot: "work" })];
    const all = file([c], [b, a, other]);
    expect(heldUntil(all, a)).toBe(Date.parse(day(5)));
    expect(heldUntil(all, b)).toBe(Date.parse(day(9)));
    expect(heldUntil(all, c)).toBeUndefined();
    expect(heldUntil(all, other)).toBe(Date.parse(day(3)));
  });

  it("the dates of many facts in a file are parsed a few times each, not once for each other fact", () => {
    const earlier = Array.from({ length: 500 }, (_, i) => fact(i));
    const all = file([], earlier);
    const parse = vi.spyOn(Date, "parse");
    for (const one of earlier) heldUntil(all, one);
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(parsed).toBeGreaterThan(0);
    expect(parsed).toBeLessThanOrEqual(4 * earlier.length);
  });
});
