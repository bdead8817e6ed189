import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantise } from "../../../src/domain/quantise.ts";
import type { SegmentTables } from "../../../src/index/searchable.ts";
import type { MutableSegment } from "../../../src/index/segments/mutable-segment.ts";
import { seal, sealTurns } from "../../../src/index/segments/seal.ts";
import { Segment } from "../../../src/index/segments/segment.ts";
import { findHits } from "../../../src/retrieve/find-hits.ts";
import type { SearchView } from "../../../src/retrieve/view.ts";
import { topicVectors } from "../../support/topic-vectors.ts";
import { asked, docOf, file, folder, type MadeChunk, world } from "./world.ts";

const WORDS = ["owl", "elk", "emu", "yak"];
const NODES = [folder(-1), ...Array.from({ length: 12 }, () => file(0))];

const chunks: fc.Arbitrary<MadeChunk[]> = fc.array(
  fc.record({
    node: fc.integer({ min: 1, max: 12 }),
    text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
    generation: fc.constantFrom(1, 1, 1, 2),
    vector: fc.integer({ min: 0, max: 90 }).map((degrees) => {
      const vector = new Float32Array(128);
      vector.set([Math.cos(degrees / 57), Math.sin(degrees / 57)]);
      return vector;
    }),
  }),
  { minLength: 1, maxLength: 60 },
);

const segmentOf = async (tail: MutableSegment): Promise<Segment> =>
  Segment.open(await seal([tail.source], () => true, sealTurns()), sealTurns());

/** The same chunks, with the first ones in segments. */
async function divided(made: MadeChunk[], size: number): Promise<SearchView> {
  const pieces = Math.floor(made.length / size);
  const partitioned = made.map((chunk, at) => ({
    ...chunk,
    segment: Math.min(pieces, Math.floor(at / size)),
  }));
  const view = world(NODES, partitioned);
  const parts: SegmentTables[] = [];
  for (const [i, tail] of view.segments.entries()) {
    parts.push(i < pieces ? await segmentOf(tail) : tail);
  }
  return { ...view, segments: parts };
}

describe("segments and a tail", () => {
  it("find over segments equals find over a single mutable segment", async () => {
    const vector = new Float32Array(128);
    vector[0] = 1;
    await fc.assert(
      fc.asyncProperty(
        chunks,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(...WORDS),
        fc.integer({ min: 1, max: 12 }),
        async (made, size, word, limit) => {
          const query = asked(`${word} zebra`, 1, vector);
          const options = { limit, now: 0 };
          // if two chunks of a node have the same text, either may represent it
          const told = (found: ReturnType<typeof findHits>) =>
            found.hits.map(({ segment: _, doc: __, chunks, ...hit }) => ({
              ...hit,
              chunks: chunks.map(({ fused }) => fused),
            }));
          const whole = findHits(world(NODES, made), query, options);
          const parts = findHits(await divided(made, size), query, options);
          expect(told(parts)).toEqual(told(whole));
          expect(parts.trace).toEqual(whole.trace);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a large segment", () => {
  const FILES = 17_000;
  const FOLDERS = 100;
  const SPACE = "sentences";

  function sealed(tail: MutableSegment, vectors: readonly Float32Array[]): Promise<Segment> {
    for (const [i, vector] of vectors.entries()) tail.setVector(SPACE, docOf(i), quantise(vector));
    return segmentOf(tail);
  }

  it("find in a large segment equals the exact scan, with and without the coarse scan", async () => {
    const nodes = [
      folder(-1),
      ...Array.from({ length: FOLDERS }, () => folder(0)),
      ...Array.from({ length: FILES }, (_, i) => file(1 + (i % FOLDERS))),
    ];
    const vectors = topicVectors(FILES, 2);
    const made = vectors.map((_, i) => ({
      node: 1 + FOLDERS + i,
      text: `owl ${i % 7 === 0 ? "elk" : "emu"}`,
    }));
    const isNear = (node: number) => node <= FOLDERS / 10 || nodes[node]!.parent <= FOLDERS / 10;
    const [whole, narrow] = [world(nodes, made), world(nodes, made, { scope: isNear })];
    const segments = [await sealed(whole.segments[0]!, vectors)];
    let same = 0;
    const queries = topicVectors(20, 3);
    const askFor = (vector: Float32Array, view: SearchView) =>
      findHits(view, { ...asked("elk"), vectors: new Map([[SPACE, vector]]) }, { limit: 10, now: 0 });
    // each processes a part of the vectors
    for (let asked = 0; asked < FILES / 256; asked++)
      askFor(queries[0]!, { ...whole, segments, isBroad: true });
    for (const vector of queries) {
      const ask = (view: SearchView) => askFor(vector, view);
      const exact = ask({ ...whole, segments }).hits;
      const quick = ask({ ...whole, segments, isBroad: true }).hits;
      same += quick.filter((hit) =>
        exact.some(({ node, score }) => node === hit.node && score === hit.score),
      ).length;
      expect(quick[0]).toEqual(exact[0]);
      expect(ask({ ...narrow, segments, isBroad: true })).toEqual(ask({ ...narrow, segments }));
    }
    expect(same / (queries.length * 10)).toBeGreaterThanOrEqual(0.98);
  });

  it("a large segment is scanned exactly if the nearest vectors belong to few files", async () => {
    const [one, ...others] = topicVectors(FILES, 4);
    const PASSAGES = 15_000;
    const nodes = [folder(-1), ...Array.from({ length: FILES - PASSAGES }, () => file(0))];
    const ofBook = (vector: Float32Array) => vector.map((value, i) => one![i]! + value / 2);
    const vectors = others.map((vector, i) => (i < PASSAGES ? ofBook(vector) : vector));
    const view = world(
      nodes,
      vectors.map((_, i) => ({ node: Math.max(1, i - PASSAGES + 2), text: "owl" })),
    );
    const segments = [await sealed(view.segments[0]!, vectors)];
    const ask = (view: SearchView) =>
      findHits(view, { ...asked("elk"), vectors: new Map([[SPACE, one!]]) }, { limit: 10, now: 0 });
    const exact = ask({ ...view, segments });
    expect(exact.hits).toHaveLength(10);
    for (let asked = 0; asked < FILES / 256; asked++)
      expect(ask({ ...view, segments, isBroad: true })).toEqual(exact);
  });
});
