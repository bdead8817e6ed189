import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NUMBERS } from "../../../src/storage/record-codec.ts";
import type { ServerFacts } from "../../../src/storage/server-facts.ts";

/** Requirements for every implementation of ServerFacts. `again` opens them as another process would. */
export function factsSuite(
  name: string,
  open: () => Promise<{
    readonly facts: ServerFacts;
    readonly again: () => ServerFacts;
    readonly dispose: () => Promise<void>;
  }>,
): void {
  describe(`facts of ${name}`, () => {
    let facts: ServerFacts;
    let again: () => ServerFacts;
    let dispose: () => Promise<void>;
    beforeEach(async () => {
      ({ facts, again, dispose } = await open());
    });
    afterEach(() => dispose());

    it("a server fact keeps the first value that is stored, for simultaneous and later callers", async () => {
      const values = Array.from({ length: 50 }, (_, i) => i + 1);
      const settled = new Set(await Promise.all(values.map((value) => facts.settle("a", NUMBERS, value))));
      expect(settled.size).toBe(1);
      const [first = 0] = settled;
      expect(values).toContain(first);
      expect(await again().settle("a", NUMBERS, 99)).toBe(first);
      expect(await facts.settle("b", NUMBERS, 7)).toBe(7);
    });

    it("simultaneous additions to a tally are all summed, and its maxima keep the highest values", async () => {
      expect(await facts.tally("t")).toEqual({ sums: {}, highest: {} });
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          (i % 2 === 0 ? facts : again()).add("t", { sums: { calls: 1, bytes: i }, highest: { at: i } }),
        ),
      );
      await facts.add("t", { sums: { late: 5 }, highest: { at: 3, other: -1 } });
      expect(await again().tally("t")).toEqual({
        sums: { calls: 100, bytes: 4950, late: 5 },
        highest: { at: 99, other: -1 },
      });
    });
  });
}
