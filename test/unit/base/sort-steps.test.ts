import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { sortSteps } from "../../../src/base/sort-steps.ts";

const byRank = (one: { rank: number }, other: { rank: number }) => one.rank - other.rank;

describe("sorting in steps", () => {
  it("sorting a list in steps gives the same order as sorting it at once, and is stable", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 50 }), (length, ranks) => {
        const items = Array.from({ length }, (_, at) => ({ rank: (at * 7919) % ranks, at }));
        expect(atOnce(sortSteps(items, byRank))).toEqual(items.toSorted(byRank));
      }),
      { numRuns: 30 },
    );
  });

  it("a long list is sorted in many steps", () => {
    const items = Array.from({ length: 20_000 }, (_, i) => ({ rank: (i * 7919) % 20_000 }));
    expect([...sortSteps(items, byRank)].length).toBeGreaterThan(200);
  });
});
