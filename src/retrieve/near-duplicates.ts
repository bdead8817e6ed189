import { MIN_SHINGLES } from "../domain/text/shingles.ts";
import type { Hydrated } from "./hydrate.ts";

/** Minimum share of common shingles of passages considered equal. */
const SAME_SHARE = 0.8;

export interface Distinct {
  readonly distinct: readonly Hydrated[];
  /** Hits that fill remaining positions. */
  readonly repeating: readonly Hydrated[];
}

/**
 * The first `limit` hits with different passages, and those that nearly repeat one of them; the better hit's
 * reason names its first repetition. Only contents of resources count as repetitions. `hits` must be sorted,
 * best first. Runs in steps of at most a millisecond.
 */
export function* distinctSteps(hits: readonly Hydrated[], limit: number): Generator<undefined, Distinct> {
  const chosen: { hydrated: Hydrated }[] = [];
  const repeating: Hydrated[] = [];
  for (const hydrated of hits) {
    if (chosen.length === limit) break;
    yield;
    const { context } = hydrated;
    const isText = context.contextType === "resource" && context.level === 2;
    const same = isText ? chosen.find(({ hydrated: other }) => isRepeated(other, hydrated)) : undefined;
    if (same === undefined) chosen.push({ hydrated });
    else {
      repeating.push(hydrated);
      const { context: shown } = same.hydrated;
      if (!shown.matchReason.includes(SAME_TEXT))
        same.hydrated = {
          ...same.hydrated,
          context: { ...shown, matchReason: `${shown.matchReason}${SAME_TEXT}${context.uri}` },
        };
    }
  }
  return { distinct: chosen.map(({ hydrated }) => hydrated), repeating };
}

const SAME_TEXT = "; nearly the same text is in ";

/** Maximum score difference of passages that are compared: equal texts have nearly equal scores. */
const NEAR_SCORE = 0.03;

const isNear = ({ context: a }: Hydrated, { context: b }: Hydrated): boolean =>
  Math.abs(a.score - b.score) <= NEAR_SCORE && a.contextType === b.contextType && a.level === b.level;

const isRepeated = (better: Hydrated, hydrated: Hydrated): boolean =>
  isNear(better, hydrated) && isSame(better.shown.sketch, hydrated.shown.sketch);

/** Estimates the share of common shingles from both sketches. */
function isSame(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length < MIN_SHINGLES || b.length < MIN_SHINGLES) return false;
  const needed = SAME_SHARE * Math.max(a.length, b.length);
  let [inA, inB, shared] = [0, 0, 0];
  // most pairs have little in common, which the first hashes show
  while (shared + Math.min(a.length - inA, b.length - inB) >= needed && shared < needed) {
    const difference = (a[inA] ?? 0) - (b[inB] ?? 0);
    if (difference === 0) shared++;
    if (difference <= 0) inA++;
    if (difference >= 0) inB++;
  }
  return shared >= needed;
}
