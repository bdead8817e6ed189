import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INSTANT_SPACE } from "../../../../src/domain/chunk.ts";
import { quantise } from "../../../../src/domain/quantise.ts";
import { MutableSegment } from "../../../../src/index/segments/mutable-segment.ts";
import { chunk, contents } from "./chunks.ts";

describe("the tail", () => {
  it("a mutable segment has the chunks of a node and their spans, and drops removed ones", () => {
    const tail = new MutableSegment();
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

  it("a mutable segment accepts each chunk only once", () => {
    const tail = new MutableSegment();
    tail.add(1, chunk(1));
    tail.add(1, chunk(1));
    expect(tail.count).toBe(1);
    expect(tail.terms.list("owl")?.rows).toHaveLength(1);
  });

  it("a mutable segment keeps vectors of further spaces until the space is dropped", () => {
    const tail = new MutableSegment();
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

  it("a mutable segment equals one built from the remaining chunks after any changes", () => {
    const step = fc.record({ doc: fc.nat(60), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const tail = new MutableSegment({ maxRemovedRows: 3, minKernelVectors: 8 });
        const left = new Set<number>();
        for (const { doc, add } of steps) {
          if (add) tail.add(doc, chunk(doc));
          else tail.remove(doc);
          left[add ? "add" : "delete"](doc);
          expect(tail.documents.rows).toBeLessThanOrEqual(Math.max(3, left.size) + left.size);
        }
        const built = new MutableSegment();
        for (const doc of left) built.add(doc, chunk(doc));
        expect(contents(tail)).toEqual(contents(built));
        for (let node = 0; node < 7; node++)
          expect(tail.docsOf([node]).sort()).toEqual(built.docsOf([node]).sort());
      }),
      { numRuns: 100 },
    );
  });
});
