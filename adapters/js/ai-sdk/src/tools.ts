import type { Client } from "@ctxdb/client";
import { type Tool, tool } from "ai";
import { z } from "zod";

/** Maximum number of lines that one call returns. */
const LINES = 400;
const MAX_HITS = 20;

type FindResponse = Awaited<ReturnType<Client["search"]["find"]>>;

interface Hit {
  readonly uri: string;
  readonly score: number;
  readonly abstract: string;
  readonly match: string;
}

export type CtxdbTools = {
  find: Tool<{ query: string; within?: string | undefined; limit?: number | undefined }, Hit[]>;
  read: Tool<{ uri: string; line?: number | undefined }, string>;
  recall: Tool<{ query: string }, string>;
  remember: Tool<{ statement: string }, { uri: string | undefined; created: boolean }>;
};

const hitsOf = ({ memories, resources, skills }: FindResponse): Hit[] =>
  [...memories, ...resources, ...skills]
    .sort((a, b) => b.score - a.score)
    .map(({ uri, score, abstract, match }) => ({ uri, score, abstract, match }));

/** Tools with which a model uses ctxdb itself: find, read, recall, remember. */
export function ctxdbTools(client: Client): CtxdbTools {
  return {
    find: tool({
      description:
        "Searches documents, memories and skills by meaning and words. Answers with the URI, a summary and the passage of each hit; read a hit by its URI.",
      inputSchema: z.object({
        query: z.string().min(1).describe("A question or words"),
        within: z
          .string()
          .optional()
          .describe("URI of a folder to search in, such as ctx://resources/handbook"),
        limit: z.number().int().min(1).max(MAX_HITS).optional().describe("Hits at most; default 10"),
      }),
      execute: async ({ query, within, limit = 10 }) =>
        hitsOf(
          await client.search.find({ query, limit, ...(within !== undefined && { targetUri: [within] }) }),
        ),
    }),
    read: tool({
      description: "Reads a text file by its URI, up to 400 lines from a line on.",
      inputSchema: z.object({
        uri: z.string().describe("URI from find, such as ctx://resources/handbook/tea.md"),
        line: z.number().int().min(0).optional().describe("First line, counted from 0; default 0"),
      }),
      execute: async ({ uri, line = 0 }) =>
        (await client.content.read({ uri, offset: line, limit: LINES })).content,
    }),
    recall: tool({
      description:
        "What is known that bears on a question: profile, memories, documents and skills, as one text with URIs.",
      inputSchema: z.object({ query: z.string().min(1).describe("A question or words") }),
      execute: async ({ query }) => (await client.search.recall({ query })).text,
    }),
    remember: tool({
      description:
        "Keeps one statement about the user or the project word for word, to be recalled in later conversations.",
      inputSchema: z.object({
        statement: z
          .string()
          .min(1)
          .describe("A whole sentence that is true by itself: “Ann prefers green tea”"),
      }),
      execute: async ({ statement }) => {
        const { memory, created } = await client.memories.create({ statement });
        return { uri: memory?.uri, created };
      },
    }),
  };
}
