import { describe, expect, it } from "vitest";
import { termScore } from "../../../../src/domain/score.ts";
import { ScoreBuffer } from "../../../../src/index/segments/score-buffer.ts";

const ROWS = 20_000;

/** Larger than one block: every third of the first 15,000 rows. One row in ten is not live. */
const list = {
  rows: Uint32Array.from({ length: ROWS / 4 }, (_, i) => i * 3),
  weights: Uint16Array.from({ length: ROWS / 4 }, (_, i) => 1 + (i % 7)),
};

function opened() {
  const memory = new ScoreBuffer();
  memory.reserve(ROWS);
  const [norms, scores] = [memory.column("norms", 0, ROWS), memory.column("bm25", 0, ROWS).fill(0)];
  norms.forEach((_, row) => {
    norms[row] = row % 10 === 0 ? Number.POSITIVE_INFINITY : 1 + (row % 5);
  });
  return { memory, norms, scores };
}

describe("the memory of scores", () => {
  it("term scores are added only to live rows", () => {
    const { memory, norms, scores } = opened();
    const best = memory.addTerm(list, 3, norms, scores);
    const wanted = new Float32Array(ROWS);
    for (const [i, row] of list.rows.entries())
      if (row % 10 !== 0) wanted[row] = termScore(3, list.weights[i]!, norms[row]!);
    for (const [row, score] of scores.entries()) expect(score).toBeCloseTo(wanted[row]!, 5);
    expect(best).toBe(scores.reduce((most, score) => Math.max(most, score), 0));
    expect(scores[30]).toBe(0);
  });

  it("term scores can be added to a range of rows", () => {
    const { memory, norms, scores } = opened();
    const from = 5000;
    const few = { rows: Uint32Array.of(1, 4), weights: Uint16Array.of(2, 2) };
    expect(memory.addTerm({ rows: new Uint32Array(0), weights: new Uint16Array(0) }, 3, norms, scores)).toBe(
      0,
    );
    memory.addTerm(few, 3, norms.subarray(from), scores.subarray(from));
    expect([...scores.entries()].filter(([, score]) => score > 0).map(([row]) => row)).toEqual([
      from + 1,
      from + 4,
    ]);
  });

  it("the peaks of a column are the greatest scores of each 64 rows and of the rest", () => {
    const { memory } = opened();
    const scores = memory.column("bm25", 1000, 1000 + 70_000 / 4);
    for (const row of [0, 63, 64, 200, scores.length - 1]) scores[row] = row + 1;
    const peaks = memory.peaks(scores);
    expect(peaks.length).toBe(Math.ceil(scores.length / 64));
    expect([...peaks.entries()].filter(([, peak]) => peak > 0)).toEqual([
      [0, 64],
      [1, 65],
      [3, 201],
      [peaks.length - 1, scores.length],
    ]);
    expect(memory.peaks(scores.subarray(0, 0))).toEqual(new Float32Array(0));
  });

  it("a search sees no cosines of the previous search, whichever rows were scored", () => {
    const { memory } = opened();
    const cosine = memory.column("cosine", 500, 900);
    const isEmpty = () => memory.column("cosine", 0, ROWS).every(Number.isNaN);
    expect(isEmpty()).toBe(true);
    for (const nearest of [[1, 7], undefined, []]) {
      const scored = { cosine, nearest, single: nearest ? [3] : [] };
      memory.clearCosines([scored]);
      for (const row of nearest ?? cosine.keys()) cosine[row] = 1;
      for (const row of scored.single) cosine[row] = 1;
      expect(isEmpty()).toBe(false);
      memory.clearCosines([]);
      expect(isEmpty()).toBe(true);
    }
    memory.clearCosines([{ cosine, nearest: undefined, single: [] }]);
    cosine.fill(1);
    memory.reserve(ROWS * 4);
    expect(memory.column("cosine", 0, ROWS * 4).every(Number.isNaN)).toBe(true);
  });

  it("cached norms are reused until other norms or more space are needed", () => {
    const { memory } = opened();
    const [one, other] = [{}, {}];
    const needed = () => [memory.needsNorms([1, one]), memory.needsNorms([1, one])];
    expect(needed()).toEqual([true, false]);
    expect([memory.needsNorms([2, one]), memory.needsNorms([2, other]), memory.needsNorms([2])]).toEqual([
      true,
      true,
      true,
    ]);
    expect(needed()).toEqual([true, false]);
    memory.reserve(ROWS);
    expect(memory.needsNorms([1, one])).toBe(false);
    memory.reserve(ROWS * 4);
    expect(needed()).toEqual([true, false]);
  });
});
