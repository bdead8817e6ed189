import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, plainText, textOf, textSteps } from "../../../src/domain/text/decode.ts";

const FRENCH =
  "Café très éloigné près du port, où l'on déjeune à midi.\nThe old harbour of Rotterdam is nearby.\n";
const bytesOf = (text: string, encoding: BufferEncoding, mark: number[] = []) =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]);

describe("decode", () => {
  it.each([
    ["utf-8", bytesOf(FRENCH, "utf8")],
    ["utf-8", bytesOf(FRENCH, "utf8", [0xef, 0xbb, 0xbf])],
    ["utf-16le", bytesOf(FRENCH, "utf16le", [0xff, 0xfe])],
    ["utf-16be", bytesOf(`\ufeff${FRENCH}`, "utf16le").swap16()],
    ["utf-16le", bytesOf(FRENCH, "utf16le")],
    ["windows-1252", bytesOf(FRENCH, "latin1")],
  ])("text in the encoding %s is decoded", (encoding, bytes) => {
    expect(decode(bytes)).toEqual({ text: FRENCH, encoding, damaged: false });
    expect(textOf(bytes)).toBe(FRENCH);
  });

  it("GBK text with Chinese and English is decoded", () => {
    const bytes = Buffer.from(
      "c1fabeaeb2e8b2fad3dababcd6ddcef7bafed2bbb4f8a3acb4baccecb2c9d5aab5c4d7eebac3a1a30a54686520686172626f75722e",
      "hex",
    );
    expect(decode(bytes)).toEqual({
      text: "龙井茶产于杭州西湖一带，春天采摘的最好。\nThe harbour.",
      encoding: "gbk",
      damaged: false,
    });
  });

  it("slightly damaged UTF-8 is still decoded as UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from("漢字の文章です。".repeat(20)), Buffer.from([0xe6])]);
    expect(decode(bytes)).toMatchObject({ encoding: "utf-8", damaged: true });
    expect(textOf(bytes)).toBe(decode(bytes)?.text);
  });

  it.each([
    [
      "NULs",
      Buffer.concat([
        Buffer.from([0, 1, 2, 255, 254]),
        Buffer.from(Array.from({ length: 2560 }, (_, i) => i & 255)),
      ]),
    ],
    ["a NUL in text", Buffer.from("text\0text")],
    ["control characters", Buffer.from("\u0001\u0002\u0003 text")],
    ["the magic of PDF", Buffer.from("%PDF-1.7\n1 0 obj\n")],
    ["the magic of ZIP", Buffer.from("PK\u0003\u0004 not really a zip")],
    [
      "random bytes behind a byte order mark",
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255)),
      ]),
    ],
  ])("bytes with %s are binary", (_, bytes) => {
    expect(decode(bytes)).toBeUndefined();
  });

  it("an empty file is decoded as empty UTF-8 text", () => {
    expect(decode(new Uint8Array())).toEqual({ text: "", encoding: "utf-8", damaged: false });
  });

  it("plainText accepts a string only if it is the decoded text of its bytes", () => {
    const pieces = fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: "binary", maxLength: 8 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        const bytes = Buffer.concat(parts);
        const plain = plainText(bytes.toString());
        if (plain !== undefined) expect(plain).toBe(textOf(bytes));
      }),
      { numRuns: 2000 },
    );
    for (const text of ["", "plain", FRENCH, "龙井茶"]) expect(plainText(text)).toBe(text);
  });

  it("every byte of windows-1252 is decoded as by TextDecoder", () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) =>
      i % 2 === 0 ? 0x41 : 0x80 + ((i * 7) % 128),
    );
    expect(textOf(bytes)).toBe(new TextDecoder("windows-1252").decode(bytes));
  });

  it.each([
    ["utf-16le", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(FRENCH.repeat(5000), "utf16le")])],
    ["windows-1252", Buffer.from(FRENCH.repeat(5000), "latin1")],
    ["damaged utf-8", Buffer.concat([Buffer.from("漢字の文章です。".repeat(30_000)), Buffer.from([0xe6])])],
    ["utf-8", Buffer.from(FRENCH.repeat(5000))],
    ["gbk", Buffer.from("c1fabeaeb2e8b2fad3da0a".repeat(40_000), "hex")],
    ["binary", Buffer.from(Array.from({ length: 600_000 }, (_, i) => i & 255))],
  ])("decoding a long text in steps gives the same text: %s", (encoding, bytes) => {
    const steps = textSteps(bytes);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(step.value).toBe(textOf(bytes));
    if (encoding !== "utf-8" && encoding !== "binary") expect(count).toBeGreaterThan(2);
  });
});
