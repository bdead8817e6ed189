import { z } from "zod";
import { MemoryService } from "../../../../gen/ctxdb/v1/memory_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { fitting, listWithinBudget, maxTokens } from "../answer-budget.ts";
import { dataTool, type Tool } from "../tool.ts";

const MIN_SCORE = 0.5;
const MOST_MEMORIES = 1000;
const PREVIEW_TOKENS = 3000;

const forget = dataTool({
  name: "forget",
  title: "Forget",
  description:
    "Removes memories for good, and the sentences they come from in all conversations. Use it only if the user asks for it. " +
    "Give exactly one of query, subject and uri. By query or subject, first call it with preview: true, which changes nothing, then with preview: false; by uri, preview: false at once if the user named that memory.",
  effect: "changes",
  input: {
    query: z
      .string()
      .min(1)
      .optional()
      .describe("Words, for example: allergic to peanuts. Selects every memory that contains all of them."),
    subject: z.string().min(1).optional().describe("A person or thing: selects everything about it."),
    uri: z.string().min(1).optional().describe("URI of a memory file or folder, or the id of a memory."),
    min_score: z
      .number()
      .min(MIN_SCORE)
      .max(1)
      .optional()
      .describe("Share of the words of query that a memory must contain. Default: 1."),
    limit: z
      .int()
      .min(1)
      .max(MOST_MEMORIES)
      .optional()
      .describe("Forget nothing if more memories match. Default: 100."),
    preview: z.boolean().default(true).describe("Only list what would be removed."),
    max_tokens: maxTokens(PREVIEW_TOKENS),
  },
  output: {
    is_preview: z.boolean(),
    memories: z.int().describe("How many memories go."),
    messages: z.int().describe("How many messages lose a sentence."),
    statements: z
      .array(z.object({ memory_id: z.string(), statement: z.string() }))
      .describe("Of a preview, as many as fit into max_tokens."),
  },
  run: async (asker, { query, subject, uri, min_score, limit, preview, max_tokens }) => {
    if ([query, subject, uri].filter((one) => one !== undefined).length !== 1)
      throw invalidArgument("query", "give exactly one of query, subject and uri");
    const { memories, messages } = await asker.ask(MemoryService.method.forget, {
      ...(query !== undefined && { query }),
      ...(subject !== undefined && { subject }),
      ...(uri !== undefined && { uri }),
      ...(min_score !== undefined && { minScore: min_score }),
      ...(limit !== undefined && { limit }),
      dryRun: preview,
    });
    const data = { is_preview: preview, memories: memories.length, messages, statements: [] };
    if (memories.length === 0 && messages === 0)
      return { text: "No memory matches: nothing was forgotten.", data };
    const inMessages = `${messages} messages lose a sentence`;
    if (!preview) return { text: `Forgot ${memories.length} memories; ${inMessages}.`, data };
    if (memories.length === 0) return { text: `Would forget no memory; ${inMessages}.`, data };
    const lines = memories.map(({ memoryId, statement }) => `- ${statement} (${memoryId})`);
    const shown = fitting(lines, max_tokens);
    const text = listWithinBudget(`Would forget these memories; ${inMessages}:`, lines, max_tokens, () =>
      shown < lines.length ? `${shown} of ${lines.length} memories fit; raise max_tokens` : undefined,
    );
    const statements = memories
      .slice(0, shown)
      .map(({ memoryId, statement }) => ({ memory_id: memoryId, statement }));
    return { text, data: { ...data, statements } };
  },
});

export const forgettingTools: readonly Tool[] = [forget];
