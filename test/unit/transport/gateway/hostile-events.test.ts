import { describe, expect, it } from "vitest";
import { answerReader } from "../../../../src/transport/gateway/answer-reader.ts";
import { anthropicMessages } from "../../../../src/transport/gateway/anthropic-messages.ts";
import { openaiChat } from "../../../../src/transport/gateway/openai-chat.ts";
import { openaiResponses } from "../../../../src/transport/gateway/openai-responses.ts";

/** Values that JavaScript cannot convert to a number or text. */
const VALUES = ['{"valueOf":1,"toString":1}', `${"[".repeat(50_000)}${"]".repeat(50_000)}`];
const EVENTS = VALUES.flatMap((value) => [
  `{"type":"content_block_start","index":${value},"content_block":${value}}`,
  `{"type":"content_block_delta","index":${value},"delta":${value}}`,
  `{"choices":[{"index":0,"delta":{"content":${value},"tool_calls":[{"index":${value},"function":${value}}]}}]}`,
  `{"type":"response.output_item.done","output_index":${value},"item":${value}}`,
  `{"type":"response.output_text.delta","output_index":${value},"content_index":${value},"delta":${value}}`,
  `{"type":"response.completed","response":{"id":${value},"output":[${value}]}}`,
  `{"type":${value},"index":${value}}`,
]);
const APIS = { anthropicMessages, openaiChat, openaiResponses };

describe("a reader of answers of a hostile provider", () => {
  it.each(Object.entries(APIS))("%s: no value of an event makes it throw", (_, api) => {
    for (const event of EVENTS) {
      const reader = answerReader(api, "text/event-stream", undefined, () => true);
      expect(reader).toBeDefined();
      expect(() => reader?.add(Buffer.from(`data: ${event}\n\n`)), event.slice(0, 100)).not.toThrow();
      expect(() => reader?.end()).not.toThrow();
    }
  });
});
