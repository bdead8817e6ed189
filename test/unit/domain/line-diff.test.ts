import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { diffLines, numberLines } from "../../../src/domain/text/line-diff.ts";
import { unifiedDiff } from "../../../src/domain/text/unified-diff.ts";

const NAMES = { from: "a", to: "b" };
const LIMITS = { context: 3, maxLength: 1e9 };

function compare(before: string, after: string, limits = LIMITS) {
  const texts = atOnce(numberLines(before, after));
  const { changes, isCoarse } = atOnce(diffLines(texts.before, texts.after));
  const unified = atOnce(unifiedDiff(NAMES, texts, changes, limits));
  return { diff: unified?.text, added: unified?.added ?? 0, removed: unified?.removed ?? 0, isCoarse };
}

/** Applies a diff as `patch` does: each line of the diff must match at its position. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let at = 0;
  const parts = diff.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [i, part] of parts.slice(2).entries()) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(part.trimEnd());
    if (head) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      made.push(...lines.slice(at, start));
      at = start;
      expect(made.length).toBe(Number(head[3]) - (head[4] === "0" ? 0 : 1));
    } else if (!part.startsWith("\\")) {
      const line = parts[i + 3]?.startsWith("\\") ? part.slice(1, -1) : part.slice(1);
      if (!part.startsWith("+")) expect(lines[at++]).toBe(line);
      if (!part.startsWith("-")) made.push(line);
    }
  }
  return [...made, ...lines.slice(at)].join("");
}

/** Computes the minimum number of edits with the table of common subsequences. */
function leastEdits(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(line === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    row = next;
  }
  return a.length + b.length - 2 * row[b.length]!;
}

const texts = fc
  .array(fc.constantFrom("", "a", "b", "c", "d"), { maxLength: 30 })
  .map((lines) => lines.join("\n"));

describe("the difference of two texts", () => {
  it("a diff turns the first text into the second with the fewest lines", () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(5), (before, after, context) => {
        const { diff = "", added, removed, isCoarse } = compare(before, after, { ...LIMITS, context });
        expect(diff === "").toBe(before === after);
        expect(patched(before, diff)).toBe(after);
        const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect([added + removed, isCoarse]).toEqual([leastEdits(lines(before), lines(after)), false]);
      }),
      { numRuns: 500 },
    );
  });

  it("a diff has the format of diff -u", () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine";
    const after = "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten";
    expect(compare(before, after, { ...LIMITS, context: 1 }).diff).toBe(
      [
        "--- a",
        "+++ b",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "+TWO",
        " three",
        "@@ -8,2 +8,3 @@",
        " eight",
        "-nine",
        "\\ No newline at end of file",
        "+nine",
        "+ten",
        "\\ No newline at end of file",
        "",
      ].join("\n"),
    );
    expect(compare("", "x\n").diff).toBe("--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
    expect(compare("x\n", "").diff).toBe("--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
  });

  it("a diff of very different texts ends soon, with one replaced block that can be applied", () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join("");
    const after = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 20_011}\n`).join("");
    const { diff = "", isCoarse } = compare(before, after);
    expect(isCoarse).toBe(true);
    expect(patched(before, diff)).toBe(after);
    // one letter repeated: every path goes through all of it
    const same = "x\n".repeat(200_000);
    expect(compare(`a\n${same}b\n`, `c\n${same.slice(4)}d\n`).isCoarse).toBe(false);
    const mixed = "y\nx\n".repeat(50_000);
    expect(compare(mixed, `x\n${same}`).isCoarse).toBe(true);
  });

  it("a diff above its length limit is left out", () => {
    expect(
      compare("a\n".repeat(100), "b\n".repeat(100), { context: 3, maxLength: 100 }).diff,
    ).toBeUndefined();
  });
});
