import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const STOP = { unified: "stop" as const, raw: "stop" };

/** The text that a model received for a message. */
export const given = ({ content }: LanguageModelV4Message): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

/** Answers with a function of its prompt. */
export function scripted(
  answer: (prompt: LanguageModelV4CallOptions["prompt"]) => string,
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => ({
      content: [{ type: "text", text: answer(prompt) }],
      finishReason: STOP,
      usage: USAGE,
      warnings: [],
    }),
    doStream: async ({ prompt }) => {
      const words = answer(prompt).split(/(?<= )/);
      const chunks: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        ...words.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
        { type: "text-end", id: "1" },
        { type: "finish", finishReason: STOP, usage: USAGE },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
