import { createHash } from "node:crypto";

/** An append of a number to a file as seen by its caller. All times come from one clock. */
export interface Append {
  readonly file: string;
  readonly item: number;
  /** False if the call failed or was not answered: the number may or may not be in the file. */
  readonly isAcknowledged: boolean;
  readonly start: number;
  readonly end: number;
}

/** An answered read of a file. Only a digest of its numbers is stored, so that a long run fits into memory. */
export interface Read {
  readonly file: string;
  readonly count: number;
  readonly digest: string;
  readonly start: number;
  readonly end: number;
}

export const digestOf = (items: readonly number[]): string => {
  const hash = createHash("sha1");
  for (const item of items) hash.update(`${item},`);
  return hash.digest("hex");
};

export interface Violations {
  /** Acknowledged numbers that are missing from the file. */
  readonly lost: string[];
  /** Numbers that occur twice in the file or were never appended. */
  readonly doubled: string[];
  /** Operations that contradict the order of earlier ones, and reads of a state that the file never had. */
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
  const appendsTo = byFile(appends);
  const readsOf = byFile(reads);
  for (const [file, final] of finals) {
    const own = new Map(appendsTo.get(file)?.map((one) => [one.item, one]));
    const placed = [
      ...placedAppends(file, final, own, found),
      ...placedReads(file, prefixesOf(final, own), readsOf.get(file) ?? [], found),
    ];
    found.stale.push(...outOfOrder(placed).map((what) => `${file}: ${what}`));
  }
  return found;
}

function placedAppends(
  file: string,
  final: readonly number[],
  own: ReadonlyMap<number, Append>,
  found: Violations,
): Placed[] {
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
  return placed;
}

function placedReads(
  file: string,
  prefixes: readonly Prefix[],
  reads: readonly Read[],
  found: Violations,
): Placed[] {
  const placed: Placed[] = [];
  for (const { count, digest, start, end } of reads) {
    const what = `read of ${count}`;
    const prefix = prefixes[count];
    // a file can have had the first of its final numbers only, and none that was appended later
    const isPossible = prefix?.digest === digest && prefix.start <= end;
    if (isPossible) placed.push({ what, place: count, start, end });
    else found.stale.push(`${file}: ${what} was never true`);
  }
  return placed;
}

function byFile<T extends { readonly file: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const own = found.get(one.file);
    if (own) own.push(one);
    else found.set(one.file, [one]);
  }
  return found;
}

interface Prefix {
  readonly digest: string;
  /** When the last of its appends began. */
  readonly start: number;
}

/** The states of a file, by the count of its numbers. */
function prefixesOf(final: readonly number[], own: ReadonlyMap<number, Append>): Prefix[] {
  const hash = createHash("sha1");
  let start = 0;
  const prefixes: Prefix[] = [{ digest: digestOf([]), start }];
  for (const item of final) {
    start = Math.max(start, own.get(item)?.start ?? 0);
    prefixes.push({ digest: hash.update(`${item},`).copy().digest("hex"), start });
  }
  return prefixes;
}

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
