import type { Value } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { FilesystemService } from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../../gen/ctxdb/v1/relation_pb.ts";
import { type GrepMatch, SearchService } from "../../../../gen/ctxdb/v1/search_pb.ts";
import { fitting, listWithinBudget, maxTokens } from "../budget.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
import { dataTool, type Tool } from "../tool.ts";
import { cursorArgument, uriArgument } from "./arguments.ts";

const LIST_TOKENS = 3000;
const ABSTRACT_LENGTH = 120;
const MOST_ENTRIES = 1000;
const STANDARD_ENTRIES = 200;
const RELATIONS_SHOWN = 50;

const limit = z
  .int()
  .min(1)
  .max(MOST_ENTRIES)
  .default(STANDARD_ENTRIES)
  .describe("Maximum number of entries.");

const sections = z
  .boolean()
  .default(false)
  .describe("Include the folders of sections that are cut from long documents.");

const tagsArgument = z
  .array(z.string())
  .optional()
  .describe("Only what has all of these tags, itself or by a folder above.");

const cursorOutput = z.string().optional().describe("Continues the list; absent at its end.");

const ls = dataTool({
  name: "ls",
  title: "List a folder",
  description:
    "Lists a folder with the abstracts of its files and folders; with depth, also the levels below. The roots are ctx://resources, ctx://user, ctx://agent and ctx://session.",
  effect: "reads",
  input: {
    uri: uriArgument("URI of the folder", "the root").optional(),
    depth: z.int().min(0).max(64).default(1).describe("Number of levels to list; 0 = all."),
    hidden: z.boolean().default(false).describe("Include names that start with a dot."),
    sections,
    tags: tagsArgument,
    limit,
    cursor: cursorArgument,
    max_tokens: maxTokens(LIST_TOKENS),
  },
  output: {
    uri: z.string(),
    entries: z.array(
      z.object({
        path: z.string().describe("Below uri."),
        is_folder: z.boolean(),
        size: z.number().describe("Bytes."),
        abstract: z.string(),
        tags: z.array(z.string()).optional(),
      }),
    ),
    next_cursor: cursorOutput,
  },
  run: async (
    asker,
    { uri = asker.root, depth, hidden, sections: shown, limit: nodeLimit, cursor, tags, max_tokens },
  ) => {
    const from = { uri, levelLimit: depth, showAllHidden: hidden, hideSections: !shown, nodeLimit };
    const { text, items, nextCursor } = await directoryListing(
      asker,
      { ...from, ...(tags !== undefined && { tags }), ...(cursor !== undefined && { cursor }) },
      max_tokens,
    );
    return {
      text,
      data: { uri, entries: items, ...(nextCursor !== undefined && { next_cursor: nextCursor }) },
    };
  },
});

const stat = dataTool({
  name: "stat",
  title: "Describe a file or folder",
  description:
    "Returns the metadata of a file or folder: kind, size, time of the last change, tags, the file it is derived from, and its links in both directions.",
  effect: "reads",
  input: { uri: uriArgument("URI of the file or folder") },
  output: {
    uri: z.string(),
    is_folder: z.boolean(),
    size: z.number().describe("Bytes of a file."),
    below: z.number().describe("Nodes below a folder."),
    modified: z.string(),
    derived_from: z.string().optional(),
    tags: z.array(z.string()),
    relations: z.array(z.object({ from: z.string(), to: z.string(), reason: z.string() })),
    more_relations: z.int(),
  },
  run: async (asker, { uri }) => {
    const node = await asker.ask(FilesystemService.method.statNode, { uri });
    const { relations } = await asker.ask(RelationService.method.listRelations, { uri, direction: "both" });
    const shown = relations.slice(0, RELATIONS_SHOWN);
    const text = [
      node.uri,
      node.isDir ? `folder, ${node.count ?? 0} nodes below` : `file, ${node.size} bytes`,
      `modified ${node.modTime}`,
      ...(node.source === undefined ? [] : [`derived from ${node.source}`]),
      ...(node.tags.length > 0 ? [`tags: ${node.tags.join(", ")}`] : []),
      ...shown.map(
        (link) => `${link.fromUri} → ${link.toUri}${link.reason === "" ? "" : `: ${link.reason}`}`,
      ),
      ...(relations.length > shown.length ? [`[${relations.length - shown.length} more relations]`] : []),
    ].join("\n");
    const data = {
      uri: node.uri,
      is_folder: node.isDir,
      size: node.size,
      below: node.count ?? 0,
      modified: node.modTime,
      ...(node.source !== undefined && { derived_from: node.source }),
      tags: node.tags,
      relations: shown.map(({ fromUri, toUri, reason }) => ({ from: fromUri, to: toUri, reason })),
      more_relations: relations.length - shown.length,
    };
    return { text, data, links: [{ uri: node.uri, description: "" }] };
  },
});

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

export const lookingTools: readonly Tool[] = [ls, stat, grep, glob];

/** The file, then its lines. */
function matchText({ uri, line, content }: GrepMatch, at: number, all: readonly GrepMatch[]): string {
  const text = `  ${line}: ${content.trim()}`;
  return all[at - 1]?.uri === uri ? text : `${uri}\n${text}`;
}

interface Listing {
  readonly uri: string;
  readonly levelLimit: number;
  readonly showAllHidden: boolean;
  readonly hideSections: boolean;
  readonly nodeLimit: number;
  readonly tags?: string[];
  readonly cursor?: string;
}

/** Lists a folder within the budget; ends with a cursor if cut. */
export async function directoryListing(
  asker: OperationInvoker,
  { nodeLimit, ...from }: Listing,
  budget: number,
): Promise<PagedText<ListedEntry>> {
  return pagedText(
    async (most) => {
      const input = { ...from, output: "agent", absLimit: ABSTRACT_LENGTH, nodeLimit: most };
      const { entries, nextCursor } = await asker.ask(FilesystemService.method.listTree, input);
      const items = entries.map(entryOf);
      return { items, blocks: items.map(entryText), nextCursor };
    },
    { nodeLimit, budget, head: from.uri, none: "[empty]" },
  );
}

interface Paged {
  readonly nodeLimit: number;
  readonly budget: number;
  readonly head: string;
  readonly none: string;
}

type AskPage<T> = (most: number) => Promise<{
  readonly items: readonly T[];
  /** One for each item. */
  readonly blocks: readonly string[];
  readonly nextCursor: string | undefined;
}>;

interface PagedText<T> {
  readonly text: string;
  /** The items in the text. */
  readonly items: T[];
  readonly nextCursor: string | undefined;
}

/** A page of a list. If the budget cuts it, a shorter page is requested for the cursor of that place. */
async function pagedText<T>(
  ask: AskPage<T>,
  { nodeLimit, budget, head, none }: Paged,
): Promise<PagedText<T>> {
  const first = await ask(nodeLimit);
  if (first.blocks.length === 0) {
    const text = [head, none].filter((part) => part !== "").join("\n");
    return { text, items: [], nextCursor: undefined };
  }
  let { nextCursor } = first;
  const shown = fitting(first.blocks, budget);
  if (shown < first.blocks.length) nextCursor = (await ask(shown)).nextCursor;
  const text = listWithinBudget(head, first.blocks.slice(0, shown), budget, () =>
    nextCursor === undefined ? undefined : `more follow; continue with cursor ${nextCursor}`,
  );
  return { text, items: first.items.slice(0, shown), nextCursor };
}

interface ListedEntry {
  /** Below the folder. */
  readonly path: string;
  readonly is_folder: boolean;
  readonly size: number;
  readonly abstract: string;
  readonly tags?: string[];
}

/** `docs/guide/ — how to begin`, `docs/a.md (12 kB) — …`; the URI is the folder's plus this path. */
function entryText({ path, is_folder, size, abstract, tags = [] }: ListedEntry): string {
  const tagged = tags.length > 0 ? ` [${tags.join(", ")}]` : "";
  const shown = `${path}${is_folder ? "/" : ` (${size} B)`}${tagged}`;
  return abstract === "" ? shown : `${shown} — ${abstract}`;
}

function entryOf({ kind }: Value): ListedEntry {
  const fields = kind.case === "structValue" ? kind.value.fields : {};
  const of = (name: string) => fields[name]?.kind.value;
  const { kind: tagged } = fields.tags ?? {};
  const tags = tagged?.case === "listValue" ? tagged.value.values.map((tag) => String(tag.kind.value)) : [];
  return {
    path: String(of("rel_path") ?? ""),
    is_folder: of("isDir") === true,
    size: Number(of("size") ?? 0),
    abstract: String(of("abstract") ?? "")
      .replace(/\s+/g, " ")
      .trim(),
    ...(tags.length > 0 && { tags }),
  };
}
