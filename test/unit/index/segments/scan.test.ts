import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { committedKernelModule, kernelModule } from "../../../../scripts/build-kernel.ts";
import { quantise } from "../../../../src/domain/quantise.ts";
import { termScore } from "../../../../src/domain/score.ts";
import { componentsOf } from "../../../../src/index/vectors/code-tables.ts";
import { Matrix } from "../../../../src/index/vectors/matrix.ts";
import {
  type Add,
  BLOCK_CODES,
  CODES,
  GREATEST_ENTRY,
  greatestComponent,
  kernelOver,
  PEAK_ROWS,
  plainAbove,
  plainAdd,
  plainPeaks,
  plainScan,
  SPARE_PLACES,
} from "../../../../src/index/vectors/scan.ts";

const PAGE = 65_536;

/** Codes a vector by the distance of its components from their middle values. */
function codesOf(from: readonly number[], spreads: readonly number[], isFine: boolean): number[] {
  const size = componentsOf(isFine);
  const above = from.map((distance) => distance > 0);
  const far = from.map((distance, i) => Math.abs(distance) > spreads[i]!);
  return Array.from({ length: from.length / size }, (_, group) => {
    const own = <T>(values: readonly T[]) => values.slice(group * size, (group + 1) * size);
    return [...own(above), ...(isFine ? own(far) : [])].reduce(
      (code, bit, i) => code + (Number(bit) << i),
      0,
    );
  });
}

describe("the scan", () => {
  it("the committed scan kernel equals its compiled source", async () => {
    expect(committedKernelModule()).toBe(await kernelModule());
  });

  it("the scan kernel and plain JavaScript give the same bits, even at the ends of the range", () => {
    const component = fc.oneof(fc.constantFrom(-127, 127), fc.integer({ min: -127, max: 127 }));
    const cases = fc.constantFrom(16, 128, 384, 1536).chain((stride) => {
      const greatest = greatestComponent(stride);
      const queryComponent = fc.oneof(
        fc.constantFrom(-greatest, greatest),
        fc.integer({ min: -greatest, max: greatest }),
      );
      return fc.record({
        stride: fc.constant(stride),
        query: fc.array(queryComponent, { minLength: stride, maxLength: stride, size: "max" }),
        rows: fc.array(fc.array(component, { minLength: stride, maxLength: stride, size: "max" }), {
          minLength: 1,
          maxLength: 5,
        }),
        scale: fc.float({ min: 0, max: 1, noNaN: true }),
        factor: fc.float({ min: 0, max: 1, noNaN: true }),
      });
    });
    fc.assert(
      fc.property(cases, ({ stride, query, rows, scale, factor }) => {
        const memory = new WebAssembly.Memory({ initial: 1 });
        const [scales, first, out] = [2 * stride, 2 * stride + 32, PAGE - 64];
        new Int16Array(memory.buffer, 0, stride).set(query);
        new Float32Array(memory.buffer, scales, rows.length).fill(scale);
        for (const [i, row] of rows.entries())
          new Int8Array(memory.buffer, first + i * stride, stride).set(row);
        const run = (scan: ReturnType<typeof plainScan>) => {
          const result = new Float32Array(memory.buffer, out, rows.length).fill(-7);
          scan(0, factor, first, scales, rows.length, stride, out);
          return result.slice();
        };
        const plain = run(plainScan(memory.buffer));
        expect(run(kernelOver(memory)!.scan)).toEqual(plain);
        const exact = rows.map((row) => row.reduce((sum, value, i) => sum + value * query[i]!, 0));
        for (const [i, value] of plain.entries())
          expect(value).toBe(Math.fround(Math.fround(Math.fround(exact[i]!) * scale) * Math.fround(factor)));
      }),
      { numRuns: 60 },
    );
  });

  it("the kernel and plain JavaScript find the same scores above a floor", () => {
    const score = fc.oneof(
      fc.float({ noNaN: false }),
      fc.constantFrom(0, -1, 1, Number.NaN, Number.POSITIVE_INFINITY),
    );
    const floor = fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, Number.NEGATIVE_INFINITY));
    fc.assert(
      fc.property(fc.array(score, { maxLength: 40 }), floor, fc.nat(3), (scores, floor, shift) => {
        const memory = new WebAssembly.Memory({ initial: 1 });
        const at = 1024 + shift * 4;
        new Float32Array(memory.buffer, at, scores.length).set(scores);
        const wanted = scores.flatMap((score, place) => (score > floor ? place : []));
        for (const above of [kernelOver(memory)!.above, plainAbove(memory.buffer)]) {
          const places = new Uint32Array(memory.buffer, 0, scores.length + SPARE_PLACES + 1).fill(7777);
          expect([...places.subarray(0, above(at, scores.length, floor, 0))]).toEqual(wanted);
          expect(places.at(-1)).toBe(7777);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("the native kernel and the JavaScript fallback find the same score peaks", () => {
    const score = fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, -1, Number.POSITIVE_INFINITY));
    const block = fc.array(score, { minLength: PEAK_ROWS, maxLength: PEAK_ROWS, size: "max" });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 3 }), fc.nat(3), (blocks, shift) => {
        const memory = new WebAssembly.Memory({ initial: 1 });
        const at = 1024 + shift * 4;
        new Float32Array(memory.buffer, at, blocks.length * PEAK_ROWS).set(blocks.flat());
        for (const peaks of [kernelOver(memory)!.peaks, plainPeaks(memory.buffer)]) {
          const found = new Float32Array(memory.buffer, 0, blocks.length + 1).fill(7777);
          peaks(at, blocks.length, 0);
          expect([...found].map((peak) => peak + 0)).toEqual([
            ...blocks.map((scores) => Math.max(...scores.map(Math.fround)) + 0),
            7777,
          ]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("the kernel and plain JavaScript add the same bits for a term", () => {
    const ROWS = 64;
    const norm = fc.oneof(fc.float({ min: 0, max: 100, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));
    const cases = fc.record({
      postings: fc.uniqueArray(fc.tuple(fc.nat(ROWS - 1), fc.integer({ min: 1, max: 65_535 })), {
        selector: ([row]) => row,
        maxLength: 30,
      }),
      saturation: fc.double({ min: 0, max: 50, noNaN: true }),
      norms: fc.array(norm, { minLength: ROWS, maxLength: ROWS, size: "max" }),
      scores: fc.array(fc.float({ min: 0, max: 50, noNaN: true }), {
        minLength: ROWS,
        maxLength: ROWS,
        size: "max",
      }),
    });
    fc.assert(
      fc.property(cases, ({ postings, saturation, norms, scores }) => {
        const [rowsAt, weightsAt, normsAt, scoresAt] = [0, 1024, 2048, 4096];
        const run = (of: (memory: WebAssembly.Memory) => Add) => {
          const memory = new WebAssembly.Memory({ initial: 1 });
          new Uint32Array(memory.buffer, rowsAt).set(postings.map(([row]) => row));
          new Uint16Array(memory.buffer, weightsAt).set(postings.map(([, weight]) => weight));
          new Float32Array(memory.buffer, normsAt).set(norms);
          new Float32Array(memory.buffer, scoresAt).set(scores);
          const best = of(memory)(rowsAt, weightsAt, postings.length, saturation, normsAt, scoresAt);
          return { best, after: new Float32Array(memory.buffer, scoresAt, ROWS).slice() };
        };
        const plain = run(({ buffer }) => plainAdd(buffer));
        expect(run((memory) => kernelOver(memory)!.add)).toEqual(plain);
        expect(plain.best).toBe(Math.max(0, ...postings.map(([row]) => plain.after[row]!)));
        const brought = new Map(
          postings.map(([row, weight]) => [row, termScore(saturation, weight, norms[row]!)]),
        );
        for (const [row, score] of plain.after.entries())
          expect(score).toBeCloseTo(scores[row]! + (brought.get(row) ?? 0), 4);
      }),
      { numRuns: 200 },
    );
  });

  it("scoring selected rows gives the same scores as scoring all rows, even in place", () => {
    const [stride, rows] = [48, 9];
    const component = fc.integer({ min: -127, max: 127 });
    fc.assert(
      fc.property(
        fc.array(component, { minLength: stride * rows, maxLength: stride * rows, size: "max" }),
        fc.subarray(Array.from({ length: rows }, (_, place) => place)),
        (components, chosen) => {
          const memory = new WebAssembly.Memory({ initial: 1 });
          const [scales, first, out, at] = [1024, 2048, 4096, 5120];
          new Int16Array(memory.buffer, 0, stride).set(components.slice(-stride));
          new Float32Array(memory.buffer, scales, rows).set(
            Array.from({ length: rows }, (_, i) => 1 / (i + 1)),
          );
          new Int8Array(memory.buffer, first, stride * rows).set(components);
          const places = new Uint32Array(memory.buffer, at, rows);
          places.set(chosen);
          const { scan, scanAt } = kernelOver(memory)!;
          scan(0, 0.5, first, scales, rows, stride, out);
          scanAt(0, 0.5, first, scales, at, chosen.length, stride, at);
          const all = new Float32Array(memory.buffer, out, rows);
          expect([...new Float32Array(memory.buffer, at, chosen.length)]).toEqual(
            chosen.map((place) => all[place]),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("the kernel packs vectors into codes and sums their table entries", () => {
    const [stride, blocks] = [32, 2];
    const component = fc.integer({ min: -127, max: 127 });
    const vector = fc.array(component, { minLength: stride, maxLength: stride, size: "max" });
    const slot = fc.integer({ min: 0, max: blocks * BLOCK_CODES - 1 });
    const cases = fc.boolean().chain((isFine) => {
      const groups = stride / componentsOf(isFine);
      const entry = fc.integer({ min: 0, max: GREATEST_ENTRY });
      return fc.record({
        isFine: fc.constant(isFine),
        groups: fc.constant(groups),
        tables: fc.array(entry, { minLength: groups * CODES, maxLength: groups * CODES, size: "max" }),
        middles: vector,
        spreads: fc.array(fc.integer({ min: 0, max: 127 }), {
          minLength: stride,
          maxLength: stride,
          size: "max",
        }),
        scale: fc.constantFrom(0.5, 1, 2),
        vectors: fc.array(fc.tuple(slot, vector), { minLength: 1, maxLength: 80 }),
      });
    });
    fc.assert(
      fc.property(cases, ({ isFine, groups, tables, middles, spreads, scale, vectors }) => {
        const memory = new WebAssembly.Memory({ initial: 1 });
        const { encode, estimate } = kernelOver(memory)!;
        const [at, atSpreads, atTables, atBlocks, out] = [1024, 2048, 4096, 8192, 16_384];
        new Float32Array(memory.buffer, 0, stride).set(middles);
        new Float32Array(memory.buffer, atSpreads, stride).set(spreads);
        new Uint8Array(memory.buffer, atTables, tables.length).set(tables);
        const places = new Map<number, readonly number[]>();
        for (const [slot, values] of vectors) {
          new Int8Array(memory.buffer, at, stride).set(values);
          const block = atBlocks + Math.floor(slot / BLOCK_CODES) * groups * 16;
          encode(
            at,
            scale,
            0,
            atSpreads,
            stride,
            isFine ? 1 : 0,
            slot % BLOCK_CODES < 16 ? 0 : 4,
            block + (slot % 16),
          );
          places.set(slot, values);
        }
        estimate(atTables, atBlocks, blocks, groups * 16, groups, out);
        const estimates = new Float32Array(memory.buffer, out, blocks * BLOCK_CODES);
        for (const [slot, values] of places) {
          const from = values.map((value, i) => value * scale - middles[i]!);
          const codes = codesOf(from, spreads, isFine);
          const sum = codes.reduce((sum, code, group) => sum + tables[group * CODES + code]!, 0);
          expect(estimates[slot]).toBe(sum);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("a scan scores every row of several blocks", () => {
    const rows = 3000;
    const [kernel, plain] = [
      new Matrix({ dimensions: 16 }),
      new Matrix({ dimensions: 16, minKernelVectors: rows }),
    ];
    for (let row = 0; row < rows; row++) {
      const vector = quantise(Float32Array.from({ length: 16 }, (_, i) => Math.sin(row * 16 + i)));
      for (const matrix of [kernel, plain]) matrix.set(row, vector);
    }
    const query = Float32Array.from({ length: 16 }, (_, i) => Math.cos(i));
    const [a, b] = [new Float32Array(rows), new Float32Array(rows)];
    kernel.scan(query, a);
    plain.scan(query, b);
    expect(a).toEqual(b);
    for (const row of [0, 1023, 1024, 2999]) {
      const exact = query.reduce((sum, value, i) => sum + value * Math.sin(row * 16 + i), 0);
      expect(a[row]).toBeCloseTo(exact, 1);
    }
    expect(kernel.get(2047)).toEqual(plain.get(2047));
  });
});
