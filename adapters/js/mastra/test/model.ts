import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

/** A fake model: its answer is the result of `answer` for the prompt. */
export function scripted(answer: (prompt: Prompt) => string): MastraLanguageModelV2Mock {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => ({
      content: [{ type: "text", text: answer(prompt) }],
      finishReason: "stop",
      usage,
      warnings: [],
    }),
    doStream: async ({ prompt }) => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.enqueue({ type: "text-start", id: "1" });
          controller.enqueue({ type: "text-delta", id: "1", delta: answer(prompt) });
          controller.enqueue({ type: "text-end", id: "1" });
          controller.enqueue({ type: "finish", finishReason: "stop", usage });
          controller.close();
        },
      }),
    }),
  });
}

/** Returns the text of all user messages as the model receives them. */
export const given = (prompt: Prompt): string[] =>
  prompt
    .filter(({ role }) => role === "user")
    .map(({ content }) => (content as { text?: string }[]).map(({ text = "" }) => text).join("\n"));
