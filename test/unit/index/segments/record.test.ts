import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunk, MAX_WEIGHT } from "../../../../src/domain/chunk.ts";
import { nodeId } from "../../../../src/domain/node.ts";
import { quantise } from "../../../../src/domain/quantise.ts";
import { weightedLength, weightedTerms } from "../../../../src/domain/text/analyse.ts";
import { decodeChunk, encodeChunk } from "../../../../src/index/segments/record.ts";

const number = fc.oneof(fc.nat(200), fc.nat(2 ** 32 - 1));
const halves = fc.integer({ min: 1, max: MAX_WEIGHT * 2 }).map((value) => value / 2);
const chunks: fc.Arbitrary<Chunk> = fc
  .record({
    node: number.map(nodeId),
    generation: number,
    level: fc.constantFrom(0 as const, 1 as const, 2 as const),
    start: number,
    size: number,
    length: halves,
    terms: fc
      .array(fc.tuple(fc.string({ unit: "binary", maxLength: 12 }), halves), { maxLength: 40 })
      .map((pairs) => new Map(pairs)),
    instant: fc.record({
      scale: fc.float({ noNaN: true }),
      values: fc.int8Array({ minLength: 128, maxLength: 128 }),
    }),
  })
  .map(({ size, ...chunk }) => ({ ...chunk, end: chunk.start + size }));

const TEXT = `${"The keeper of the lighthouse lit the lamp at dusk and logged three ships bound for the northern harbour before the storm arrived. ".repeat(3)}
  Parsers read the configuration, validate every key, and return defaults; failing requests are retried with jittered backoff, 2024-11-03.`;

describe("the record of a chunk", () => {
  it("an index record decodes to the chunk that was encoded", () => {
    fc.assert(
      fc.property(chunks, (chunk) => {
        expect(decodeChunk(encodeChunk(chunk))).toEqual(chunk);
      }),
    );
  });

  it("an index record of a typical chunk has less than 800 bytes", () => {
    const terms = weightedTerms(TEXT, "A title");
    const chunk: Chunk = {
      node: nodeId(100_000),
      generation: 90_000,
      level: 2,
      start: 5000,
      end: 5900,
      length: weightedLength(terms),
      terms,
      instant: quantise(new Float32Array(128).fill(1)),
    };
    expect(encodeChunk(chunk).length).toBeLessThan(800);
  });

  it("a truncated index record, or one of another format, is refused", () => {
    const terms = weightedTerms(TEXT);
    const bytes = encodeChunk({
      node: nodeId(1),
      generation: 1,
      level: 2,
      start: 0,
      end: 9,
      length: weightedLength(terms),
      terms,
      instant: quantise(new Float32Array(128)),
    });
    for (let size = 0; size < bytes.length; size++)
      expect(() => decodeChunk(bytes.subarray(0, size))).toThrow("index record");
    expect(() => decodeChunk(Uint8Array.from(bytes, (byte, at) => (at === 0 ? 99 : byte)))).toThrow("format");
  });
});
