/** A quantised vector: component i is `values[i] × scale`. */
export interface QuantisedVector {
  readonly scale: number;
  readonly values: Int8Array;
}

/** Quantises a vector to integers from -127 to 127. A zero vector stays zero (scale 0). */
export function quantise(vector: Float32Array): QuantisedVector {
  let greatest = 0;
  for (const value of vector) greatest = Math.max(greatest, Math.abs(value));
  const values = new Int8Array(vector.length);
  if (greatest === 0 || !Number.isFinite(greatest)) return { scale: 0, values };
  const scale = Math.fround(greatest / 127);
  for (const [i, value] of vector.entries()) values[i] = Math.round(value / scale);
  return { scale, values };
}

export const isSameVector = (a: QuantisedVector | undefined, b: QuantisedVector): boolean =>
  a?.scale === b.scale && a.values.every((value, i) => value === b.values[i]);
