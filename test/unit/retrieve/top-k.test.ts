import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TopK } from "../../../src/retrieve/ranking/top-k.ts";

describe("the best keys", () => {
  it("a top-k heap holds the keys of a full sort, for any input", () => {
    const offers = fc.array(fc.tuple(fc.nat(30), fc.nat(20)), { maxLength: 300 });
    fc.assert(
      fc.property(offers, fc.nat(12), fc.integer({ min: -1, max: 10 }), (made, depth, floor) => {
        const best = new TopK(depth, floor);
        const scores = new Map<number, number>();
        for (const [key, score] of made) {
          const before = new Set(best.keys());
          const entered = best.offer(key, score);
          expect(entered).toBe(!before.has(key) && best.keys().includes(key));
          scores.set(key, Math.max(score, scores.get(key) ?? -1));
        }
        const wanted = [...scores.values()]
          .filter((score) => score > floor)
          .sort((a, b) => b - a)
          .slice(0, depth);
        const kept = [...best.keys()].sort((a, b) => scores.get(b)! - scores.get(a)!);
        expect(new Set(kept).size).toBe(kept.length);
        expect(kept.map((key) => scores.get(key))).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it("a top-k heap refuses NaN scores", () => {
    const best = new TopK(2);
    expect(best.offer(1, Number.NaN)).toBe(false);
    expect(best.size).toBe(0);
  });
});
