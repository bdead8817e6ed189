import { itemAt } from "./expect.ts";

/** Items sorted or merged per step. */
const ITEMS_PER_STEP = 500;

/**
 * Sorts like `toSorted`, in steps: comparing the paths of a hundred thousand files takes a tenth of a second.
 */
export function* sortSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Generator<undefined, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP) {
    runs.push(items.slice(at, at + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSteps(itemAt(runs, at), runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges sorted runs; of equal items, those of the first come first. */
function* mergeSteps<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
): Generator<undefined, T[]> {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < first.length || j < second.length; ) {
    const isFirst =
      j === second.length || (i < first.length && compare(itemAt(first, i), itemAt(second, j)) <= 0);
    merged.push(isFirst ? itemAt(first, i++) : itemAt(second, j++));
    if (merged.length % ITEMS_PER_STEP === 0) yield;
  }
  return merged;
}
