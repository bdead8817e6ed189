import { INSTANT_SPACE } from "../../domain/chunk.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";
import type { Matrix } from "./matrix.ts";

/** Vectors of a segment by space. */
export class SpaceMatrices extends Map<string, Matrix> {
  readonly #make: (dimensions: number) => Matrix;

  /** `make` creates a matrix for the first vector of a space. */
  constructor(make: (dimensions: number) => Matrix, known: Iterable<readonly [string, Matrix]> = []) {
    super();
    this.#make = make;
    for (const [space, matrix] of known) this.set(space, matrix);
  }

  get bytes(): number {
    let bytes = 0;
    for (const matrix of this.values()) bytes += matrix.bytes;
    return bytes;
  }

  /** Sets the vector of a row; no effect if `row` is undefined. */
  setVector(space: string, row: number | undefined, vector: QuantisedVector): void {
    if (row === undefined) return;
    let matrix = this.get(space);
    if (matrix === undefined) {
      matrix = this.#make(vector.values.length);
      this.set(space, matrix);
    }
    matrix.set(row, vector);
  }

  vectorOf(space: string, row: number | undefined): QuantisedVector | undefined {
    return row === undefined ? undefined : this.get(space)?.get(row);
  }

  /** Drops the vectors of a space. The instant space is kept, because every chunk needs it. */
  drop(space: string): void {
    if (space !== INSTANT_SPACE) this.delete(space);
  }
}
