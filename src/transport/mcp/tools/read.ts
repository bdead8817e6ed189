import { z } from "zod";
import { ContentService } from "../../../../gen/ctxdb/v1/content_pb.ts";
import { ServiceError } from "../../../domain/errors.ts";
import { CHARACTERS_A_TOKEN, fittingEnd, maxTokens, shortened } from "../answer-budget.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
import { type Tool, tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";

const READ_TOKENS = 6000;
/** Factor by which fewer lines are requested after a response that was too long. */
const FEWER = 8;
/** Maximum token budget of GetOverview. */
const MAX_OVERVIEW_TOKENS = 16_000;
const MOST_LINES = 2 ** 31 - 2;

const read = tool({
  name: "read",
  title: "Read a file or folder",
  description:
    "Reads a file or folder in one of three layers: abstract (one sentence), overview (at most a page), content (the text of a file). " +
    "If the content may be long, read the overview first. With max_tokens, the overview of a folder lists as many entries as fit; with group, those of one group.",
  effect: "reads",
  input: {
    uri: uriArgument("URI of a file, or of a folder for abstract and overview"),
    layer: z.enum(["content", "overview", "abstract"]).default("content").describe("Layer to read."),
    offset: z
      .int()
      .min(0)
      .max(MOST_LINES)
      .default(0)
      .describe("content: first line to return, counted from 0."),
    limit: z.int().min(1).max(MOST_LINES).optional().describe("content: maximum number of lines."),
    version: z
      .int()
      .min(1)
      .max(2 ** 32 - 1)
      .optional()
      .describe("content: number of a version, from history. Default: the current version."),
    group: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "overview of a folder: the words of a group that it names, or a pattern of names (ticket-*).",
      ),
    max_tokens: maxTokens(READ_TOKENS),
  },
  run: async (asker, { uri, layer, offset, limit, version, group, max_tokens }) => {
    if (layer === "abstract")
      return shortened((await asker.ask(ContentService.method.getAbstract, { uri })).abstract, max_tokens);
    if (layer === "overview") {
      // the overview as it is stored, unless the caller sets a limit
      const tokenBudget = max_tokens === READ_TOKENS ? undefined : Math.min(max_tokens, MAX_OVERVIEW_TOKENS);
      const { overview } = await asker.ask(ContentService.method.getOverview, { uri, tokenBudget, group });
      return shortened(overview, max_tokens);
    }
    return page(asker, { uri, offset, limit, version }, max_tokens);
  },
});

export const readingTools: readonly Tool[] = [read];

interface Page {
  readonly uri: string;
  readonly offset: number;
  readonly limit: number | undefined;
  readonly version?: number | undefined;
}

/**
 * The part of a file from line `offset` on that fits into the budget. If it is truncated, its last line names
 * the offset at which to continue.
 */
export async function page(
  asker: OperationInvoker,
  { uri, offset, limit, version }: Page,
  budget: number,
): Promise<string> {
  // one extra line shows whether more follow
  const lines = (limit ?? budget * CHARACTERS_A_TOKEN) + 1;
  const content = await readLines(asker, { uri, version, offset }, lines);
  if (content === "") return offset === 0 ? "[the file is empty]" : `[the file has no line ${offset}]`;
  const wanted = content.slice(0, limit === undefined ? content.length : endOfLines(content, limit));
  const text = wanted.slice(0, fittingEnd(wanted, budget));
  if (text.length === content.length) return text;
  if (!text.endsWith("\n"))
    return `${text}\n[line ${offset} is longer than max_tokens; use a larger max_tokens, or search in it with grep]`;
  const next = offset + countLines(text);
  return `${text}[lines ${offset} to ${next - 1}; continue with offset ${next}]`;
}

/**
 * Reads the requested lines; requests fewer as long as the response is too long. Refuses a single line that
 * is too long.
 */
async function readLines(
  asker: OperationInvoker,
  from: { readonly uri: string; readonly version: number | undefined; readonly offset: number },
  lines: number,
): Promise<string> {
  for (let limit = lines; ; limit = Math.floor(limit / FEWER) + 1) {
    try {
      return (await asker.ask(ContentService.method.readContent, { ...from, limit })).content;
    } catch (error) {
      const isTooLong =
        error instanceof ServiceError &&
        error.code === "RESOURCE_EXHAUSTED" &&
        error.details?.retry_after === undefined;
      if (!isTooLong || limit <= 2) throw error;
    }
  }
}

function endOfLines(text: string, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf("\n", end);
    if (next < 0) return text.length;
    end = next + 1;
  }
  return end;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
