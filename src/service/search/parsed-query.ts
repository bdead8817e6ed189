import { invalidArgument } from "../../domain/errors.ts";
import { type ReadFilter, readFilter } from "../../domain/filter.ts";
import type { ContextType } from "../../domain/scope.ts";
import type { MemoryConditions } from "../../memory/facts/validity.ts";
import { type ConditionsInput, conditionsOf, isLimiting } from "../time-and-origin.ts";
import type { PatternTask } from "./pattern-workers.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;
/**
 * Maximum length of a query in UTF-16 units. Only the beginning of a longer one, which contains all terms
 * that count, is searched.
 */
const MAX_QUERY_LENGTH = 16_384;

/** Fields shared by find and search requests. */
export interface FindInput extends ConditionsInput {
  readonly query: string;
  readonly targetUris: readonly string[];
  readonly limit?: number | undefined;
  readonly scoreThreshold?: number | undefined;
  readonly filter?: unknown;
  readonly explain?: boolean | undefined;
}

export interface WrittenFilter extends ReadFilter {
  /** The filter as JSON. */
  readonly written: string;
}

/** A validated request of find or search. */
export interface ParsedQuery {
  readonly query: string;
  readonly limit: number;
  readonly threshold: number | undefined;
  readonly filter: WrittenFilter | undefined;
  /** Undefined if nothing is excluded by time or origin. */
  readonly conditions: MemoryConditions | undefined;
  readonly isExplained: boolean;
  /** Maximum hits per context type, in addition to the total limit. Default: none. */
  readonly quotas?: Readonly<Record<ContextType, number>>;
}

/**
 * Throws INVALID_ARGUMENT naming the invalid field. A worker validates a filter that is too costly for the
 * main thread.
 */
export async function parseQuery(input: FindInput, task: () => PatternTask): Promise<ParsedQuery> {
  const { query, limit = DEFAULT_LIMIT, scoreThreshold: threshold, filter, explain = false } = input;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  if (query.trim() === "") throw invalidArgument("query", "must not be empty");
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    throw invalidArgument("score_threshold", "must be 0 to 1");
  const conditions = conditionsOf(input);
  const checked =
    filter === undefined ? undefined : { ...readFilter(filter), written: JSON.stringify(filter) };
  if (checked && !checked.isReady) await task().passes(checked.written, []);
  return {
    query: searched(query),
    limit,
    threshold,
    filter: checked,
    conditions: isLimiting(conditions) ? conditions : undefined,
    isExplained: explain,
  };
}

/** The part of a query that is searched. */
export function searched(query: string): string {
  return query.length <= MAX_QUERY_LENGTH
    ? query
    : query.trimStart().slice(0, MAX_QUERY_LENGTH).toWellFormed();
}
