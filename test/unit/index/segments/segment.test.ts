import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INSTANT_SPACE } from "../../../../src/domain/chunk.ts";
import { quantise } from "../../../../src/domain/quantise.ts";
import { type Columns, packColumns, unpackColumns } from "../../../../src/index/columns.ts";
import { MutableSegment } from "../../../../src/index/segments/mutable-segment.ts";
import { seal, sealTurns } from "../../../../src/index/segments/seal.ts";
import { Segment } from "../../../../src/index/segments/segment.ts";
import {
  readSegment,
  type SegmentFiles,
  writeSegment,
} from "../../../../src/index/segments/segment-files.ts";
import { RamBlobs } from "../../../../src/storage/ram/ram-blobs.ts";
import { chunk, contents, docsOf } from "./chunks.ts";

const folder = () => ({ files: new RamBlobs(() => 0), bucket: "1" });

function tailOf(docs: Iterable<number>): MutableSegment {
  const tail = new MutableSegment({ minKernelVectors: 8 });
  for (const doc of docs) tail.add(doc, chunk(doc));
  return tail;
}

/** Writes it to files and reads it back. */
async function stored(
  sources: readonly (MutableSegment | Segment)[],
  isKept: (doc: number) => boolean = () => true,
): Promise<Segment> {
  const place = folder();
  const files = await writeSegment(
    place,
    await seal(
      sources.map(({ source }) => source),
      isKept,
      sealTurns(),
    ),
  );
  return Segment.open(await readSegment(place, files, [INSTANT_SPACE, "better"]), sealTurns());
}

describe("a segment", () => {
  it("sealing and merging segments keeps exactly the remaining chunks", async () => {
    const docs = fc.uniqueArray(fc.nat(500), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(docs, docs, fc.nat(4), async (added, removed, parts) => {
        const tails = Array.from({ length: parts + 1 }, (_, part) =>
          tailOf(added.filter((doc) => doc % (parts + 1) === part)),
        );
        const [first] = tails;
        for (const doc of removed) first!.remove(doc);
        const gone = (doc: number) => removed.includes(doc);
        const segments = await Promise.all(tails.map((tail) => stored([tail])));
        expect(contents(segments[0]!)).toEqual(contents(first!));
        const merged = await stored(segments, (doc) => !gone(doc));
        const one = tailOf([...added].sort((a, b) => a - b).filter((doc) => !gone(doc)));
        expect(contents(merged)).toEqual(contents(one));
        expect(contents(await stored([merged]))).toEqual(contents(one));
        for (let node = 0; node < 7; node++) expect(docsOf(merged, node)).toEqual(docsOf(one, node));
        for (const doc of added) expect(merged.span(doc)).toEqual(one.span(doc));
      }),
      { numRuns: 60 },
    );
  });

  it("a sealed segment keeps the vectors of further spaces", async () => {
    const tail = tailOf([3, 4, 5]);
    tail.setVector("better", 4, quantise(Float32Array.of(1, 0)));
    const sealed = await stored([tail]);
    const scores = new Float32Array(3).fill(Number.NaN);
    sealed.vectors.get("better")!.scan(Float32Array.of(1, 0), scores);
    expect([...scores].map((score) => Math.round(score * 1000) / 1000)).toEqual([Number.NaN, 1, Number.NaN]);
    expect(sealed.vectors.get(INSTANT_SPACE)!.size).toBe(3);
  });

  it("a segment with a missing, foreign or truncated file is refused", async () => {
    const place = folder();
    const files = await writeSegment(place, await seal([tailOf([1, 2, 3]).source], () => true, sealTurns()));
    const refused = (changed: Partial<SegmentFiles>) =>
      expect(readSegment(place, { ...files, ...changed }, [INSTANT_SPACE])).rejects.toThrow();
    await refused({ terms: "0".repeat(64) });
    await refused({ terms: files.documents });
    const whole = await place.files.get(place.bucket, files.terms);
    const cut = await place.files.put(place.bucket, whole.slice(0, whole.length - 64));
    await refused({ terms: cut.hash });
    const foreign = await place.files.put(place.bucket, new Uint8Array(100));
    await refused({ documents: foreign.hash });
  });

  it("packed columns of every type are read at any byte offset", () => {
    const schema = { a: "u8", b: "f64", c: "u16" } as const;
    const columns: Columns<typeof schema> = {
      a: Uint8Array.of(1, 2, 3),
      b: Float64Array.of(Math.PI),
      c: new Uint16Array(0),
    };
    const packed = Buffer.concat([...packColumns("test", schema, columns)]);
    const moved = Buffer.alloc(packed.length + 3);
    packed.copy(moved, 3);
    expect(unpackColumns("test", schema, moved.subarray(3))).toEqual(columns);
    expect(() => unpackColumns("other", schema, packed)).toThrow("of kind test");
    expect(() => unpackColumns("test", { ...schema, d: "u8" }, packed)).toThrow("without the column d");
  });
});
