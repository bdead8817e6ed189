import { INSTANT_SPACE, type QuantisedVector } from "../../domain/chunk.ts";
import type { Matrix } from "./matrix.ts";

/** The vectors of a piece of an index by space, where there are any. */
export class SpaceMatrices extends Map<string, Matrix> {
  readonly #make: (dimensions: number) => Matrix;

  /** `make` opens the matrix of a space at its first vector. */
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

  /** Gives a row its vector; no effect without a row. */
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

  /** Forgets the vectors of a space but the instant one, which every document has. */
  drop(space: string): void {
    if (space !== INSTANT_SPACE) this.delete(space);
  }
}
