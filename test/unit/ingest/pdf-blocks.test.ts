import { expect, it } from "vitest";
import { blocksOf } from "../../../src/ingest/parse/pdf/blocks.ts";
import { FontWidths, type Line } from "../../../src/ingest/parse/pdf/page-lines.ts";
import { faultOfGrowth } from "../../support/growth.ts";

const LINE_LENGTH = 60;

/** Lines of a log, which begin with digits and end without a full stop. */
const logLines = (count: number): Line[] =>
  Array.from({ length: count }, (_, i) => ({
    page: 1 + Math.floor(i / 50),
    cells: [{ text: `2026-11-21 request ${i} was answered by the host in the cellar`, x: 50, end: 500 }],
    y: 50 + (i % 50) * 12,
    size: 10,
    fonts: new Map([["F", LINE_LENGTH]]),
  }));

const joined = (count: number): string => blocksOf(logLines(count), new Map(), new FontWidths());

it("the lines of a log that go on over pages are one paragraph", () => {
  expect(joined(200).split(/ (?=2026-11-21)/)).toHaveLength(200);
});

it("a paragraph of all lines of a long PDF is joined in time in proportion to it", () => {
  const run = (text: string) => joined(Math.ceil(text.length / LINE_LENGTH));
  expect(faultOfGrowth(run, (length) => " ".repeat(length))).toBeUndefined();
});
