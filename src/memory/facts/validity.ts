import type { MemoryOrigin } from "../utterance.ts";
import { type FactFile, heldFrom, type KnownFact } from "./fact-file.ts";

/** Data of a file from which the times of its facts are derived. */
interface FileTimes {
  readonly earlier: ReadonlySet<KnownFact>;
  /** By slot: when its answers became valid, ascending, each once. */
  readonly starts: ReadonlyMap<string, readonly number[]>;
}

/**
 * Computed once per file: a pack may bring thousands of facts in a file, and each would be compared with all.
 */
const fileTimes = new WeakMap<FactFile, FileTimes>();

function timesIn(file: FactFile): FileTimes {
  const known = fileTimes.get(file);
  if (known) return known;
  const starts = new Map<string, Set<number>>();
  for (const fact of [...file.facts, ...file.earlier]) {
    if (fact.slot === undefined) continue;
    const same = starts.get(fact.slot) ?? new Set();
    starts.set(fact.slot, same.add(heldFrom(fact)));
  }
  const made = {
    earlier: new Set(file.earlier),
    starts: new Map([...starts].map(([slot, times]) => [slot, [...times].sort((a, b) => a - b)])),
  };
  fileTimes.set(file, made);
  return made;
}

/** The first of ascending times after another; undefined if there is none. */
function firstAfter(times: readonly number[], time: number): number | undefined {
  let [from, end] = [0, times.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    if ((times[middle] ?? 0) > time) end = middle;
    else from = middle + 1;
  }
  return times[from];
}

/**
 * End of a fact's validity; undefined if it is current. For facts of earlier versions, derived from the fact
 * that superseded it.
 */
export function heldUntil(file: FactFile, fact: KnownFact): number | undefined {
  if (fact.until !== undefined) return fact.until;
  const { earlier, starts } = timesIn(file);
  if (!earlier.has(fact)) return undefined;
  const began = heldFrom(fact);
  const same = fact.slot === undefined ? undefined : starts.get(fact.slot);
  return (same && firstAfter(same, began)) ?? began;
}

export const isExpired = ({ expires }: Pick<KnownFact, "expires">, now: number): boolean =>
  expires !== undefined && expires <= now;

/** A caller's conditions for time and origin of memories. Times are Unix time in ms. */
export interface MemoryConditions {
  /** Select facts that were valid at this time instead of now. */
  readonly asOf?: number | undefined;
  /** Time range of the statement; `until` is exclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly excluded: readonly MemoryOrigin[];
  /** Include superseded facts. Ignored if `asOf` is set. */
  readonly withSuperseded?: boolean | undefined;
}

/** Times and origin of a memory. Times are Unix time in ms. */
export interface MemoryTimes {
  readonly origin: MemoryOrigin;
  /** Validity period; without an end if the memory is current. */
  readonly from: number;
  readonly until?: number | undefined;
  readonly isSuperseded: boolean;
  /** Times of its first and last source message. */
  readonly first: number;
  readonly last: number;
  readonly expires?: number | undefined;
}

/** Whether a memory meets the conditions and has not expired. */
export function isAdmitted(memory: MemoryTimes, conditions: MemoryConditions, now: number): boolean {
  const { asOf, excluded, withSuperseded = false } = conditions;
  if (isExpired(memory, now) || excluded.includes(memory.origin)) return false;
  if (!wasWithin(memory, conditions)) return false;
  if (asOf === undefined) return withSuperseded || !memory.isSuperseded;
  return memory.from <= asOf && (memory.until === undefined || memory.until > asOf);
}

/** Whether a period overlaps the requested one. */
export const wasWithin = (
  { first, last }: Pick<MemoryTimes, "first" | "last">,
  { since, until }: Pick<MemoryConditions, "since" | "until">,
): boolean => (since === undefined || last >= since) && (until === undefined || first < until);

/** Times of a fact. `created`: creation time of its file, for facts without a date. */
export function timesOfFact(file: FactFile, fact: KnownFact, created: number): MemoryTimes {
  const said = saidAtOf(fact, created);
  return {
    origin: fact.origin ?? "user",
    from: heldFrom(fact),
    until: heldUntil(file, fact),
    isSuperseded: timesIn(file).earlier.has(fact),
    first: said,
    last: said,
    expires: fact.expires,
  };
}

/** Time of a fact's statement, as precisely as known. */
export const saidAtOf = ({ said, date, stored }: KnownFact, created: number): number =>
  said ?? (Date.parse(date) || (stored ?? created));
