import { z } from "zod";
import { type GrepMatch, SearchService } from "../../../../gen/ctxdb/v1/search_pb.ts";
import { fitting, listWithinBudget, maxTokens, pagedText } from "../answer-budget.ts";
import { dataTool, type Tool } from "../tool.ts";
import {
  cursorArgument,
  cursorOutput,
  LIST_TOKENS,
  limit,
  sections,
  tagsArgument,
  uriArgument,
} from "./arguments.ts";

const grep = dataTool({
  name: "grep",
  title: "Search text by pattern",
  description:
    "Finds lines that match a regular expression (RE2: no look-around) in a file, or in all files below a folder. Use it for exact names, codes and quotes; use find for questions.",
  effect: "reads",
  input: {
    uri: uriArgument("URI of a file or folder", "all resources").optional(),
    pattern: z.string().min(1).describe("Regular expression in RE2 syntax, for example error|warning."),
    ignore_case: z.boolean().default(false),
    cursor: cursorArgument,
    max_tokens: maxTokens(LIST_TOKENS),
  },
  output: {
    matches: z.array(z.object({ uri: z.string(), line: z.int().describe("From 1."), content: z.string() })),
    left_out: z.int().describe("Lines of this page that did not fit into max_tokens."),
    next_cursor: cursorOutput,
  },
  run: async (asker, { uri = `${asker.root}resources`, pattern, ignore_case, cursor, max_tokens }) => {
    const found = await asker.ask(SearchService.method.grep, {
      uri,
      pattern,
      caseInsensitive: ignore_case,
      ...(cursor !== undefined && { cursor }),
    });
    const { nextCursor } = found;
    const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
    if (found.matches.length === 0) {
      const text =
        nextCursor === undefined ? "No matches." : `[no matches so far; continue with cursor ${nextCursor}]`;
      return { text, data: { matches: [], left_out: 0, ...next } };
    }
    const blocks = found.matches.map(matchText);
    const shown = fitting(blocks, max_tokens);
    const text = listWithinBudget("", blocks, max_tokens, () => {
      if (shown < found.count)
        return `${shown} of ${found.count} lines fit; use a smaller uri, a narrower pattern, or a larger max_tokens`;
      return nextCursor === undefined ? undefined : `continue with cursor ${nextCursor}`;
    });
    const matches = found.matches.slice(0, shown).map(({ uri, line, content }) => ({ uri, line, content }));
    return { text, data: { matches, left_out: found.count - shown, ...next } };
  },
});

const glob = dataTool({
  name: "glob",
  title: "Search names by pattern",
  description:
    "Finds files and folders by their path below a folder: * and ? match within a name, ** across folders, {a,b} either. For example **/*.md.",
  effect: "reads",
  input: {
    pattern: z.string().min(1).describe("Pattern for the path below uri."),
    uri: uriArgument("URI of the folder to search", "all resources").optional(),
    sections,
    tags: tagsArgument,
    limit,
    cursor: cursorArgument,
    max_tokens: maxTokens(LIST_TOKENS),
  },
  output: { uris: z.array(z.string()), next_cursor: cursorOutput },
  run: async (
    asker,
    { pattern, uri = `${asker.root}resources`, sections: shown, tags, limit: nodeLimit, cursor, max_tokens },
  ) => {
    const from = {
      pattern,
      uri,
      hideSections: !shown,
      ...(tags !== undefined && { tags }),
      ...(cursor !== undefined && { cursor }),
    };
    const { text, items, nextCursor } = await pagedText(
      async (most) => {
        const found = await asker.ask(SearchService.method.glob, { ...from, nodeLimit: most });
        return { items: found.matches, blocks: found.matches, nextCursor: found.nextCursor };
      },
      { nodeLimit, budget: max_tokens, head: "", none: "No matches." },
    );
    return { text, data: { uris: items, ...(nextCursor !== undefined && { next_cursor: nextCursor }) } };
  },
});

export const patternTools: readonly Tool[] = [grep, glob];

/** Formats a match: the file URI first, then its lines. */
function matchText({ uri, line, content }: GrepMatch, at: number, all: readonly GrepMatch[]): string {
  const text = `  ${line}: ${content.trim()}`;
  return all[at - 1]?.uri === uri ? text : `${uri}\n${text}`;
}
