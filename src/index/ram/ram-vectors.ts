import { itemAt } from "../../base/expect.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";
import type { Vectors } from "../vectors/vectors.ts";

/** Minimal implementation of `Vectors`, used as the reference in tests. */
export class RamVectors implements Vectors {
  readonly dimensions: number;
  readonly #vectors = new Map<number, QuantisedVector>();

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get size(): number {
    return this.#vectors.size;
  }

  set(row: number, { scale, values }: QuantisedVector): void {
    if (values.length !== this.dimensions)
      throw new RangeError(`a vector of ${values.length} components in a space of ${this.dimensions}`);
    this.#vectors.set(row, { scale, values: values.slice() });
  }

  scan(query: Float32Array, scores: Float32Array): void {
    const score = this.scorer(query);
    for (const row of this.#vectors.keys()) scores[row] = score(row);
  }

  scanNearest(): undefined {}

  scorer(query: Float32Array): (row: number) => number {
    if (query.length !== this.dimensions)
      throw new RangeError(`a query of ${query.length} components in a space of ${this.dimensions}`);
    return (row) => {
      const vector = this.#vectors.get(row);
      return vector
        ? vector.values.reduce((sum, value, i) => sum + value * itemAt(query, i), 0) * vector.scale
        : Number.NaN;
    };
  }
}
