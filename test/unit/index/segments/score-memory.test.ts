import { describe, expect, it } from "vitest";
import { termScore } from "../../../../src/domain/score.ts";
import { ScoreBuffer } from "../../../../src/index/segments/score-buffer.ts";

const ROWS = 20_000;

/** More than is added at once: of the first 15,000 rows every third. Of ten rows one does not count. */
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
    const best = memory.add(list, 3, norms, scores);
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
    expect(memory.add({ rows: new Uint32Array(0), weights: new Uint16Array(0) }, 3, norms, scores)).toBe(0);
    memory.add(few, 3, norms.subarray(from), scores.subarray(from));
    expect([...scores.entries()].filter(([, score]) => score > 0).map(([row]) => row)).toEqual([
      from + 1,
      from + 4,
    ]);
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
