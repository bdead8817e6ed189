import { type FactFile, heldFrom, type KnownFact } from "./fact-file.ts";
import type { MemoryOrigin } from "./utterance.ts";

/**
 * Until when a fact held; undefined for a current one. For facts of earlier versions it follows from what
 * superseded them.
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

/** Conditions of a caller on time and origin of memories. Times are Unix ms. */
export interface MemoryConditions {
  /** Selects what held then instead of now. */
  readonly asOf?: number | undefined;
  /** First and last time (exclusive) at which it was said. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly excluded: readonly MemoryOrigin[];
  /** Without `asOf`: superseded facts, too. */
  readonly withSuperseded?: boolean | undefined;
}

/** Times and origin of one memory. Times are Unix ms. */
export interface MemoryTimes {
  readonly origin: MemoryOrigin;
  /** The period in which it holds; without an end if it still does. */
  readonly from: number;
  readonly until?: number | undefined;
  readonly isSuperseded: boolean;
  /** When the first and the last of its messages were said. */
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

/** Whether a part of a period is within the requested one. */
export const wasWithin = (
  { first, last }: Pick<MemoryTimes, "first" | "last">,
  { since, until }: Pick<MemoryConditions, "since" | "until">,
): boolean => (since === undefined || last >= since) && (until === undefined || first < until);

/** The times of a fact; `created`: those of its file, for facts without a date. */
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

/** When a fact was said, as precisely as it is known. */
export const saidAtOf = ({ said, date, stored }: KnownFact, created: number): number =>
  said ?? (Date.parse(date) || (stored ?? created));
