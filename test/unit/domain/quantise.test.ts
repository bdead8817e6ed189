import { describe, expect, it } from "vitest";
import { isSameVector, quantise } from "../../../src/domain/quantise.ts";

describe("a quantised vector", () => {
  it("the component with the greatest absolute value becomes 127 or -127, and the others keep their ratio", () => {
    const { scale, values } = quantise(Float32Array.of(0.5, -1, 0));
    expect([...values]).toEqual([64, -127, 0]);
    expect(scale).toBe(Math.fround(1 / 127));
  });

  it("a zero vector, and one that is not finite, becomes zero", () => {
    for (const vector of [Float32Array.of(0, 0), Float32Array.of(1, Number.POSITIVE_INFINITY)])
      expect(quantise(vector)).toEqual({ scale: 0, values: new Int8Array(2) });
  });

  it("two vectors are the same only if scale and components are", () => {
    const vector = quantise(Float32Array.of(3, 4));
    expect(isSameVector(quantise(Float32Array.of(3, 4)), vector)).toBe(true);
    expect(isSameVector(quantise(Float32Array.of(4, 3)), vector)).toBe(false);
    expect(isSameVector(quantise(Float32Array.of(6, 8)), vector)).toBe(false);
    expect(isSameVector(undefined, vector)).toBe(false);
  });
});
