import { invalidArgument } from "../domain/errors.ts";
import { timeIn } from "../domain/text/iso-time.ts";
import type { MemoryConditions } from "../memory/facts/validity.ts";
import { MEMORY_ORIGINS, type MemoryOrigin } from "../memory/utterance.ts";

/** Request fields that filter memories in lists and searches. */
export interface ConditionsInput {
  readonly asOf?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly excludeOrigins?: readonly string[] | undefined;
}

/** Throws INVALID_ARGUMENT naming the invalid field. */
export function conditionsOf(input: ConditionsInput): MemoryConditions {
  const asOf = timeIn(input.asOf, "as_of");
  const since = timeIn(input.since, "since");
  const until = timeIn(input.until, "until");
  if (since !== undefined && until !== undefined && until <= since)
    throw invalidArgument("until", "must be later than since");
  const origins = input.excludeOrigins ?? [];
  const excluded = new Set(origins.map((origin, i) => checkOrigin(origin, `exclude_origins[${i}]`)));
  return { asOf, since, until, excluded: MEMORY_ORIGINS.filter((origin) => excluded.has(origin)) };
}

/** Whether the conditions exclude anything. */
export const isLimiting = ({ asOf, since, until, excluded }: MemoryConditions): boolean =>
  asOf !== undefined || since !== undefined || until !== undefined || excluded.length > 0;

export function checkOrigin(given: string, field: string): MemoryOrigin {
  const origin = MEMORY_ORIGINS.find((one) => one === given);
  if (!origin) throw invalidArgument(field, `must be one of ${MEMORY_ORIGINS.join(", ")}`);
  return origin;
}
