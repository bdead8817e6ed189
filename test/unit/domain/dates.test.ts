import { describe, expect, it } from "vitest";
import { datesIn } from "../../../src/domain/text/dates.ts";

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 21, 1);

describe("datesIn", () => {
  it.each([
    ["What did we decide yesterday?", ["2026-11-20"]],
    ["the day before yesterday, and today", ["2026-11-19", "2026-11-21"]],
    ["two weeks ago or 3 days ago", ["2026-11-07", "2026-11-18"]],
    ["last Friday and last saturday", ["2026-11-20", "2026-11-14"]],
    ["this month, last month, eleven months on", ["2026-11", "2026-10"]],
    ["12 months ago", ["2025-11"]],
    ["昨天说的和上个月说的, 三天前", ["2026-11-20", "2026-10", "2026-11-18"]],
    ["yesterdayness 5 apples ago", []],
  ])("dates are found in the question %s", (text, dates) => {
    expect(datesIn(text, NOW).map(({ date }) => date)).toEqual(dates);
  });
});
