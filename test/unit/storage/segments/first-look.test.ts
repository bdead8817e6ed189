import { describe, expect, it } from "vitest";
import { quantise } from "../../../../src/domain/chunk.ts";
import { spreadOf } from "../../../../src/storage/segments/first-look.ts";
import { Matrix } from "../../../../src/storage/segments/matrix.ts";
import { topicVectors } from "../../../support/topic-vectors.ts";

const ROWS = 20_000;
const SHARE = 0.05;

/** The first `known` vectors as a file holds them, the others as they come later, from behind. */
function matrixOf(vectors: readonly Float32Array[], known: number): Matrix {
  const dimensions = vectors[0]!.length;
  const quantised = vectors.map(quantise);
  const values = new Int8Array(known * dimensions);
  for (let row = 0; row < known; row++) values.set(quantised[row]!.values, row * dimensions);
  const scales = Float32Array.from(quantised.slice(0, known), ({ scale }) => scale);
  const matrix = new Matrix({ dimensions, capacity: known, spread: spreadOf({ scales, values }) });
  for (let row = 0; row < known; row++) matrix.set(row, quantised[row]!);
  for (let row = vectors.length - 1; row >= known; row--) matrix.set(row, quantised[row]!);
  return matrix;
}

describe("the first look at vectors", () => {
  it.each([128, 200, 384, 1001])("leaves out hardly any of the nearest ten of %i components and gives the scores of the scan", (dimensions) => {
    const vectors = topicVectors(ROWS, 2, dimensions);
    const matrix = matrixOf(vectors, 17_000);
    let found = 0;
    const queries = topicVectors(50, 3, dimensions);
    for (const query of queries) {
      const [all, some] = [new Float32Array(ROWS), new Float32Array(ROWS).fill(Number.NaN)];
      matrix.scan(query, all);
      expect(matrix.scanNearest(query, some, SHARE)).toBe(true);
      const named = [...some.keys()].filter((row) => !Number.isNaN(some[row]!));
      expect(named.every((row) => some[row] === all[row])).toBe(true);
      expect(named.length).toBeLessThan(ROWS * SHARE * 2);
      const best = [...all.keys()].sort((a, b) => all[b]! - all[a]!).slice(0, 10);
      found += best.filter((row) => some[row] === all[row]).length;
    }
    expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98);
  });

  it("leaves vectors to the scan that are few, short, or too much alike, and a query that says nothing", () => {
    const scores = new Float32Array(ROWS).fill(7);
    const [one] = topicVectors(1, 4);
    const alike = matrixOf(
      Array.from({ length: ROWS }, () => one!),
      ROWS,
    );
    expect(alike.scanNearest(one!, scores, SHARE)).toBe(false);
    const few = matrixOf(topicVectors(1000, 5), 1000);
    expect(few.scanNearest(one!, scores, SHARE)).toBe(false);
    expect(spreadOf({ scales: new Float32Array(ROWS), values: new Int8Array(100 * ROWS) })).toBeUndefined();
    expect(matrixOf(topicVectors(17_000, 6), 17_000).scanNearest(new Float32Array(one!.length), scores, SHARE)).toBe(false);
    expect(scores.every((score) => score === 7)).toBe(true);
  });
});
