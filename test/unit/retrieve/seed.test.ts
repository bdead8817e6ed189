import fc from "fast-check";
import { expect, it } from "vitest";
import { ScoreBuffer } from "../../../src/index/segments/score-buffer.ts";
import type { Evidence } from "../../../src/retrieve/ranking/fuse.ts";
import type { SegmentEvidence } from "../../../src/retrieve/ranking/live-rows.ts";
import { candidates, depthFor } from "../../../src/retrieve/ranking/seed.ts";
import type { SearchView } from "../../../src/retrieve/view.ts";
import { asked } from "./world.ts";

/** Large enough that the best are searched for above an estimated score. */
const ROWS = 40_000;
const ROWS_PER_NODE = 3;
const LIMIT = 10;
const NODES = Math.ceil(ROWS / ROWS_PER_NODE);

/**
 * Rows in two parts, some of them live and in the filter masks. Scores take the given number of values; with
 * few values many rows have equal scores.
 */
function evidenceOf(
  random: () => number,
  { live, filterMasks, steps, found }: Record<"live" | "filterMasks" | "steps" | "found", number>,
) {
  const memory = new ScoreBuffer();
  memory.reserve(ROWS);
  const mask = () => Uint8Array.from({ length: NODES }, () => Number(random() < filterMasks));
  const segments = [
    [0, 25_000],
    [25_000, ROWS],
  ].map(([from, to]) => {
    const rows = to! - from!;
    const bm25 = memory
      .column("bm25", from!, to!)
      .map(() => (random() < found ? Math.ceil(random() * steps) / steps : 0));
    const cosine = memory
      .column("cosine", from!, to!)
      .map(() => (random() < 0.1 ? Number.NaN : Math.ceil(random() * steps) / steps - 0.5));
    memory.column("bm25", from!, to!).set(bm25);
    memory.column("cosine", from!, to!).set(cosine);
    return {
      documents: {
        rows,
        node: Int32Array.from({ length: rows }, (_, row) => Math.floor((from! + row) / ROWS_PER_NODE)),
        level: new Uint8Array(rows).fill(2),
      },
      live: { mask: Uint8Array.from({ length: rows }, () => Number(random() < live)), layers: [] },
      bm25: memory.column("bm25", from!, to!),
      peaks: memory.peaks(memory.column("bm25", from!, to!)),
      cosine: memory.column("cosine", from!, to!),
      scored: {},
    } as unknown as SegmentEvidence;
  });
  const view = { filterMasks: [mask(), mask(), mask()] } as unknown as SearchView;
  return { view, evidence: { segments, memory } as unknown as Evidence };
}

/** Computes the scores of the best nodes without optimizations. */
function bestScores(
  view: SearchView,
  { segments }: Evidence,
  half: "bm25" | "cosine",
  floor: number,
): number[] {
  const best = new Map<number, number>();
  for (const { documents, live, [half]: scores } of segments)
    for (const [row, score] of scores.entries()) {
      const node = documents.node[row]!;
      if (score > floor && live.mask[row] === 1 && view.filterMasks[2][node] === 1)
        best.set(node, Math.max(score, best.get(node) ?? floor));
    }
  return [...best.values()].sort((a, b) => b - a).slice(0, depthFor(LIMIT));
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns nodes with a score above the worst of the best that were not taken. */
function missedIn(
  { filterMasks }: SearchView,
  { segments }: Evidence,
  half: "bm25" | "cosine",
  worst: number,
  taken: ReadonlySet<number>,
) {
  return segments.flatMap(({ documents, live, [half]: scores }) => {
    const isMissed = (node: number, row: number) =>
      scores[row]! > worst && live.mask[row] === 1 && filterMasks[2][node] === 1 && !taken.has(node);
    return [...documents.node].filter(isMissed);
  });
}

it("search candidates include the best by words and by vectors among many rows", () => {
  const share = fc.constantFrom(0.001, 0.01, 0.5, 1);
  const shares = fc.record({
    live: share,
    filterMasks: share,
    steps: fc.constantFrom(3, 40, 2 ** 20),
    found: share,
  });
  fc.assert(
    fc.property(shares, fc.nat(2 ** 31), (how, seed) => {
      const { view, evidence } = evidenceOf(randomFrom(seed), how);
      const chosen = candidates(view, asked(""), evidence, LIMIT);
      const taken = new Set(chosen.nodes);
      for (const [half, floor, count] of [
        ["bm25", 0, chosen.lexical],
        ["cosine", Number.NEGATIVE_INFINITY, chosen.dense],
      ] as const) {
        const best = bestScores(view, evidence, half, floor);
        expect(count).toBe(best.length);
        expect(
          missedIn(view, evidence, half, best.length < depthFor(LIMIT) ? floor : best.at(-1)!, taken),
        ).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
});
