import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atxHeading, frontMatterEnd, headings, plainInline } from "../../../src/domain/text/headings.ts";

describe("headings", () => {
  it("Markdown headings are found outside code, lists and front matter, with any line breaks", () => {
    const text =
      "---\ntitle: x\n---\n# A **b** [c](d) #\n\n```\n# code\n```\nTwo\nlines\n===\n- x\n\n  # in a list\n\n> # quoted\n\n    # indented\n\n### C\n#none\n";
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      const found = headings(source);
      expect(found.map(({ level, title }) => [level, title])).toEqual([
        [1, "A b c"],
        [1, "Two lines"],
        [3, "C"],
      ]);
      for (const { start, end, title } of found) {
        expect(plainInline(source.slice(start, end).replace(/^#+|#+\s*$|=+/g, ""))).toBe(title);
        expect(start === 0 || source[start - 1] === "\n").toBe(true);
      }
    }
  });

  it.each(["\n", " \n", "\r\n", "\r", "\t\n", "\u00a0\n"])(
    "a long gap of %j between headings gives the same headings as a short one",
    (gap) => {
      const parts = ["# A", "two\nlines\n===", "- a\n\n  # in a list", "```\n# code", "```", "## B"];
      const found = (length: number) => {
        const between = `\n\n${gap.repeat(length)}\n`;
        return headings(parts.join(between)).map(({ start, ...heading }) => [
          heading.level,
          heading.title,
          parts.join(between).slice(start, start + 3),
        ]);
      };
      expect(found(500)).toEqual(found(1));
    },
  );

  it("headings of a text too large to parse are its # lines outside code fences", () => {
    const filler = "words and words\n".repeat(200_000);
    const found = headings(`# A\n${filler}\`\`\`\n# code\n\`\`\`\n## B ##\n`);
    expect(found.map(({ level, title }) => [level, title])).toEqual([
      [1, "A"],
      [2, "B"],
    ]);
  });

  it("headings are in order in any text", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "# a",
        "## b",
        "===",
        "---",
        "```",
        "~~~",
        "- x",
        "  # y",
        "> q",
        "",
        "\t",
        "word",
        "...",
        "\r",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"), (lines, feed) => {
        const text = lines.join(feed);
        let at = frontMatterEnd(text);
        for (const { start, end, level } of headings(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(level).toBeGreaterThanOrEqual(1);
          at = end;
        }
      }),
    );
  });
});

describe("a heading with #", () => {
  it.each([
    ["# One", 1, "One"],
    ["   ## Two ##", 2, "Two"],
    ["# a # b #", 1, "a # b"],
    ["### ###", 3, ""],
    ["#", 1, ""],
    ["# #x", 1, "#x"],
    ["#\tTab\r\n", 1, "Tab"],
    ["# a\u2028b ", 1, "a\u2028b"],
  ])("the level and title of the heading %j are recognized", (line, level, title) =>
    expect(atxHeading(line)).toEqual({ level, title }),
  );

  it.each(["#x", "####### seven", "    # code", "a # b", ""])("the line %j is not a heading", (line) =>
    expect(atxHeading(line)).toBeUndefined(),
  );

  it.each([
    ["`a` b", "a b"],
    ["``a`b`` c", "a`b c"],
    ["**x** ~~z~~", "x z"],
    ["``` x", "``` x"],
    ["`a", "`a"],
  ])("inline Markdown %j is shown as plain text", (line, shown) => expect(plainInline(line)).toBe(shown));
});
