import { nameWords } from "../shorten.ts";

/** A child of a directory, with the data that determines its group. */
interface Described {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly abstract: string;
}

/** The instant vector of a text. */
type EmbedNow = (text: string) => Float32Array;

const MAX_GROUPS = 16;
/** Average number of children per group. */
const MEAN_MEMBERS = 12;
const ROUNDS = 6;

/** The text that is embedded for a child. */
const describedText = ({ name, isDirectory, abstract }: Described): string =>
  `${nameWords(name, isDirectory)}. ${abstract}`;

/**
 * Groups children with similar names and abstracts, in the order of their first members. Uses k-means from
 * the farthest points, so that the result is deterministic. Runs in steps of some milliseconds for 400
 * children.
 */
export function* groupSteps<T extends Described>(
  children: readonly T[],
  embed: EmbedNow,
): Generator<undefined, T[][]> {
  const vectors: Float32Array[] = [];
  for (const child of children) {
    vectors.push(embed(describedText(child)));
    yield;
  }
  const points = new Points(vectors);
  points.centre();
  yield;
  const count = Math.min(MAX_GROUPS, Math.max(2, Math.round(children.length / MEAN_MEMBERS)));
  let centres = points.farthest(count);
  let homes = new Int32Array(children.length);
  for (let round = 0; round < ROUNDS; round++) {
    yield;
    homes = points.nearest(centres);
    centres = points.means(homes, centres);
  }
  const groups = Array.from({ length: centres.count }, (): T[] => []);
  for (const [i, child] of children.entries()) groups[homes[i] ?? 0]?.push(child);
  return groups.filter(({ length }) => length > 0);
}

/** Unit vectors in one array, because a list of arrays is ten times as slow. */
class Points {
  readonly count: number;
  readonly #width: number;
  readonly #values: Float32Array;

  constructor(vectors: readonly Float32Array[]) {
    this.count = vectors.length;
    this.#width = vectors[0]?.length ?? 0;
    this.#values = new Float32Array(this.count * this.#width);
    for (const [i, vector] of vectors.entries()) this.#values.set(vector, i * this.#width);
  }

  /** Removes the common component of all vectors, which would hide their differences. */
  centre(): void {
    const mean = this.means(new Int32Array(this.count), new Points([new Float32Array(this.#width)]));
    for (let i = 0; i < this.count; i++) {
      const share = this.#dot(i, mean, 0);
      const values = this.#vector(i);
      const common = mean.#vector(0);
      for (let k = 0; k < values.length; k++) values[k] = (values[k] ?? 0) - share * (common[k] ?? 0);
      toUnit(values);
    }
  }

  /** The first vector, then repeatedly the one that is least similar to all chosen so far. */
  farthest(count: number): Points {
    const found: Float32Array[] = [];
    const closest = new Float32Array(this.count).fill(-1);
    for (let next = 0; found.length < Math.min(count, this.count); ) {
      found.push(this.#vector(next));
      let far = 0;
      for (let i = 0; i < this.count; i++) {
        closest[i] = Math.max(closest[i] ?? 0, this.#dot(i, this, next));
        if ((closest[i] ?? 0) < (closest[far] ?? 0)) far = i;
      }
      next = far;
    }
    return new Points(found);
  }

  /** Index of the nearest centre, by vector. */
  nearest(centres: Points): Int32Array<ArrayBuffer> {
    const homes = new Int32Array(this.count);
    for (let i = 0; i < this.count; i++) {
      let most = Number.NEGATIVE_INFINITY;
      for (let c = 0; c < centres.count; c++) {
        const value = this.#dot(i, centres, c);
        if (value <= most) continue;
        most = value;
        homes[i] = c;
      }
    }
    return homes;
  }

  /** The normalised means of the groups; an empty group keeps its centre. */
  means(homes: Int32Array, centres: Points): Points {
    const sums = Array.from({ length: centres.count }, () => new Float32Array(this.#width));
    const isUsed = new Uint8Array(centres.count);
    for (let i = 0; i < this.count; i++) {
      const home = homes[i] ?? 0;
      const sum = sums[home];
      if (!sum) continue;
      isUsed[home] = 1;
      const values = this.#vector(i);
      for (let k = 0; k < sum.length; k++) sum[k] = (sum[k] ?? 0) + (values[k] ?? 0);
    }
    return new Points(sums.map((sum, c) => (isUsed[c] === 1 ? toUnit(sum) : centres.#vector(c))));
  }

  #vector(i: number): Float32Array {
    return this.#values.subarray(i * this.#width, (i + 1) * this.#width);
  }

  #dot(i: number, other: Points, j: number): number {
    const a = this.#values;
    const b = other.#values;
    const from = i * this.#width;
    const shift = j * this.#width - from;
    let sum = 0;
    for (let k = from; k < from + this.#width; k++) sum += (a[k] ?? 0) * (b[k + shift] ?? 0);
    return sum;
  }
}

/** Scales a vector to unit length, in place. */
function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let k = 0; k < vector.length; k++) squares += (vector[k] ?? 0) ** 2;
  const norm = Math.sqrt(squares) || 1;
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / norm;
  return vector;
}
