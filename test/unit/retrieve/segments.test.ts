import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { find } from "../../../src/retrieve/find.ts";
import type { SearchView } from "../../../src/retrieve/view.ts";
import type { SearchPartition } from "../../../src/storage/partition.ts";
import { seal, sealTurns } from "../../../src/storage/segments/seal.ts";
import { Segment } from "../../../src/storage/segments/segment.ts";
import { asked, file, folder, type MadeChunk, world } from "./world.ts";

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

/** The same chunks, the first ones in segments. */
async function divided(made: MadeChunk[], size: number): Promise<SearchView> {
  const pieces = Math.floor(made.length / size);
  const partitioned = made.map((chunk, at) => ({ ...chunk, partition: Math.min(pieces, Math.floor(at / size)) }));
  const view = world(NODES, partitioned);
  const parts: SearchPartition[] = [];
  for (const [i, tail] of view.partitions.entries()) {
    parts.push(i < pieces ? await Segment.open(await seal([tail.source], () => true, sealTurns()), sealTurns()) : tail);
  }
  return { ...view, partitions: parts };
}

describe("segments and a tail", () => {
  it("answer as one tail does", async () => {
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
          // where two chunks of a node say the same, either may stand for it
          const told = (found: ReturnType<typeof find>) => found.hits.map(({ partition: _, doc: __, ...hit }) => hit);
          const whole = find(world(NODES, made), query, options);
          const parts = find(await divided(made, size), query, options);
          expect(told(parts)).toEqual(told(whole));
          expect(parts.trace).toEqual(whole.trace);
        },
      ),
      { numRuns: 200 },
    );
  });
});
