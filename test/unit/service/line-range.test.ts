import { describe, expect, it } from "vitest";
import { lineRange, linesOf } from "../../../src/service/content/line-range.ts";

const TEXT = "first\nzweite Zeile mit ü\n\n第四行\r\nlast without an end";
const LINES = TEXT.split(/(?<=\n)/);
const MAX = 1000;

/** Encodes UTF-16 in either byte order, with a byte order mark. */
const utf16 = (text: string, order: "le" | "be") => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

async function* inParts(bytes: Uint8Array, size: number, onPart: () => void = () => undefined) {
  for (let at = 0; at < bytes.length; at += size) {
    onPart();
    yield bytes.subarray(at, at + size);
  }
}

describe("some lines of a text that comes in parts", () => {
  it.each([
    ["utf-8", Buffer.from(TEXT)],
    ["utf-16le", utf16(TEXT, "le")],
    ["utf-16be", utf16(TEXT, "be")],
  ])("a line range of a text in parts equals that of the whole text: %s", async (encoding, bytes) => {
    for (const size of [1, 2, 3, 7, 64])
      for (let offset = 0; offset <= LINES.length; offset++)
        for (const limit of [-1, 0, 1, 2, 9]) {
          const wanted = LINES.slice(offset, limit < 0 ? undefined : offset + limit).join("");
          expect(await lineRange(inParts(bytes, size), { offset, limit }, { encoding, maxBytes: MAX })).toBe(
            wanted,
          );
          expect(linesOf(TEXT, { offset, limit }, MAX)).toBe(wanted);
        }
  });

  it("a line range is read only up to its last line", async () => {
    let parts = 0;
    const text = Buffer.from("0123456\n".repeat(1000));
    const some = await lineRange(
      inParts(text, 80, () => void parts++),
      { offset: 20, limit: 10 },
      { encoding: "utf-8", maxBytes: MAX },
    );
    expect(some).toBe("0123456\n".repeat(10));
    expect(parts).toBe(3);
  });

  it("a line range above its limit is given up as soon as it crosses the limit", async () => {
    let parts = 0;
    const text = Buffer.from("x".repeat(100_000));
    const range = { offset: 0, limit: 1 };
    expect(
      await lineRange(
        inParts(text, 100, () => void parts++),
        range,
        { encoding: "utf-8", maxBytes: MAX },
      ),
    ).toBeUndefined();
    expect(parts).toBe(11);
    expect(linesOf(text.toString(), range, MAX)).toBeUndefined();
  });
});
