import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { ValueSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { type FindResponse, type MatchedContext, SearchService } from "../../../../gen/ctxdb/v1/search_pb.ts";
import { MAX_RECALL_TOKENS } from "../../../service/search/recall.ts";
import { fitting, listWithinBudget, maxTokens } from "../answer-budget.ts";
import { type DataAnswer, dataTool, type Tool, tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";
import { conditionArguments, conditionFields } from "./time-and-origin.ts";

const FIND_TOKENS = 3000;
const RECALL_TOKENS = 2000;
const MOST_HITS = 100;
const ABSTRACT_LENGTH = 240;
const MOST_TARGETS = 20;

const limit = (standard: number) =>
  z.int().min(1).max(MOST_HITS).default(standard).describe("Maximum number of hits.");
const question = z.string().min(1).describe("Question or words; searched by words and by meaning.");

const hit = z.object({
  uri: z.string(),
  kind: z.string().describe("resource, memory or skill."),
  category: z.string().describe("Of a memory, else empty."),
  score: z.number().describe("0 to 1."),
  abstract: z.string(),
  passage: z.string().describe("The best passage."),
  source: z.string().optional().describe("The file that it is derived from."),
  tags: z.array(z.string()).optional(),
  related: z.array(z.string()).describe("URIs."),
});

const find = dataTool({
  name: "find",
  title: "Find by meaning",
  description:
    "Searches documents, skills and memories by words and meaning, best hits first. Use it when you do not know where something is. " +
    "Each hit has a URI and its best passage; use read for the rest. With session_id, the conversation completes the question.",
  effect: "reads",
  input: {
    query: question,
    target: z
      .array(uriArgument("URI of a folder or file"))
      .max(MOST_TARGETS)
      .optional()
      .describe("URIs of folders or files to search. Default: everything."),
    limit: limit(10),
    type: z.enum(["resource", "skill", "memory"]).optional().describe("Only hits of this kind."),
    filter: z
      .looseObject({})
      .meta({ additionalProperties: true })
      .optional()
      .describe(
        'Filter on metadata, for example {"tags": ["api"]} or {"op": "range", "field": "created_at", "gt": "2026-01-01T00:00:00Z"}.',
      ),
    session_id: z.string().optional().describe("Session whose conversation completes the question."),
    ...conditionArguments,
    max_tokens: maxTokens(FIND_TOKENS),
  },
  output: {
    hits: z.array(hit).describe("The best first."),
    left_out: z.int().describe("Hits that did not fit into max_tokens."),
    asked: z.array(z.string()).describe("With a session: the queries that were made of the question."),
  },
  run: async (asker, { query, target, limit: most, type, filter, session_id, max_tokens, ...conditions }) => {
    const input = {
      query,
      limit: most,
      targetUri: listValue(target),
      filter: both(filter as JsonObject | undefined, type),
      ...conditionFields(conditions),
    };
    if (session_id === undefined)
      return answerOf(await asker.ask(SearchService.method.find, input), max_tokens, []);
    const found = await asker.ask(SearchService.method.search, { ...input, sessionId: session_id });
    const planned = found.queryPlan?.queries.map((one) => one.query) ?? [];
    return answerOf(found, max_tokens, [...new Set(planned)]);
  },
});

const recall = tool({
  name: "recall",
  title: "Recall what is known",
  description:
    "Returns what you should know before you answer: the user's profile, then memories of earlier conversations, documents and skills that fit the question. " +
    "Call it at the start of a task and whenever the user refers to something said before. With session_id it leaves out what it has returned before in that session and what its messages say.",
  effect: "reads",
  input: {
    query: question,
    session_id: z.string().optional().describe("Id of the session of this conversation."),
    project: z
      .string()
      .optional()
      .describe(
        "URI of the folder of a project: documents come only from it, memories as always, and its AGENTS.md and CLAUDE.md come first.",
      ),
    memories_only: z.boolean().default(false).describe("Leave out documents and skills."),
    ...conditionArguments,
    max_tokens: maxTokens(RECALL_TOKENS),
  },
  run: async (asker, { query, session_id, project, memories_only, max_tokens, ...conditions }) => {
    const { added } = await asker.ask(SearchService.method.recall, {
      query,
      ...(session_id !== undefined && { sessionId: session_id }),
      ...(project !== undefined && { project }),
      ...(memories_only && { maxResources: 0, maxSkills: 0 }),
      tokenBudget: Math.min(max_tokens, MAX_RECALL_TOKENS),
      ...conditionFields(conditions),
    });
    if (added !== "") return added;
    return session_id === undefined
      ? "Nothing found. Try find with other words."
      : "Nothing found beyond what recall has already returned in this session.";
  },
});

export const findingTools: readonly Tool[] = [find, recall];

function listValue(texts: readonly string[] | undefined): MessageInitShape<typeof ValueSchema> | undefined {
  if (texts === undefined) return undefined;
  const values = texts.map((value) => ({ kind: { case: "stringValue" as const, value } }));
  return { kind: { case: "listValue", value: { values } } };
}

/** Combines a metadata filter with a filter by type. */
function both(filter: JsonObject | undefined, type: string | undefined): JsonObject | undefined {
  if (type === undefined) return filter;
  const kind = { context_type: type };
  return filter === undefined ? kind : { op: "and", conds: [filter, kind] };
}

type Found = Pick<FindResponse, "memories" | "resources" | "skills">;

function answerOf(
  { memories, resources, skills }: Found,
  budget: number,
  asked: string[],
): DataAnswer<{ hits: z.infer<typeof hit>[]; left_out: number; asked: string[] }> {
  const head = asked.length > 0 ? `Searched for: ${asked.join(" | ")}` : "";
  const hits = [...memories, ...resources, ...skills].sort((a, b) => b.score - a.score);
  if (hits.length === 0) {
    const text = "Nothing found. Try other words, a wider target, or glob and grep for names and exact text.";
    return { text: [head, text].filter(Boolean).join("\n"), data: { hits: [], left_out: 0, asked } };
  }
  const blocks = hits.map(hitText);
  const shown = fitting(blocks, budget);
  const text = listWithinBudget(head, blocks, budget, () =>
    shown < hits.length ? `${shown} of ${hits.length} hits fit; use a larger max_tokens for more` : undefined,
  );
  const told = hits.slice(0, shown);
  return {
    text,
    data: { hits: told.map(hitData), left_out: hits.length - shown, asked },
    links: told.map(({ uri, abstract }) => ({ uri, description: cut(oneLine(abstract)) })),
  };
}

const hitData = (found: MatchedContext): z.infer<typeof hit> => ({
  uri: found.uri,
  kind: found.contextType,
  category: found.category,
  score: found.score,
  abstract: cut(oneLine(found.abstract)),
  passage: found.match,
  ...(found.source !== undefined && { source: found.source }),
  ...(found.tags.length > 0 && { tags: found.tags }),
  related: found.relations.map(({ uri }) => uri),
});

const cut = (abstract: string): string =>
  abstract.length > ABSTRACT_LENGTH ? `${abstract.slice(0, ABSTRACT_LENGTH)}…` : abstract;

function hitText(hit: MatchedContext, at: number): string {
  const kind = hit.category === "" ? hit.contextType : `${hit.contextType}, ${hit.category}`;
  const lines = [`${at + 1}. ${hit.uri} (${kind}, score ${hit.score.toFixed(2)})`];
  const abstract = oneLine(hit.abstract);
  const match = oneLine(hit.match);
  if (abstract !== "" && !match.startsWith(abstract)) lines.push(`   ${cut(abstract)}`);
  if (match !== "") lines.push(`   > ${match}`);
  if (hit.source !== undefined) lines.push(`   from ${hit.source}`);
  if (hit.tags.length > 0) lines.push(`   tags: ${hit.tags.join(", ")}`);
  if (hit.relations.length > 0) lines.push(`   related: ${hit.relations.map(({ uri }) => uri).join(", ")}`);
  return lines.join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
