/** An append of a number to a file, as its caller saw it. Times are those of one clock. */
export interface Append {
  readonly file: string;
  readonly item: number;
  /** False if the answer was an error, or none: the number may be in the file or not. */
  readonly isAcknowledged: boolean;
  readonly start: number;
  readonly end: number;
}

/** A read of a file that was answered. */
export interface Read {
  readonly file: string;
  readonly items: readonly number[];
  readonly start: number;
  readonly end: number;
}

export interface Violations {
  /** Acknowledged numbers that are not in the file. */
  readonly lost: string[];
  /** Numbers that are in the file twice, or that nobody has appended. */
  readonly doubled: string[];
  /** Answers that are older than what was answered before they were asked for, or that never were true. */
  readonly stale: string[];
}

/** An operation by the number of items that it has seen or left behind. */
interface Placed {
  readonly what: string;
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Compares what callers saw with what the files hold in the end. Since each append adds a number of its own at
 * the end of a file, this is linearizability: every operation has a place that agrees with real time.
 */
export function check(
  finals: ReadonlyMap<string, readonly number[]>,
  appends: readonly Append[],
  reads: readonly Read[],
): Violations {
  const found: Violations = { lost: [], doubled: [], stale: [] };
  for (const [file, final] of finals) {
    const own = new Map(appends.filter((one) => one.file === file).map((one) => [one.item, one]));
    const places = new Map<number, number>();
    for (const [i, item] of final.entries()) {
      if (places.has(item) || !own.has(item)) found.doubled.push(`${file}: ${item}`);
      places.set(item, i + 1);
    }
    const placed: Placed[] = [];
    for (const { item, isAcknowledged, start, end } of own.values()) {
      const place = places.get(item);
      const known = isAcknowledged ? end : Number.POSITIVE_INFINITY;
      if (place !== undefined) placed.push({ what: `append of ${item}`, place, start, end: known });
      else if (isAcknowledged) found.lost.push(`${file}: ${item}`);
    }
    for (const { items, start, end } of reads.filter((one) => one.file === file)) {
      const what = `read of ${items.length}`;
      if (isPossible(items, end, final, own)) placed.push({ what, place: items.length, start, end });
      else found.stale.push(`${file}: ${what} was never true`);
    }
    found.stale.push(...outOfOrder(placed).map((what) => `${file}: ${what}`));
  }
  return found;
}

/** Whether a file can have had these items at a time: the first of the final ones, none appended later. */
const isPossible = (
  items: readonly number[],
  end: number,
  final: readonly number[],
  own: ReadonlyMap<number, Append>,
): boolean => items.every((item, i) => final[i] === item && (own.get(item)?.start ?? 0) <= end);

/** Operations that have a place before one that had ended when they began. */
function outOfOrder(placed: readonly Placed[]): string[] {
  const ended = placed.filter(({ end }) => end < Number.POSITIVE_INFINITY).sort((a, b) => a.end - b.end);
  const wrong: string[] = [];
  let highest = 0;
  let next = 0;
  for (const { what, place, start } of [...placed].sort((a, b) => a.start - b.start)) {
    for (; (ended[next]?.end ?? Number.POSITIVE_INFINITY) < start; next++)
      highest = Math.max(highest, ended[next]?.place ?? 0);
    if (place < highest) wrong.push(`${what} has place ${place} and began after place ${highest} was known`);
  }
  return wrong;
}
