import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headings } from "../../../src/domain/text/headings.ts";
import { estimateTokens } from "../../../src/domain/text/tokens.ts";
import { compareNames, segmentFault } from "../../../src/domain/uri.ts";
import type { Section } from "../../../src/ingest/parse/parsed.ts";
import { MAX_SECTION_TOKENS, MAX_SECTIONS, sections } from "../../../src/ingest/parse/sections.ts";

const cut = (text: string) => sections(text, headings(text), "Doc");

function checkSections(text: string, found: readonly Section[]): void {
  expect(found.map((section) => section.text).join("")).toBe(text);
  const paths = found.map((section) => section.path.join("/"));
  expect(new Set(paths).size).toBe(paths.length);
  expect([...found].sort((a, b) => comparePaths(a.path, b.path))).toEqual(found);
  expect(found.length).toBeLessThanOrEqual(MAX_SECTIONS);
  for (const { path } of found) {
    expect(path.length).toBeLessThanOrEqual(4);
    expect(path.at(-1)).toMatch(/\.md$/);
    for (const name of path) {
      expect(segmentFault(name)).toBeUndefined();
      expect(name.startsWith(".")).toBe(false);
      expect(name.normalize("NFC")).toBe(name);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
    }
  }
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((name, at) => name !== b[at]);
  return i < 0 ? 0 : compareNames(a[i]!, b[i] ?? "");
}

const sentence = (i: number) =>
  `Paragraph ${i} describes marker${i}q in the long report with several ordinary words around it.`;
const REPORT = `# Report\n\nIntro text.\n\n${Array.from({ length: 8 }, (_, i) => `## Section ${i}\n\n${Array.from({ length: 20 }, (_, j) => sentence(i * 20 + j)).join(" ")}`).join("\n\n")}`;

describe("sections", () => {
  it.each([
    ["latin", 3250, false],
    ["latin", 3450, true],
    ["cjk", 1400, false],
    ["cjk", 1480, true],
  ])("a text is split into sections above 1,000 tokens: %s %i %s", (kind, count, isSplit) => {
    const half = count / 2;
    const body =
      kind === "latin" ? "abcdefghi ".repeat(Math.floor(half / 9)) : "山水风光".repeat(Math.floor(half / 4));
    const found = cut(`# A\n\n${body}\n\n# B\n\n${body}\n`);
    expect(found?.length).toBe(isSplit ? 2 : undefined);
  });

  it("sections follow the headings, and small adjacent ones are joined", () => {
    const found = cut(REPORT)!;
    checkSections(REPORT, found);
    expect(found.map((section) => section.path.join("/"))).toEqual(
      ["01-report-to-section-0.md"].concat(
        Array.from({ length: 7 }, (_, i) => `0${i + 2}-section-${i + 1}.md`),
      ),
    );
    expect(found[3]).toMatchObject({ title: "Section 3", headings: ["Report", "Section 3"] });
  });

  it("sections are nested if a heading contains several of them", () => {
    const part = (name: string) =>
      `## ${name}\n\n${["x", "y", "z"].map((sub) => `### ${sub}\n\n${sentence(1).repeat(30)}\n\n`).join("")}`;
    const text = `# Doc\n\n${part("One")}${part("Two")}`;
    const found = cut(text)!;
    checkSections(text, found);
    expect(found.map((section) => section.path.join("/"))).toEqual([
      "01-one/01-doc-to-x.md",
      "01-one/02-y.md",
      "01-one/03-z.md",
      "02-two/01-two-to-x.md",
      "02-two/02-y.md",
      "02-two/03-z.md",
    ]);
    expect(found.find((section) => section.path.join("/") === "02-two/02-y.md")).toMatchObject({
      title: "y",
      headings: ["Doc", "Two", "y"],
    });
  });

  it.each([
    ["a fence", `\`\`\`\n# not a heading\n${"code line here\n".repeat(400)}\`\`\`\n\nThe tail.`],
    ["no headings", `${"no headings at all. ".repeat(600)}The tail.`],
    ["one word", `# Only\n\n${"x".repeat(8000)} The tail.`],
    ["skipped levels", `# A\n\n#### Deep\n\n${"words and words ".repeat(500)}\n\n## Back\n\nThe tail.`],
    [
      "repeated headings",
      `# Doc\n\n${Array.from({ length: 6 }, (_, i) => `## Notes\n\nunique${i}z ${"filler words for size here ".repeat(80)}`).join("\n\n")}`,
    ],
    [
      "odd names",
      ["..", ".abstract.md", "CON", "a/b\\c", "‮evil", "e\u0301", "", "😀".repeat(90), "***"]
        .map((name) => `# ${name}\n\n${sentence(1).repeat(30)}\n\n`)
        .join(""),
    ],
    ["surrogate pairs", "😀".repeat(20_000)],
    ["blank space", `${" \n".repeat(5000)}${"word ".repeat(2000)}${"\n".repeat(5000)}`],
  ])("sections of %s lose nothing", (_, text) => {
    const found = cut(text)!;
    checkSections(text, found);
    expect(found.length).toBeGreaterThan(1);
    for (const section of found) {
      expect(section.text.isWellFormed()).toBe(true);
      expect(estimateTokens(section.text)).toBeLessThanOrEqual(MAX_SECTION_TOKENS);
    }
  });

  it("sections become longer if there would be too many", () => {
    const text = Array.from(
      { length: 9000 },
      (_, i) => `${"#".repeat((i % 6) + 1)} h${i}\n\n${"some words of filler text here ".repeat(30)}\n\n`,
    ).join("");
    checkSections(text, cut(text)!);
  });

  it("the sections of any text concatenate to it", () => {
    const block = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), fc.string({ maxLength: 20 }))
        .map(([level, title]) => `${"#".repeat(level)} ${title}`),
      fc
        .tuple(
          fc.constantFrom("word ", "x", "Ends here. ", "漢字。", "😀", "- item\n", "\n", "|a|b|\n"),
          fc.integer({ min: 1, max: 1500 }),
        )
        .map(([unit, count]) => unit.repeat(count)),
      fc.constantFrom("```", "~~~", "---", "===", "<div>"),
    );
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 25 }),
        fc.constantFrom("\n\n", "\n", "\r\n\r\n"),
        (blocks, gap) => {
          const text = blocks.join(gap);
          const found = cut(text);
          if (found) checkSections(text, found);
          else expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_SECTION_TOKENS);
        },
      ),
      { numRuns: 60 },
    );
  });
});
