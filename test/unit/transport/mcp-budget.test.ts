import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/domain/text/tokens.ts";
import {
  fittingEnd,
  LEAST_TOKENS,
  listWithinBudget,
  shortened,
} from "../../../src/transport/mcp/answer-budget.ts";

describe("the budget of an answer", () => {
  it("an MCP result is cut to its budget, never within a character", () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 2000 });
    fc.assert(
      fc.property(text, fc.integer({ min: LEAST_TOKENS, max: 400 }), (whole, budget) => {
        const end = fittingEnd(whole, budget);
        expect(end).toBeGreaterThan(0);
        expect(estimateTokens(whole, 0, end)).toBeLessThanOrEqual(budget);
        expect(whole.slice(0, end).isWellFormed()).toBe(true);
      }),
    );
  });

  it("an MCP result is cut at a line break if there is one", () => {
    const lines = `${"word ".repeat(30)}\n`.repeat(20);
    const end = fittingEnd(lines, 100);
    expect(lines[end - 1]).toBe("\n");
    expect(end).toBeLessThan(lines.length);
    expect(fittingEnd(`\n${"x".repeat(10_000)}`, 100), "an empty line before a long one").toBe(1);
  });

  it("an MCP result of blanks, which count no tokens, has a limited length", () => {
    expect(fittingEnd(" ".repeat(1_000_000), 100)).toBeLessThanOrEqual(1200);
    expect(
      listWithinBudget(
        "",
        Array.from({ length: 100_000 }, () => "    "),
        100,
        (shown) => `${shown}`,
      ).length,
    ).toBeLessThan(2000);
  });

  it("an MCP result shows a part of its first block if the whole block exceeds the budget", () => {
    const text = listWithinBudget("head", ["x".repeat(10_000), "y"], 60, (shown) => `${shown} of 2`);
    expect(text).toMatch(/^head\nx+ \[…\]\n\[1 of 2\]$/);
    expect(shortened("short", 60)).toBe("short");
  });
});
