import { describe, expect, it } from "vitest";
import { nodeId } from "../../../src/domain/node.ts";
import { blendWithDocumentAverages, offerBest } from "../../../src/retrieve/ranking/document-scores.ts";
import type { SearchView } from "../../../src/retrieve/view.ts";

/** Files with F of their chunks; those of `parts` are sections of document 99. */
function scores(chunks: Readonly<Record<number, readonly number[]>>, parts: readonly number[] = []) {
  const files = new Map(
    Object.entries(chunks).map(([file, all]) => {
      const best: number[] = [];
      for (const score of all) offerBest(best, score);
      return [Number(file), best];
    }),
  );
  const view: Pick<SearchView, "documentOf" | "phraseMatches"> = {
    documentOf: (node) =>
      parts.includes(node) ? { document: nodeId(99), isWhole: false } : { document: node, isWhole: true },
    phraseMatches: new Map([[7, { generation: 1, starts: new Set([0]) }]]),
  };
  return blendWithDocumentAverages(view, files);
}

describe("document scores", () => {
  it("a page with several good chunks ranks above one with a single better chunk", () => {
    const found = scores({ 1: [0.6, 0.1, 0.1], 2: [0.55, 0.5, 0.5], 3: [0.2] });
    expect(found.get(2)).toBeCloseTo((0.55 + (0.55 + 0.5 + 0.5) / 3) / 2);
    expect(found.get(1)).toBeCloseTo((0.6 + (0.6 + 0.2 + 0.2) / 3) / 2);
  });

  it("the sections of a document are averaged together, missing chunks at the worst score", () => {
    const found = scores({ 1: [0.8], 2: [0.5], 3: [0.3] }, [1, 2]);
    expect(found.get(1)).toBeCloseTo((0.8 + (0.8 + 0.5 + 0.3) / 3) / 2);
    expect(found.get(2)).toBeCloseTo((0.5 + (0.8 + 0.5 + 0.3) / 3) / 2);
  });

  it("files of one chunk and phrase matches keep their scores", () => {
    const found = scores({ 1: [0.7], 7: [1.2, 0.1], 3: [0.4] });
    expect(found.get(1)).toBe(0.7);
    expect(found.get(3)).toBe(0.4);
    expect(found.has(7)).toBe(false);
  });

  it("the best scores are the three highest of any number, highest first", () => {
    const best: number[] = [];
    for (const score of [0.2, 0.5, 0.1, 0.9, 0.5, 0.3]) offerBest(best, score);
    expect(best).toEqual([0.9, 0.5, 0.5]);
  });

  it("a second chunk that does not match lowers a file less than a third one does", () => {
    const found = scores({ 1: [0.8, 0.1], 2: [0.8, 0.1, 0.1], 3: [0.2] });
    expect(found.get(1)).toBeCloseTo(0.8 + 0.25 * (0.5 - 0.8));
    expect(found.get(2)).toBeCloseTo(0.8 + 0.5 * (0.4 - 0.8));
  });

  it("no compared file falls below the files that are not compared", () => {
    const chunks = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i + 100, [(i + 1) / 60, 0]]));
    const found = scores(chunks);
    expect(found.size).toBe(32);
    expect(Math.min(...found.values())).toBeGreaterThan(28 / 60);
  });
});
