import { describe, expect, it } from "vitest";
import { printable, printableJson, printableLines } from "../../../src/base/printable.ts";
import { cut, tableText, widthOf, wrap } from "../../../src/cli/terminal/columns.ts";
import { paintOf } from "../../../src/cli/terminal/paint.ts";

describe("a table", () => {
  const columns = [
    { title: "Name" },
    { title: "Size", align: "right" as const },
    { title: "About", gives: true as const },
  ];

  it("a table aligns wide characters and has no trailing blanks", () => {
    const text = tableText(columns, [
      ["short", "7", "one"],
      ["日本語の名前", "1234", ""],
    ]);
    expect(text).toBe("Name          Size  About\nshort            7  one\n日本語の名前  1234\n");
  });

  it("a table stays within the terminal's width by shortening a column", () => {
    const text = tableText(
      columns,
      [["name", "1", "a description that is much longer than the terminal is wide"]],
      { width: 40 },
    );
    expect(text.split("\n").every((line) => widthOf(line) <= 40)).toBe(true);
    expect(text).toContain("…");
  });

  it("a table without rows prints nothing", () => {
    expect(tableText(columns, [])).toBe("");
  });

  it("a table prints no terminal escapes from a name", () => {
    const text = tableText(columns, [["\u001b[31mred\nand more\u202e", "1", "x"]]);
    expect(text.split("\n")).toHaveLength(3);
    expect(text).not.toContain("\u001b");
  });

  it("colours do not change the alignment of a table", () => {
    const coloured = tableText([{ title: "Name", style: "name" }, { title: "Last" }], [["a", "b"]], {
      paint: paintOf(true),
    });
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe("Name  Last\na     b\n");
    expect(coloured).toContain("\u001b[36m");
  });
});

describe("texts", () => {
  it("a text is cut to a width in which wide characters count twice", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdefg", 6)).toBe("abcde…");
    expect(widthOf(cut("日本語日本語", 6))).toBeLessThanOrEqual(6);
  });

  it("text is wrapped at word boundaries, with an ellipsis where lines are omitted", () => {
    expect(wrap("one two three four", 9, 9)).toEqual(["one two", "three", "four"]);
    expect(wrap("one two three four", 9, 2)).toEqual(["one two", "three fo…"]);
    expect(wrap("x".repeat(30), 10, 3)).toEqual([`${"x".repeat(9)}…`]);
    expect(wrap("", 10, 3)).toEqual([""]);
  });

  it("printed text loses terminal escapes and control characters", () => {
    expect(printable("a\u0007b\r\nc")).toBe("a b c");
    expect(printableLines("a\u001b]0;title\u0007b\n\tc")).toBe("a]0;titleb\n\tc");
  });

  it("printed JSON has no control characters that a terminal obeys, and keeps its value", () => {
    const value = { text: "a\u009b31m\u009d0;title\u0007\u007f\u202e", many: ["日本語", "\u0085"] };
    for (const indent of [undefined, 2]) {
      const json = printableJson(value, indent);
      expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(JSON.parse(json)).toEqual(value);
    }
  });
});
