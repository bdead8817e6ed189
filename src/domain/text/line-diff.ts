import { itemAt } from "../../base/expect.ts";

/** Maximum number of edits; above it, the whole differing region is shown as replaced. */
const MAX_EDITS = 2000;
/** Maximum number of line comparisons, which bounds the time for texts with many equal lines. */
const MAX_COMPARISONS = 20_000_000;
/** Lines per step; about a millisecond. */
const LINES_PER_STEP = 5000;
const COMPARISONS_PER_STEP = 200_000;

/** Two texts as line numbers, in which equal lines have equal numbers. */
export interface NumberedLines {
  readonly lines: readonly string[];
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/** Replaces `removed` lines at `before` by `added` lines at `after`; both count from 0. */
export interface Hunk {
  readonly before: number;
  readonly after: number;
  readonly removed: number;
  readonly added: number;
}

export interface LineDiff {
  /** Changes in order; no two are adjacent. */
  readonly changes: readonly Hunk[];
  readonly isCoarse: boolean;
}

/** Splits two texts into lines, keeping line breaks; in steps of a millisecond. */
export function* numberLines(before: string, after: string): Generator<undefined, NumberedLines> {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  const sides: Int32Array[] = [];
  for (const text of [before, after]) {
    const side: number[] = [];
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf("\n", at) + 1 || text.length;
      const line = text.slice(at, end);
      at = end;
      let number = numbers.get(line);
      if (number === undefined) {
        number = lines.push(line) - 1;
        numbers.set(line, number);
      }
      if (side.push(number) % LINES_PER_STEP === 0) yield;
    }
    sides.push(new Int32Array(side));
    yield;
  }
  return { lines, before: itemAt(sides, 0), after: itemAt(sides, 1) };
}

/**
 * Computes the changes from `before` to `after` with as few lines as the limits allow; in steps of a
 * millisecond.
 */
export function* diffLines(before: Int32Array, after: Int32Array): Generator<undefined, LineDiff> {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  yield;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  yield;
  const middle = {
    before: before.subarray(start, before.length - end),
    after: after.subarray(start, after.length - end),
  };
  const whole: Hunk = {
    before: start,
    after: start,
    removed: middle.before.length,
    added: middle.after.length,
  };
  if (whole.removed === 0 && whole.added === 0) return { changes: [], isCoarse: false };
  if (whole.removed === 0 || whole.added === 0) return { changes: [whole], isCoarse: false };
  const trace = yield* shortestEdits(middle.before, middle.after);
  if (!trace) return { changes: [whole], isCoarse: true };
  return { changes: changesOf(trace, middle.before.length, middle.after.length, start), isCoarse: false };
}

/**
 * Myers' greedy algorithm, "An O(ND) Difference Algorithm and Its Variations" (1986). For each number of
 * edits, records the line of `before` that each diagonal reaches; undefined if a limit is exceeded.
 */
function* shortestEdits(
  before: Int32Array,
  after: Int32Array,
): Generator<undefined, Int32Array[] | undefined> {
  const [rows, columns] = [before.length, after.length];
  const most = Math.min(MAX_EDITS, rows + columns);
  const reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  let compared = 0;
  let step = 0;
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = most + 1 + diagonal;
      const left = reached[at - 1] ?? 0;
      const right = reached[at + 1] ?? 0;
      let x = diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1;
      const from = x;
      while (x < rows && x - diagonal < columns && before[x] === after[x - diagonal]) x++;
      reached[at] = x;
      step += x - from + 1;
      if (x >= rows && x - diagonal >= columns) {
        trace.push(reached.slice(most + 1 - edits, most + 2 + edits));
        return trace;
      }
      if (step < COMPARISONS_PER_STEP) continue;
      compared += step;
      step = 0;
      if (compared > MAX_COMPARISONS) return undefined;
      yield;
    }
    trace.push(reached.slice(most + 1 - edits, most + 2 + edits));
  }
  return undefined;
}

/** Reconstructs the changes from the recorded diagonals. */
function changesOf(trace: readonly Int32Array[], rows: number, columns: number, start: number): Hunk[] {
  const changes: Hunk[] = [];
  let [x, y] = [rows, columns];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const earlier = itemAt(trace, edits - 1);
    const reach = (diagonal: number): number => earlier[diagonal + edits - 1] ?? -1;
    const diagonal = x - y;
    const isAdded = diagonal === -edits || (diagonal !== edits && reach(diagonal - 1) < reach(diagonal + 1));
    const [fromX, fromDiagonal] = isAdded
      ? [reach(diagonal + 1), diagonal + 1]
      : [reach(diagonal - 1), diagonal - 1];
    const fromY = fromX - fromDiagonal;
    const [removed, added] = isAdded ? [0, 1] : [1, 0];
    const last = changes.at(-1);
    const isBeside = last && last.before === start + fromX + removed && last.after === start + fromY + added;
    const change: Hunk = {
      before: start + fromX,
      after: start + fromY,
      removed: removed + (isBeside ? last.removed : 0),
      added: added + (isBeside ? last.added : 0),
    };
    if (isBeside) changes[changes.length - 1] = change;
    else changes.push(change);
    [x, y] = [fromX, fromY];
  }
  return changes.reverse();
}
