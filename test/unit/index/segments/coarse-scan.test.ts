import { describe, expect, it } from "vitest";
import { quantise } from "../../../../src/domain/quantise.ts";
import { Matrix } from "../../../../src/index/vectors/matrix.ts";
import { topicVectors } from "../../../support/topic-vectors.ts";

const ROWS = 20_000;
const SHARE = 0.05;
/** Number of searches after which all vectors have been processed. */
const MANY = ROWS / 256;

function matrixOf(vectors: readonly Float32Array[], rows: Iterable<number> = vectors.keys()): Matrix {
  const matrix = new Matrix({ dimensions: vectors[0]!.length });
  for (const row of rows) matrix.set(row, quantise(vectors[row]!));
  return matrix;
}

/**
 * Returns the coarse scan's candidates after it has processed all vectors, or undefined if everything is
 * scanned.
 */
function nearest(matrix: Matrix, query: Float32Array): Float32Array | undefined {
  const scores = new Float32Array(ROWS).fill(Number.NaN);
  for (let asked = 0; asked < MANY; asked++) {
    if (matrix.scanNearest(query, scores, SHARE)) return scores;
    expect(scores.every(Number.isNaN)).toBe(true);
  }
  return undefined;
}

function scan(matrix: Matrix, query: Float32Array): Float32Array {
  const scores = new Float32Array(ROWS);
  matrix.scan(query, scores);
  return scores;
}

describe("the coarse scan of vectors", () => {
  it.each([128, 200, 384, 1001])(
    "a coarse scan of %i components keeps nearly all of the nearest ten, with exact scores",
    (dimensions) => {
      const vectors = topicVectors(ROWS, 2, dimensions);
      const inOrder = [...vectors.keys()];
      const matrix = matrixOf(vectors, [...inOrder.slice(0, 17_000), ...inOrder.slice(17_000).reverse()]);
      let found = 0;
      const queries = topicVectors(50, 3, dimensions);
      for (const query of queries) {
        const [all, some] = [scan(matrix, query), nearest(matrix, query)!];
        const named = inOrder.filter((row) => !Number.isNaN(some[row]!));
        expect(named.every((row) => some[row] === all[row])).toBe(true);
        expect(named.length).toBeLessThan(ROWS * SHARE * 2);
        const best = [...inOrder].sort((a, b) => all[b]! - all[a]!).slice(0, 10);
        found += best.filter((row) => some[row] === all[row]).length;
      }
      expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98);
    },
  );

  it("a coarse scan includes vectors that replace others or are added later", () => {
    const matrix = matrixOf(topicVectors(17_000, 2));
    const [one, other] = topicVectors(2, 7);
    expect(nearest(matrix, one!)).toBeDefined();
    matrix.set(5, quantise(one!));
    matrix.set(17_000, quantise(other!));
    expect(nearest(matrix, one!)![5]).toBe(scan(matrix, one!)[5]);
    expect(nearest(matrix, other!)![17_000]).toBe(scan(matrix, other!)[17_000]);
  });

  it("few, short or uniform vectors and a zero query use the exact scan", () => {
    const [one] = topicVectors(1, 4);
    const short = topicVectors(17_000, 6, 100);
    expect(nearest(matrixOf(Array.from({ length: 17_000 }, () => one!)), one!)).toBeUndefined();
    expect(nearest(matrixOf(topicVectors(1000, 5)), one!)).toBeUndefined();
    expect(nearest(matrixOf(short), short[0]!)).toBeUndefined();
    expect(nearest(matrixOf(topicVectors(17_000, 6)), new Float32Array(one!.length))).toBeUndefined();
  });
});
