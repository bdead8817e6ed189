import { expect, it } from "vitest";
import { EventLoopYielder } from "../../../src/base/event-loop.ts";
import { decodeBeginning, textOf, textSteps } from "../../../src/domain/text/decode.ts";
import { longestShare } from "../../support/longest-stretch.ts";

const MIB = 1024 * 1024;

const textInTurns = (bytes: Uint8Array) => new EventLoopYielder().through(textSteps(bytes));

it.each([
  ["ASCII", Buffer.alloc(3 * MIB, "a line of text\n")],
  ["characters of two bytes", Buffer.alloc(3 * MIB, "é")],
  ["characters of three bytes", Buffer.from("灯塔".repeat(500_000))],
  ["characters of four bytes after one", Buffer.from(`a${"\u{1f600}".repeat(700_000)}`)],
  ["a byte order mark", Buffer.from(`\ufeff${"é".repeat(MIB)}`)],
  ["bytes that are not UTF-8 near the end", Buffer.concat([Buffer.alloc(2 * MIB, "é"), Buffer.of(0xff)])],
  ["half a character at the end", Buffer.alloc(2 * MIB + 1, "é")],
  ["UTF-16", Buffer.from("a".repeat(MIB), "utf16le")],
  ["windows-1252", Buffer.alloc(2 * MIB, Buffer.of(0xe9, 0x20, 0x61))],
  ["binary content", Buffer.alloc(2 * MIB)],
])("decoding a long text in steps gives the same text as decoding it at once: %s", async (_, bytes) => {
  expect((await textInTurns(bytes)) === textOf(bytes)).toBe(true);
});

it("a long UTF-8 text is decoded over several turns of the event loop", async () => {
  const bytes = Buffer.from("灯塔的看守人。".repeat(2 * MIB));
  expect(await longestShare(() => textInTurns(bytes))).toBeLessThan(0.5);
});

it.each([
  ["UTF-8", Buffer.from("今天天气很好。".repeat(40_000))],
  ["UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Nest. ".repeat(60_000), "utf16le")])],
  ["little text", Buffer.from("Nest")],
])("the beginning of a text in %s is decoded like the whole", (_, bytes) => {
  const beginning = decodeBeginning(bytes)?.text ?? "";
  const whole = textOf(bytes) ?? "";
  const kept = beginning.slice(0, 64 * 1024);
  expect(kept).toBe(whole.slice(0, 64 * 1024));
});
