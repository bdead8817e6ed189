import type { Value } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { FilesystemService } from "../../../../gen/ctxdb/v1/filesystem_pb.ts";
import { RelationService } from "../../../../gen/ctxdb/v1/relation_pb.ts";
import { maxTokens, type PagedText, pagedText } from "../answer-budget.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
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

const ABSTRACT_LENGTH = 120;
const RELATIONS_SHOWN = 50;

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

export const lookingTools: readonly Tool[] = [ls, stat];

interface Listing {
  readonly uri: string;
  readonly levelLimit: number;
  readonly showAllHidden: boolean;
  readonly hideSections: boolean;
  readonly nodeLimit: number;
  readonly tags?: string[];
  readonly cursor?: string;
}

/** Lists a folder within the budget; ends with a cursor if truncated. */
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

interface ListedEntry {
  /** Path below the folder. */
  readonly path: string;
  readonly is_folder: boolean;
  readonly size: number;
  readonly abstract: string;
  readonly tags?: string[];
}

/**
 * Formats an entry: `docs/guide/ — how to begin`, `docs/a.md (12 kB) — …`. Its URI is the folder's plus this
 * path.
 */
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
