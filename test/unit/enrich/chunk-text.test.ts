import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChunkOptions,
  chunkText,
  MAX_CHUNK_LENGTH,
  MAX_CHUNK_PIECES,
} from "../../../src/enrich/chunk-text.ts";

/**
 * Counts like a word piece model: one piece per five letters, one for a sign or an ideograph, one for a word
 * of more than 100 letters.
 */
function countPieces(text: string): number {
  let pieces = 0;
  for (const [token] of text.matchAll(/\p{sc=Han}|[\p{L}\p{N}]+|\S/gu))
    pieces += token.length > 100 ? 1 : Math.ceil(token.length / 5);
  return pieces;
}

const cut = (text: string, options: Partial<ChunkOptions> = {}) =>
  chunkText(text, { countPieces, title: "Doc", kind: "markdown", ...options });

function checkChunks(text: string, chunks: ReturnType<typeof cut>): void {
  let at = 0;
  for (const { start, end } of chunks) {
    expect(text.slice(at, start).trim()).toBe("");
    const piece = text.slice(start, end);
    expect(piece.trim()).toBe(piece);
    expect(piece).not.toBe("");
    expect(countPieces(piece)).toBeLessThanOrEqual(MAX_CHUNK_PIECES);
    expect(piece.length).toBeLessThanOrEqual(MAX_CHUNK_LENGTH);
    expect(piece.isWellFormed() || !text.isWellFormed()).toBe(true);
    at = end;
  }
  expect(text.slice(at).trim()).toBe("");
}

describe("chunks", () => {
  it("a chunk has its heading path, and a heading without text joins the text below it", () => {
    const text =
      "Preface.\n\n# Guide\n\n## Install\n\nRun it.\n\nThen wait.\n\n### Linux\n\nUse apt.\n\n## Use\n\nCall it.\n";
    expect(cut(text).map(({ start, end, title }) => [title, text.slice(start, end)])).toEqual([
      ["Doc", "Preface."],
      ["Doc > Guide > Install", "# Guide\n\n## Install\n\nRun it.\n\nThen wait."],
      ["Doc > Guide > Install > Linux", "### Linux\n\nUse apt."],
      ["Doc > Guide > Use", "## Use\n\nCall it."],
    ]);
  });

  it("a chunk of a section continues the heading path without repeating its own heading", () => {
    const titles = (text: string, headings: string[]) => cut(text, { headings }).map(({ title }) => title);
    expect(titles("## B\n\ntext\n\n### C\n\nmore", ["A", "B"])).toEqual(["Doc > A > B", "Doc > A > B > C"]);
    expect(titles("the rest of it", ["A", "B"])).toEqual(["Doc > A > B"]);
    expect(cut("# Doc\n\ntext")[0]!.title).toBe("Doc");
  });

  it("a chunk title is short: the document title and the nearest headings", () => {
    const text = `${Array.from({ length: 6 }, (_, i) => `${"#".repeat(i + 1)} ${`h${i} `.repeat(30)}`).join("\n")}\n\ntext`;
    const title = cut(text)[0]!.title;
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title.startsWith("Doc > ")).toBe(true);
    expect(title).toContain("h5");
  });

  it("chunks end at sentence ends in Latin and CJK scripts", () => {
    for (const text of [
      "The keeper trims the lamp every four hours through the night. ".repeat(60),
      "灯塔看守人整夜每四小时修剪一次灯芯。".repeat(60),
    ]) {
      const chunks = cut(text, { kind: "text" });
      checkChunks(text, chunks);
      expect(chunks.length).toBeGreaterThan(2);
      for (const { start, end } of chunks) expect(text.slice(start, end)).toMatch(/[.。]$/);
    }
  });

  it("a text a little too long for one chunk is cut into two of similar length", () => {
    const text = "The keeper trims the lamp every four hours. ".repeat(21);
    expect(countPieces(text)).toBe(210);
    const lengths = cut(text, { kind: "text" }).map(({ start, end }) => countPieces(text.slice(start, end)));
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1.5 * Math.min(...lengths));
  });

  it("chunks of code end at line breaks, and # is not a heading in them", () => {
    const text = Array.from(
      { length: 200 },
      (_, i) => `# comment ${i}\ndef f${i}(a, b):\n    return a + b`,
    ).join("\n");
    const chunks = cut(text, { kind: "code" });
    checkChunks(text, chunks);
    for (const { end, title } of chunks) {
      expect(["\n", undefined]).toContain(text[end]);
      expect(title).toBe("Doc");
    }
  });

  it("an empty text has no chunks", () => {
    expect(cut("")).toEqual([]);
    expect(cut(" \n\n\t")).toEqual([]);
  });

  it("chunks cover any text in order, without loss and within their limits", () => {
    const unit = fc.constantFrom(
      "word ",
      "Ends. ",
      "x",
      "漢",
      "文。",
      "😀",
      "\n",
      "\n\n",
      "- item\n",
      "# H\n",
      "```\n",
      "|a|\n",
      ".",
      "\u3000",
      "é",
      "e.g. ",
      "\r\n",
    );
    const run = fc
      .tuple(unit, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3000 })))
      .map(([text, count]) => text.repeat(count));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(run, fc.string({ unit: "binary", maxLength: 40 })), { maxLength: 12 }),
        fc.constantFrom("markdown" as const, "text" as const, "code" as const),
        (runs, kind) => {
          const text = runs.join("");
          checkChunks(text, cut(text, { kind }));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["one line of sentences", "The cat sat on the mat. ".repeat(40_000)],
    ["one line of words", "word ".repeat(200_000)],
    ["one word", "x".repeat(1_000_000)],
    ["full stops", ".".repeat(1_000_000)],
    ["ideographs", "山水风光".repeat(100_000)],
    ["short wide sentences", "山水。".repeat(300_000)],
    ["list items", "- a b c\n".repeat(120_000)],
    ["short paragraphs", "a\n\n".repeat(300_000)],
    ["abbreviations", "e.g. ".repeat(200_000)],
  ])("chunking a megabyte of %s counts each character a few times only", (_, text) => {
    let counted = 0;
    const counting = (piece: string) => {
      counted += piece.length;
      return countPieces(piece);
    };
    chunkText(text, { countPieces: counting, title: "Doc", kind: "text" });
    expect(counted).toBeLessThan(text.length * 12);
  });
});
