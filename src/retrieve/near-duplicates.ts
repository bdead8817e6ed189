import { MIN_SHINGLES, shinglesOf } from "../domain/text/shingles.ts";
import type { Hydrated } from "./hydrate.ts";

/** Shingles of a passage that stand for it: those with the smallest hashes. */
const SKETCH = 48;
/** Passages that share so many of their shingles say the same. */
const SAME_SHARE = 0.8;

export interface Distinct {
  readonly distinct: readonly Hydrated[];
  /** For places that nothing else takes. */
  readonly repeating: readonly Hydrated[];
}

/**
 * The first `limit` hits that show different passages, and those that repeat one of them nearly word for
 * word; the reason of the better one names one that repeats it. Memories never count as repeating. `hits`
 * stand best first.
 */
export function withoutNearDuplicates(hits: readonly Hydrated[], limit: number): Distinct {
  const chosen: { hydrated: Hydrated; readonly sketch: () => Sketch }[] = [];
  const repeating: Hydrated[] = [];
  for (const hydrated of hits) {
    if (chosen.length === limit) break;
    const { context } = hydrated;
    let made: Sketch | undefined;
    const sketch = () => (made ??= sketchOf(context.match));
    const isText = context.contextType === "resource" && context.level === 2;
    const near = isText ? chosen.filter(({ hydrated: other }) => isNear(other, hydrated)) : [];
    const same = near.find((other) => isSame(other.sketch(), sketch()));
    if (same === undefined) chosen.push({ hydrated, sketch });
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

/** The same text has nearly the same score: only such passages are compared. */
const NEAR_SCORE = 0.03;

const isNear = ({ context: a }: Hydrated, { context: b }: Hydrated): boolean =>
  Math.abs(a.score - b.score) <= NEAR_SCORE && a.contextType === b.contextType && a.level === b.level;

type Sketch = readonly number[];

const NOTHING: Sketch = [];

function sketchOf(text: string): Sketch {
  const shingles = shinglesOf(text);
  return shingles.size < MIN_SHINGLES ? NOTHING : [...shingles].sort((a, b) => a - b).slice(0, SKETCH);
}

/** Estimates from the smallest hashes of both which share of all shingles both have. */
function isSame(a: Sketch, b: Sketch): boolean {
  if (a.length === 0 || b.length === 0) return false;
  const of = new Set(a);
  const most = Math.min(SKETCH, Math.max(a.length, b.length));
  return b.filter((hash) => of.has(hash)).length >= SAME_SHARE * most;
}
