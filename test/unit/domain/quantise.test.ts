import { describe, expect, it } from "vitest";
import { isSameVector, quantise } from "../../../src/domain/quantise.ts";

describe("a quantised vector", () => {
  it("quantizing scales the component with the greatest absolute value to 127 or -127, and keeps all ratios", () => {
    const { scale, values } = quantise(Float32Array.of(0.5, -1, 0));
    expect([...values]).toEqual([64, -127, 0]);
    expect(scale).toBe(Math.fround(1 / 127));
  });

  it("a zero vector or a vector that is not finite is quantized to zero", () => {
    for (const vector of [Float32Array.of(0, 0), Float32Array.of(1, Number.POSITIVE_INFINITY)])
      expect(quantise(vector)).toEqual({ scale: 0, values: new Int8Array(2) });
  });

  it("quantized vectors are equal only if their scales and components are equal", () => {
    const vector = quantise(Float32Array.of(3, 4));
    expect(isSameVector(quantise(Float32Array.of(3, 4)), vector)).toBe(true);
    expect(isSameVector(quantise(Float32Array.of(4, 3)), vector)).toBe(false);
    expect(isSameVector(quantise(Float32Array.of(6, 8)), vector)).toBe(false);
    expect(isSameVector(undefined, vector)).toBe(false);
  });
});
