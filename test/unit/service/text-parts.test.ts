import { describe, expect, it } from "vitest";
import { encodingOf, textPieces } from "../../../src/service/text-parts.ts";

const MI = 1024 * 1024;

async function* inParts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function piecesOf(text: string) {
  const pieces: { text: string; linesBefore: number }[] = [];
  for await (const piece of textPieces(inParts(Buffer.from(text), 64 * 1024), "utf-8")) pieces.push(piece);
  return pieces;
}

describe("a long text in pieces", () => {
  it("a long text is split at line breaks, with the number of earlier lines", async () => {
    const text = Array.from({ length: 150_000 }, (_, i) => `line ${i} of a long text with ü\n`).join("");
    const pieces = await piecesOf(text);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) {
      expect(piece.text).toMatch(new RegExp(`^line ${piece.linesBefore} `));
      expect(piece.text.length).toBeLessThan(1.2 * MI);
    }
  });

  it("a line longer than 4 Mi characters is split and counted once", async () => {
    const text = `first\n${"x".repeat(9 * MI)}\nlast\n`;
    const pieces = await piecesOf(text);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    for (const piece of pieces) expect(piece.text.length).toBeLessThan(4.2 * MI);
    expect(pieces.map(({ linesBefore }) => linesBefore)).toEqual([0, 1, 1, 1].slice(0, pieces.length));
  });
});

it.each([
  ["utf-8", Buffer.from("ä".repeat(40_000)).subarray(0, 65_535)],
  ["utf-16le", Buffer.from(`\ufeff${"line\n".repeat(1000)}`, "utf16le")],
  ["gbk", Buffer.from("d6d0cec4b5c4cec4d7d6".repeat(500), "hex")],
  [undefined, Buffer.alloc(5000)],
])(
  "the encoding of a long text is detected from its beginning, even within a character: %s",
  async (encoding, bytes) => {
    expect(await encodingOf(inParts(bytes, 1000))).toBe(encoding);
  },
);
