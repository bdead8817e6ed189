import { type FactFile, heldFrom, type KnownFact, type MemoryOrigin } from "./fact-file.ts";

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

export interface HeldOptions {
  /** Unix time in ms. */
  readonly now: number;
  /** Selects what held then instead of now. */
  readonly asOf?: number | undefined;
  readonly excluded?: readonly MemoryOrigin[] | undefined;
}

/** Whether a fact is to be shown: it holds, has not expired, and has an allowed origin. */
export function isHeld(file: FactFile, fact: KnownFact, { now, asOf, excluded = [] }: HeldOptions): boolean {
  if (isExpired(fact, now) || excluded.includes(fact.origin ?? "user")) return false;
  if (asOf === undefined) return !file.earlier.includes(fact);
  const until = heldUntil(file, fact);
  return heldFrom(fact) <= asOf && (until === undefined || until > asOf);
}

export const isExpired = ({ expires }: KnownFact, now: number): boolean =>
  expires !== undefined && expires <= now;
