import type { MemoryOrigin } from "../utterance.ts";
import { type FactFile, heldFrom, type KnownFact } from "./fact-file.ts";

/**
 * End of a fact's validity; undefined if it is current. For facts of earlier versions, derived from the fact
 * that superseded it.
 */
export function heldUntil(file: FactFile, fact: KnownFact): number | undefined {
  if (fact.until !== undefined) return fact.until;
  if (!file.earlier.includes(fact)) return undefined;
  const { slot } = fact;
  const began = heldFrom(fact);
  const later = [...file.facts, ...file.earlier]
    .filter((other) => slot !== undefined && other.slot === slot && heldFrom(other) > began)
    .map(heldFrom);
  return later.length === 0 ? began : later.reduce((a, b) => Math.min(a, b));
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
    isSuperseded: file.earlier.includes(fact),
    first: said,
    last: said,
    expires: fact.expires,
  };
}

/** Time of a fact's statement, as precisely as known. */
export const saidAtOf = ({ said, date, stored }: KnownFact, created: number): number =>
  said ?? (Date.parse(date) || (stored ?? created));
