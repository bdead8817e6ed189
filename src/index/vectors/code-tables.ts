import { CODES, GREATEST_ENTRY } from "./scan.ts";

/**
 * Threshold of the second bit for a normally distributed component, in deviations from the mean, and the
 * reconstruction levels that minimise the error (J. Max, Quantizing for minimum distortion, 1960).
 */
export const FAR = 0.98;
const NEAR_LEVEL = 0.453;
const FAR_LEVEL = 1.51;

const GREATEST_SUM = 2 ** 16 - 1;

/** Components per 4-bit code: four with one bit each, or two with two bits if fine. */
export const componentsOf = (isFine: boolean): number => (isFine ? 2 : 4);

/** Entries of a half table: one for each value of a bit pair, (0, 2) or (1, 3). */
const HALF = 4;

/**
 * Writes the contribution of each code of each group to the dot product, starting at 0 and scaled so that the
 * widest group fits into an entry. `weights`: by component, 0 for padding. Returns false, and writes nothing,
 * if all weights are 0.
 */
export function writeTables(tables: Uint8Array, weights: Float32Array, isFine: boolean): boolean {
  const groups = tables.length / CODES;
  const halves = isFine ? fineHalves(weights) : coarseHalves(weights);
  let widest = 0;
  for (let group = 0; group < groups; group++) widest = Math.max(widest, reachOf(halves, group));
  if (!(widest > 0)) return false;
  const steps = Math.min(GREATEST_ENTRY, Math.floor(GREATEST_SUM / groups)) / (2 * widest);
  for (let group = 0; group < groups; group++) {
    const even = group * 2 * HALF;
    const odd = even + HALF;
    const reach = reachOf(halves, group);
    for (let code = 0; code < CODES; code++) {
      const sum =
        halves[even + ((code & 1) | ((code >> 1) & 2))]! +
        halves[odd + (((code >> 1) & 1) | ((code >> 2) & 2))]!;
      tables[group * CODES + code] = ((sum + reach) * steps + 0.5) | 0;
    }
  }
  return true;
}

/** Contributions of a component at its levels: near negative, near positive, far negative, far positive. */
function fineHalves(weights: Float32Array): Float32Array {
  const halves = new Float32Array(weights.length * HALF);
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    halves[i * HALF] = -NEAR_LEVEL * weight;
    halves[i * HALF + 1] = NEAR_LEVEL * weight;
    halves[i * HALF + 2] = -FAR_LEVEL * weight;
    halves[i * HALF + 3] = FAR_LEVEL * weight;
  }
  return halves;
}

/**
 * Contributions of the first and third, then of the second and fourth component of each group: both below,
 * one above, the other above, both above.
 */
function coarseHalves(weights: Float32Array): Float32Array {
  const halves = new Float32Array(weights.length * 2);
  for (let i = 0; i < weights.length / 2; i++) {
    const at = i * 2 - (i % 2);
    const [first, second] = [weights[at]!, weights[at + 2]!];
    halves[i * HALF] = -first - second;
    halves[i * HALF + 1] = first - second;
    halves[i * HALF + 2] = second - first;
    halves[i * HALF + 3] = first + second;
  }
  return halves;
}

/** Largest absolute contribution of a group. */
function reachOf(halves: Float32Array, group: number): number {
  const even = group * 2 * HALF;
  return greatestHalf(halves, even) + greatestHalf(halves, even + HALF);
}

function greatestHalf(halves: Float32Array, from: number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let at = from; at < from + HALF; at++) greatest = Math.max(greatest, halves[at]!);
  return greatest;
}
