import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { RamTerms } from "../../../src/index/ram/ram-terms.ts";
import type { Terms } from "../../../src/index/terms.ts";

const WORDS = ["a", "b", "c", "灯", "灯塔", "__proto__", "constructor", ""];
const bag = fc
  .dictionary(
    fc.constantFrom(...WORDS),
    fc.integer({ min: 1, max: 9 }).map((halves) => halves / 2),
  )
  .map((record) => new Map(Object.entries(record)));

/** Requirements for every implementation of Terms. */
export function termsSuite(name: string, open: () => Terms): void {
  describe(`${name} as an index of terms`, () => {
    let terms: Terms;
    beforeEach(() => {
      terms = open();
    });

    it("a term index lists the rows that contain a term, with weights in units of one half", () => {
      terms.add(0, new Map([["owl", 2]]));
      terms.add(1, new Map([["owl", 1.5]]));
      terms.add(2, new Map([["elk", 1]]));
      expect(terms.list("owl")).toEqual({ rows: Uint32Array.of(0, 1), weights: Uint16Array.of(4, 3) });
      expect(terms.list("emu")).toBeUndefined();
    });

    it("a term index agrees with a simple implementation on any documents", () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(bag, fc.boolean()), { maxLength: 80 }), (documents) => {
          const [tested, oracle] = [open(), new RamTerms()];
          for (const [row, [weights]] of documents.entries())
            for (const index of [tested, oracle]) index.add(row, weights);
          const live = Uint8Array.from(documents, ([, lives]) => Number(lives));
          for (const word of WORDS) {
            expect(tested.list(word)).toEqual(oracle.list(word));
            const groups = Int32Array.from(documents, (_, row) => (row % 4) - 1);
            const [sums, wantedSums] = [new Float32Array(3), new Float32Array(3)];
            const [touched, wantedTouched] = [new Int32Array(3), new Int32Array(3)];
            const end = tested.sum(word, live, groups, sums, touched, 0);
            const wantedEnd = oracle.sum(word, live, groups, wantedSums, wantedTouched, 0);
            expect(sums).toEqual(wantedSums);
            expect(touched.subarray(0, end).sort()).toEqual(wantedTouched.subarray(0, wantedEnd).sort());
            // a recomputed sum has been reported
            expect(tested.sum(word, live, groups, sums, touched, end)).toBe(end);
            for (const other of WORDS) {
              const held = oracle.holders([word, other], live, 3);
              expect(tested.holders([word, other], live, 3)).toEqual(held);
            }
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
