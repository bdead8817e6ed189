import { invalidArgument } from "../../domain/errors.ts";
import { type Filter, parseFilter } from "../../domain/filter.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

/** What the bodies of find and search have in common. */
export interface FindInput {
  readonly query: string;
  readonly targetUris: readonly string[];
  readonly limit?: number | undefined;
  readonly scoreThreshold?: number | undefined;
  readonly filter?: unknown;
  readonly explain?: boolean | undefined;
}

/** The same, checked. */
export interface Wish {
  readonly query: string;
  readonly limit: number;
  readonly threshold: number | undefined;
  readonly filter: { readonly conditions: Filter; readonly written: string } | undefined;
  readonly isExplained: boolean;
}

/** INVALID_ARGUMENT naming the field that is no good (ruling Q5). */
export function checkWish({ query, limit = DEFAULT_LIMIT, scoreThreshold: threshold, filter, explain = false }: FindInput): Wish {
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  if (query.trim() === "") throw invalidArgument("query", "must not be empty");
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) throw invalidArgument("score_threshold", "must be between 0 and 1");
  const checked = filter === undefined ? undefined : { conditions: parseFilter(filter), written: JSON.stringify(filter) };
  return { query, limit, threshold, filter: checked, isExplained: explain };
}
