import { nameWords } from "../shorten.ts";

/** A child of a directory, by what its group depends on. */
interface Described {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly abstract: string;
}

/** The instant vector of a text. */
export type EmbedNow = (text: string) => Float32Array;

const MAX_GROUPS = 16;
/** Children of a group, on average. */
const MEAN_MEMBERS = 12;
const ROUNDS = 6;

/**
 * Children in groups of those whose names and abstracts mean similar things (k-means from the farthest points
 * on, so that the same children make the same groups), by their first members.
 */
export function groupChildren<T extends Described>(children: readonly T[], embed: EmbedNow): T[][] {
  const vectors = centred(
    children.map(({ name, isDirectory, abstract }) => embed(`${nameWords(name, isDirectory)}. ${abstract}`)),
  );
  const count = Math.min(MAX_GROUPS, Math.max(2, Math.round(children.length / MEAN_MEMBERS)));
  let centres = farthest(vectors, count);
  let homes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    homes = vectors.map((vector) => nearest(vector, centres));
    const members = membersOf(vectors, homes, centres.length);
    centres = centres.map((centre, c) => unit(sumOf(members[c] ?? []) ?? centre));
  }
  return membersOf(children, homes, centres.length).filter(({ length }) => length > 0);
}

function membersOf<T>(items: readonly T[], homes: readonly number[], count: number): T[][] {
  const members = Array.from({ length: count }, (): T[] => []);
  for (const [i, item] of items.entries()) members[homes[i] ?? 0]?.push(item);
  return members;
}

/** Without what all have in common, which would hide the differences. */
function centred(vectors: readonly Float32Array[]): Float32Array[] {
  const sum = sumOf(vectors);
  if (sum === undefined) return [];
  const mean = unit(sum);
  return vectors.map((vector) => {
    const share = dot(vector, mean);
    return unit(vector.map((value, i) => value - share * (mean[i] ?? 0)));
  });
}

/** The first vector, then each time that which is least like all before it. */
function farthest(vectors: readonly Float32Array[], count: number): Float32Array[] {
  const found: Float32Array[] = [];
  const closest = new Float32Array(vectors.length).fill(-1);
  for (let next = vectors[0]; next !== undefined && found.length < count; ) {
    found.push(next);
    let far = 0;
    for (const [i, vector] of vectors.entries()) {
      closest[i] = Math.max(closest[i] ?? 0, dot(vector, next));
      if ((closest[i] ?? 0) < (closest[far] ?? 0)) far = i;
    }
    next = vectors[far];
  }
  return found;
}

function nearest(vector: Float32Array, centres: readonly Float32Array[]): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (const [c, centre] of centres.entries()) {
    const value = dot(vector, centre);
    if (value > most) [best, most] = [c, value];
  }
  return best;
}

function sumOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (first === undefined) return undefined;
  const sum = new Float32Array(first.length);
  for (const vector of vectors)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / norm);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
