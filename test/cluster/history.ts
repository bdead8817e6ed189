/** An append of a number to a file as seen by its caller. All times come from one clock. */
export interface Append {
  readonly file: string;
  readonly item: number;
  /** False if the call failed or was not answered: the number may or may not be in the file. */
  readonly isAcknowledged: boolean;
  readonly start: number;
  readonly end: number;
}

/** An answered read of a file. */
export interface Read {
  readonly file: string;
  readonly items: readonly number[];
  readonly start: number;
  readonly end: number;
}

export interface Violations {
  /** Acknowledged numbers that are missing from the file. */
  readonly lost: string[];
  /** Numbers that occur twice in the file or were never appended. */
  readonly doubled: string[];
  /** Answers that are older than an earlier answer allows, or that were never true. */
  readonly stale: string[];
}

/** An operation with the number of items that it saw or left behind. */
interface Placed {
  readonly what: string;
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Compares what callers saw with the final content of the files. Since each append adds a distinct number at
 * the end of a file, this checks linearizability: all operations can be ordered in agreement with real time.
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

/**
 * Whether a file can have had these items at a given time: a prefix of the final items, none of them appended
 * later.
 */
const isPossible = (
  items: readonly number[],
  end: number,
  final: readonly number[],
  own: ReadonlyMap<number, Append>,
): boolean => items.every((item, i) => final[i] === item && (own.get(item)?.start ?? 0) <= end);

/** Returns operations ordered before one that had already ended when they began. */
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
