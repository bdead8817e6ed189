import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerReader } from "../../../../src/transport/gateway/answer-reader.ts";
import { anthropicMessages } from "../../../../src/transport/gateway/anthropic-messages.ts";
import type { ChatApi } from "../../../../src/transport/gateway/conversation.ts";
import { openaiChat } from "../../../../src/transport/gateway/openai-chat.ts";
import { openaiResponses } from "../../../../src/transport/gateway/openai-responses.ts";
import {
  chunkEvents,
  eventText,
  messageEvents,
  openaiResponse,
  responseEvents,
} from "../../../support/chat-provider.ts";

const TEXT = "Grüße 😀, wie geht's?";
const CALL = { id: "toolu_1", name: "weather", input: { city: "Zürich" } };
const STREAM = "text/event-stream; charset=utf-8";

const STREAMS: readonly [string, ChatApi, string, unknown][] = [
  [
    "messages",
    anthropicMessages,
    eventText(messageEvents([{ text: TEXT }, { tool: CALL }])),
    [
      { kind: "text", text: TEXT },
      { kind: "call", ...CALL },
    ],
  ],
  ["chat completions", openaiChat, eventText(chunkEvents(TEXT)), [{ kind: "text", text: TEXT }]],
  ["responses", openaiResponses, eventText(responseEvents(TEXT)), [{ kind: "text", text: TEXT }]],
];

const hold = () => true;

/** Reads a stream cut at these positions; also returns whether it was complete before its end was known. */
function read(api: ChatApi, bytes: Buffer, places: readonly number[]) {
  const reader = answerReader(api, STREAM, undefined, hold);
  const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  let isComplete = false;
  for (const [i, from] of [0, ...cuts].entries())
    isComplete = reader?.add(bytes.subarray(from, cuts[i] ?? bytes.length)) || isComplete;
  return { isComplete, parts: reader?.end()?.parts };
}

describe("a reader of answers", () => {
  it("an OpenAI response that is not stored has no id, because no later request can refer to it", () => {
    const stored = openaiResponse(TEXT, "resp_1");
    expect(openaiResponses.answer(stored)?.id).toBe("resp_1");
    expect(openaiResponses.answer({ ...stored, store: true })?.id).toBe("resp_1");
    expect(openaiResponses.answer({ ...stored, store: false })?.id).toBeUndefined();
  });

  it.each(STREAMS)(
    "a stream of %s is read however it is split, with both kinds of line breaks",
    (_, api, text, parts) => {
      for (const bytes of [Buffer.from(text), Buffer.from(text.replaceAll("\n", "\r\n"))])
        fc.assert(
          fc.property(fc.array(fc.nat()), (places) => {
            expect(read(api, bytes, places)).toEqual({ isComplete: true, parts });
          }),
        );
    },
  );

  it.each(STREAMS)("a part of a stream of %s is not mistaken for a complete answer", (_, api, text) => {
    const lines = text.split("\n\n");
    for (let end = 0; end < lines.length - 3; end++)
      expect(read(api, Buffer.from(`${lines.slice(0, end).join("\n\n")}\n\n`), []).isComplete).toBe(false);
    expect(read(api, Buffer.from(lines.slice(0, 4).join("\n\n")), []).parts).toBeUndefined();
  });

  it.each(STREAMS)("malformed events in a stream of %s are skipped", (_, api) => {
    const hostile = [
      ": comment",
      "data:",
      "data: {",
      "data: null",
      "data: 7",
      'data: {"type":5,"choices":[null,5,{"index":0,"delta":7}],"index":{},"delta":null}',
      'data: {"type":"content_block_delta","index":9,"delta":{"type":"text_delta","text":"x"}}',
      'data: {"type":"content_block_start","index":0,"content_block":null}',
      'data: {"type":"response.completed","response":null}',
      "data: [DONE]",
    ];
    const reader = answerReader(api, STREAM, undefined, hold);
    expect(() => reader?.add(Buffer.from(`${hostile.join("\n\n")}\n\n`))).not.toThrow();
    expect(reader?.end()?.parts ?? []).toEqual([]);
  });

  it("a stream without line breaks is given up", () => {
    const reader = answerReader(anthropicMessages, STREAM, undefined, hold);
    const chunk = Buffer.alloc(1024 * 1024, "a");
    for (let i = 0; i < 8; i++) expect(reader?.add(chunk)).toBe(false);
    reader?.add(Buffer.from(`\n${STREAMS[0]?.[2]}`));
    expect(reader?.end()).toBeUndefined();
  });

  it("an answer that is too large or malformed is given up", () => {
    const reader = answerReader(openaiChat, "application/json", undefined, hold);
    for (let i = 0; i < 9; i++) reader?.add(Buffer.alloc(1024 * 1024, " "));
    reader?.add(Buffer.from("{}"));
    expect(reader?.end()).toBeUndefined();
    for (const api of [anthropicMessages, openaiChat, openaiResponses])
      for (const text of [
        "",
        "{}",
        "[]",
        "null",
        '{"choices":[{}]}',
        '{"type":"error"}',
        '{"object":"response"}',
      ]) {
        const small = answerReader(api, "application/json", text.length, hold);
        small?.add(Buffer.from(text));
        expect(small?.end()).toBeUndefined();
      }
    expect(answerReader(openaiChat, "text/html", 5, hold)).toBeUndefined();
  });
});
