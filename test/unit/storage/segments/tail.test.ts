import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunk, INSTANT_SPACE, quantise } from "../../../../src/domain/chunk.ts";
import { Tail } from "../../../../src/storage/segments/tail.ts";

const WORDS = ["owl", "elk", "emu"];

/** A chunk whose terms and vector follow from its number. */
function chunk(doc: number, node = doc % 7): Chunk {
  const terms = new Map(WORDS.slice(0, 1 + (doc % 3)).map((word, i) => [word, 1 + i / 2]));
  const instant = quantise(Float32Array.from({ length: 128 }, (_, i) => Math.sin(doc + i)));
  return { node, generation: 1, level: 2, start: doc, end: doc + 10, length: terms.size, terms, instant };
}

/** Everything a search could learn, by document number. */
function contents(tail: Tail) {
  const { documents, terms } = tail;
  const rows = Array.from({ length: documents.rows }, (_, row) => row).filter((row) => documents.node[row] !== -1);
  const live = new Uint8Array(documents.rows);
  for (const row of rows) live[row] = 1;
  const cosine = new Float32Array(documents.rows).fill(Number.NaN);
  tail.vectors.get(INSTANT_SPACE)!.scan(new Float32Array(128).fill(0.1), cosine);
  const bm25 = WORDS.map((word) => {
    const scores = new Float32Array(documents.rows);
    terms.accumulate(word, live, 2, { base: 1, slope: 0.5 }, documents.length, scores);
    return scores;
  });
  const facts = rows.map(
    (row) => [documents.doc[row]!, { node: documents.node[row], cosine: cosine[row], bm25: bm25.map((scores) => scores[row]) }] as const,
  );
  return new Map(facts.sort(([a], [b]) => a - b));
}

describe("the tail", () => {
  it("knows the documents of a node, their spans, and forgets what is removed", () => {
    const tail = new Tail();
    for (const doc of [40, 41, 47, 54]) tail.add(doc, chunk(doc));
    expect(tail.docsOf([5, 6]).sort()).toEqual([40, 41, 47, 54]);
    expect(tail.docsOf([3])).toEqual([]);
    tail.remove(47);
    tail.remove(47);
    tail.remove(1000);
    expect(tail.docsOf([5]).sort()).toEqual([40, 54]);
    expect(tail.span(40)).toEqual({ start: 40, end: 50 });
    expect(tail.span(47)).toBeUndefined();
    expect(tail.count).toBe(3);
  });

  it("takes a document once", () => {
    const tail = new Tail();
    tail.add(1, chunk(1));
    tail.add(1, chunk(1));
    expect(tail.count).toBe(1);
    expect(tail.terms.frequency("owl", new Uint8Array(tail.documents.rows).fill(1))).toBe(1);
  });

  it("keeps vectors of further spaces beside the instant one until the space is dropped", () => {
    const tail = new Tail();
    tail.add(1, chunk(1));
    tail.add(2, chunk(2));
    tail.setVector("better", 2, quantise(Float32Array.of(1, 0)));
    tail.setVector("better", 3, quantise(Float32Array.of(1, 0)));
    const scores = new Float32Array(2).fill(Number.NaN);
    tail.vectors.get("better")!.scan(Float32Array.of(1, 0), scores);
    expect(scores[0]).toBeNaN();
    expect(scores[1]).toBeCloseTo(1, 3);
    tail.dropSpace("better");
    tail.dropSpace(INSTANT_SPACE);
    expect([...tail.vectors.keys()]).toEqual([INSTANT_SPACE]);
  });

  it("is the same after any additions and removals as one built from what is left", () => {
    const step = fc.record({ doc: fc.nat(60), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const tail = new Tail({ maxRemovedRows: 3, minKernelVectors: 8 });
        const left = new Set<number>();
        for (const { doc, add } of steps) {
          if (add) tail.add(doc, chunk(doc));
          else tail.remove(doc);
          left[add ? "add" : "delete"](doc);
          expect(tail.documents.rows).toBeLessThanOrEqual(Math.max(3, left.size) + left.size);
        }
        const built = new Tail();
        for (const doc of left) built.add(doc, chunk(doc));
        expect(contents(tail)).toEqual(contents(built));
        for (let node = 0; node < 7; node++) expect(tail.docsOf([node]).sort()).toEqual(built.docsOf([node]).sort());
      }),
      { numRuns: 100 },
    );
  });
});
