import type { Command } from "commander";
import { gathered, jsonObject, share, uriOf, wholeNumber } from "./arguments.ts";

/** The options of find and search. */
export interface QuestionOptions {
  readonly in?: string[];
  readonly limit?: number;
  readonly minScore?: number;
  readonly filter?: Record<string, never>;
  readonly explain?: boolean;
  readonly full?: boolean;
}

export function withQuestionOptions(command: Command): Command {
  return command
    .argument("<words...>", "words or a question")
    .option(
      "-i, --in <uri>",
      "search below this folder; can be given more than once",
      (text, before: string[] = []) => gathered(uriOf(text), before),
    )
    .option("-n, --limit <count>", "hits at most (10)", wholeNumber)
    .option("--min-score <score>", "only hits with a higher score, 0 to 1", share)
    .option("--filter <json>", "narrow by metadata, see docs/api.md", jsonObject)
    .option("--full", "whole passages")
    .option("--explain", "with --json: how each score came about");
}

/** The request of the options, for either operation. */
export const questionOf = (
  words: readonly string[],
  { in: targetUri, limit, minScore, filter, explain }: QuestionOptions,
) => ({
  query: words.join(" "),
  targetUri,
  limit,
  scoreThreshold: minScore,
  filter,
  explain,
});
