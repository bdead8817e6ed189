import { expect, test } from "vitest";
import { DistinctNames, isSafeName, safeName } from "../../../src/cli/skills/safe-names.ts";

test.each([
  ["brew", "brew"],
  ["kärnten 2.md", "kärnten 2.md"],
  ["..", "unnamed"],
  ["", "unnamed"],
  [".git", "git"],
  ["../../etc/passwd", "-etc-passwd"],
  ["a\\b:c*?.md", "a-b-c-.md"],
  ["tab\t\u2028\0\u202e.md", "tab-.md"],
  ["-rf", "rf"],
  ["NUL", "_NUL"],
  ["com1.txt", "_com1.txt"],
  ["trailing. ", "trailing"],
  ["\ud800", "-"],
])("the name %j is written as %j", (name, safe) => {
  expect(safeName(name)).toBe(safe.replace(/^-+/, "") || "unnamed");
});

test("a safe name stays the same, and fits into a file system with its extension", () => {
  for (const name of [`${"漢".repeat(300)}.md`, "a".repeat(500), ".".repeat(300), "con".repeat(99)]) {
    const safe = safeName(name);
    expect(isSafeName(safe)).toBe(true);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(201);
  }
  expect(safeName(`${"漢".repeat(300)}.md`)).toMatch(/\.md$/);
  expect(["../a", "a/b", "", ".", "CON", "a\\b"].filter(isSafeName)).toEqual([]);
});

test("safe names in one folder differ even if case and Unicode forms are ignored", () => {
  const names = new DistinctNames();
  const given = ["Tea.md", "tea.md", "TEA.MD", "a/b", "a-b", "K", "\u212a"];
  expect(given.map((name) => names.add(name))).toEqual([
    "Tea.md",
    "tea-2.md",
    "TEA-3.MD",
    "a-b",
    "a-b-2",
    "K",
    "K-2",
  ]);
});
