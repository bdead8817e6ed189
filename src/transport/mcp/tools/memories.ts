import { z } from "zod";
import { MemoryService } from "../../../../gen/ctxdb/v1/memory_pb.ts";
import { invalidArgument } from "../../../domain/errors.ts";
import { type Tool, tool } from "../tool.ts";

const MIN_SCORE = 0.5;
const MOST_MEMORIES = 1000;

const forget = tool({
  name: "forget",
  title: "Forget",
  description:
    "Forgets memories for good: they go from the files of memories, and the sentences that said them from all conversations. Only where the user asks for it. " +
    "Name one of query, subject and uri. Look first with preview: true, which changes nothing, then call it again with preview: false.",
  effect: "changes",
  input: {
    query: z
      .string()
      .min(1)
      .optional()
      .describe(
        "The words of what to forget, such as: allergic to peanuts. Every memory that has all of them.",
      ),
    subject: z.string().min(1).optional().describe("A person or thing: all about it."),
    uri: z.string().min(1).optional().describe("A file or folder of memories, or the id of a memory."),
    min_score: z
      .number()
      .min(MIN_SCORE)
      .max(1)
      .optional()
      .describe("Share of the words of query that is enough. Default: 1."),
    limit: z
      .int()
      .min(1)
      .max(MOST_MEMORIES)
      .optional()
      .describe("Memories at most; where there are more, nothing is forgotten. Default: 100."),
    preview: z.boolean().default(true).describe("Only list what would go."),
  },
  run: async (asker, { query, subject, uri, min_score, limit, preview }) => {
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
    if (memories.length === 0 && messages === 0) return "Nothing fits: nothing was forgotten.";
    const inMessages = `${messages} messages lose a sentence`;
    if (!preview) return `Forgot ${memories.length} memories; ${inMessages}.`;
    const lines = memories.map(({ memoryId, statement }) => `- ${statement} (${memoryId})`);
    return [`Would forget these memories; ${inMessages}:`, ...lines].join("\n");
  },
});

export const forgettingTools: readonly Tool[] = [forget];
