import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantise } from "../../../src/domain/quantise.ts";
import { RamVectors } from "../../../src/index/ram/ram-vectors.ts";
import type { Vectors } from "../../../src/index/vectors/vectors.ts";

/** Returns components that approximate unit vectors up to a few units. */
const vector = (dimensions: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values));

/** Requirements for every implementation of Vectors. */
export function vectorsSuite(name: string, open: (dimensions: number) => Vectors): void {
  describe(`${name} as an index of vectors`, () => {
    it("a vector index scores only rows that have a vector", () => {
      const vectors = open(2);
      vectors.set(2, quantise(Float32Array.of(0.5, -0.5)));
      vectors.set(0, quantise(Float32Array.of(0, 1)));
      const scores = new Float32Array(4).fill(Number.NaN);
      vectors.scan(Float32Array.of(1, 0), scores);
      expect(scores[0]).toBe(0);
      expect(scores[1]).toBeNaN();
      expect(scores[2]).toBeCloseTo(0.5, 3);
      expect(scores[3]).toBeNaN();
      expect(vectors.size).toBe(2);
    });

    it("setting a row's vector again in a vector index replaces the earlier vector", () => {
      const vectors = open(2);
      vectors.set(0, quantise(Float32Array.of(1, 0)));
      vectors.set(0, quantise(Float32Array.of(0, 1)));
      const scores = new Float32Array(1);
      vectors.scan(Float32Array.of(0, 1), scores);
      expect(scores[0]).toBeCloseTo(1, 3);
      expect(vectors.size).toBe(1);
    });

    it("a zero vector and a zero query score 0", () => {
      const vectors = open(2);
      vectors.set(0, quantise(Float32Array.of(0, 0)));
      vectors.set(1, quantise(Float32Array.of(1, 0)));
      const scores = new Float32Array(2).fill(Number.NaN);
      vectors.scan(Float32Array.of(1, 0), scores);
      expect(scores[0]).toBe(0);
      vectors.scan(Float32Array.of(0, 0), scores);
      expect([...scores]).toEqual([0, 0]);
    });

    it("a vector index refuses vectors and queries of another length", () => {
      const vectors = open(4);
      expect(() => vectors.set(0, quantise(new Float32Array(3)))).toThrow(RangeError);
      expect(() => vectors.scan(new Float32Array(5), new Float32Array(1))).toThrow(RangeError);
      expect(() => vectors.scorer(new Float32Array(5))).toThrow(RangeError);
      expect(vectors.size).toBe(0);
    });

    it.each(["in order", "from behind"])("a vector index scores all live rows that were set %s", (order) => {
      const ROWS = 2500;
      const vectors = open(2);
      for (let i = 0; i < ROWS; i++) {
        const row = order === "in order" ? i : ROWS - 1 - i;
        vectors.set(row, { scale: 1, values: Int8Array.of(row % 100, 1) });
      }
      for (const [from, to] of [
        [2300, 2500],
        [1024, 1025],
        [5, 1030],
        [0, 0],
      ] as const) {
        const live = new Uint8Array(ROWS).fill(1, from, to);
        const scores = new Float32Array(ROWS);
        vectors.scan(Float32Array.of(1, 0), scores, live);
        expect([...scores.subarray(from, to)].map(Math.round)).toEqual(
          Array.from({ length: to - from }, (_, i) => (from + i) % 100),
        );
      }
    });

    it.each(["in order", "from behind"])(
      "a vector index gives a single row the score that a scan gives it, with vectors set %s",
      (order) => {
        const ROWS = 2500;
        const vectors = open(2);
        for (let i = 0; i < ROWS; i++) {
          const row = order === "in order" ? i : ROWS - 1 - i;
          if (row !== 7) vectors.set(row, { scale: 1 / (row + 1), values: Int8Array.of(row % 100, 1) });
        }
        const query = Float32Array.of(1, 0.5);
        const all = new Float32Array(ROWS + 1).fill(Number.NaN);
        vectors.scan(query, all);
        const scoreRow = vectors.scorer(query);
        expect([...all.keys()].map((row) => Math.fround(scoreRow(row)))).toEqual([...all]);
      },
    );

    it("a vector index agrees with a simple implementation for any dimensions, rows and order", () => {
      const cases = fc.constantFrom(1, 16, 20, 128).chain((dimensions) =>
        fc.record({
          dimensions: fc.constant(dimensions),
          rows: fc.array(fc.tuple(fc.nat(60), vector(dimensions)), { maxLength: 50 }),
          query: vector(dimensions),
        }),
      );
      fc.assert(
        fc.property(cases, ({ dimensions, rows, query }) => {
          const [tested, oracle] = [open(dimensions), new RamVectors(dimensions)];
          for (const [row, values] of rows)
            for (const vectors of [tested, oracle]) vectors.set(row, quantise(values));
          const [got, wanted] = [new Float32Array(61).fill(7), new Float32Array(61).fill(7)];
          tested.scan(query, got);
          oracle.scan(query, wanted);
          for (const [row, score] of wanted.entries())
            expect(Math.abs(got[row]! - score)).toBeLessThan(1e-3 * dimensions);
        }),
        { numRuns: 60 },
      );
    });
  });
}
