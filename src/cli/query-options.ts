import type { JsonObject } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { gathered, jsonObject, share, uriOf, wholeNumber, withTags } from "./arguments.ts";
import { type ConditionOptions, conditionsOf, withConditionOptions } from "./time-and-origin-options.ts";

/** The options of find and search. */
export interface QueryOptions extends ConditionOptions {
  readonly in?: string[];
  readonly limit?: number;
  readonly minScore?: number;
  readonly filter?: JsonObject;
  readonly tag?: string[];
  readonly explain?: boolean;
  readonly full?: boolean;
}

export function withQueryOptions(command: Command): Command {
  return withTags(withConditionOptions(command))
    .argument("<words...>", "words or a question")
    .option(
      "-i, --in <uri>",
      "search only below this folder; can be repeated",
      (text, before: string[] = []) => gathered(uriOf(text), before),
    )
    .option("-n, --limit <count>", "maximum number of hits (default: 10)", wholeNumber)
    .option("--min-score <score>", "only hits with a score above this value, 0 to 1", share)
    .option(
      "--filter <json>",
      'filter by metadata, for example \'{"mime": "text/markdown"}\'; see docs/api.md',
      jsonObject,
    )
    .option("--full", "print whole passages instead of their first lines")
    .option("--explain", "with --json: explain each score");
}

/** Builds the request for find or search from the options. */
export const questionOf = (
  words: readonly string[],
  { in: targetUri, limit, minScore, filter, tag = [], explain, ...conditions }: QueryOptions,
) => ({
  query: words.join(" "),
  targetUri,
  limit,
  scoreThreshold: minScore,
  filter: taggedIn(filter, tag),
  explain,
  ...conditionsOf(conditions),
});

/** Adds a condition to a filter: the entry must have all of these tags. */
function taggedIn(filter: JsonObject | undefined, tags: readonly string[]): JsonObject | undefined {
  if (tags.length === 0) return filter;
  return { op: "and", conds: [...tags.map((tag) => ({ tags: tag })), ...(filter ? [filter] : [])] };
}
