import { describe, expect, it } from "vitest";
import { answerReader } from "../../../../src/transport/gateway/answer-reader.ts";
import { anthropicMessages } from "../../../../src/transport/gateway/anthropic-messages.ts";
import type { ChatApi } from "../../../../src/transport/gateway/conversation.ts";
import { openaiChat } from "../../../../src/transport/gateway/openai-chat.ts";

const MIB = 1024 * 1024;

/** A reader of an answer, and the maximum number of bytes that it held. */
function reading(api: ChatApi, type: string, room = Number.POSITIVE_INFINITY) {
  const held = { now: 0, most: 0 };
  const hold = (bytes: number): boolean => {
    if (bytes > room) return false;
    held.now = bytes;
    held.most = Math.max(held.most, bytes);
    return true;
  };
  const reader = answerReader(api, type, undefined, hold)!;
  const read = (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_536) reader.add(bytes.subarray(at, at + 65_536));
    return reader.end();
  };
  return { read, held };
}

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

describe("answers of providers that are read as they pass", () => {
  it("an endless stream is assembled up to a limit", () => {
    const { read } = reading(openaiChat, "text/event-stream");
    const answer = read(chunk("x".repeat(MIB / 4)).repeat(40) + end);
    expect(answer?.parts).toEqual([{ kind: "text", text: "x".repeat(MIB) }]);
  });

  it("inputs of tool calls and all blocks of one stream share the limit", () => {
    const { read } = reading(anthropicMessages, "text/event-stream");
    const blocks = Array.from({ length: 20 }, (_, index) =>
      [
        event({ type: "content_block_start", index, content_block: { type: "text", text: "" } }),
        event({ type: "content_block_delta", index, delta: { text: "y".repeat(MIB / 8) } }),
      ].join(""),
    );
    const answer = read(blocks.join("") + event({ type: "message_stop" }));
    const texts = answer!.parts.map((part) => (part.kind === "text" ? part.text.length : 0));
    expect(texts.reduce((sum, length) => sum + length, 0)).toBe(MIB);
  });

  it("the buffered start of a stream block counts against its limit, and other blocks are not buffered", () => {
    const { read, held } = reading(anthropicMessages, "text/event-stream");
    const begin = (index: number, content_block: object) =>
      event({ type: "content_block_start", index, content_block });
    const filler = "v".repeat(60 * 1024);
    const blocks = Array.from({ length: 900 }, (_, index) =>
      begin(
        index,
        index % 3 === 0
          ? { type: "tool_use", id: `t${index}`, name: "search", input: { query: filler } }
          : index % 3 === 1
            ? { type: "web_search_tool_result", content: [{ encrypted_content: filler }] }
            : { type: "text", text: filler },
      ),
    );
    const answer = read(blocks.join("") + event({ type: "message_stop" }));
    expect(answer?.parts.slice(0, 2)).toEqual([
      { kind: "call", id: "t0", name: "search", input: { query: filler } },
      { kind: "text", text: filler },
    ]);
    expect(JSON.stringify(answer).length).toBeLessThan(1.1 * MIB);
    expect(held.most).toBeLessThan(3 * MIB);
  });

  it.each([
    ["wide", `[${"[],".repeat(MIB / 8)}0]`],
    ["deep", "[".repeat(MIB / 8) + "]".repeat(MIB / 8)],
    ["long", JSON.stringify({ text: "w".repeat(2 * MIB) })],
  ])("a tool call input that is too %s stays text", (_, input) => {
    const called = { id: "c", function: { name: "f", arguments: input } };
    const message = { content: "", tool_calls: [called] };
    const { read } = reading(openaiChat, "application/json");
    expect(read(JSON.stringify({ choices: [{ message }] }))?.parts).toEqual([
      { kind: "call", id: "c", name: "f", input },
    ]);
  });

  it.each(["application/json", "text/event-stream"])(
    "an answer of %s that consists only of structure is not parsed or captured",
    (type) => {
      const { read } = reading(openaiChat, type);
      const value = `{"choices":[{"index":0,"message":{"content":"a"},"x":[${"[],".repeat(MIB)}0]}]}`;
      expect(read(type === "application/json" ? value : `data: ${value}\n\n`)).toBeUndefined();
    },
  );

  it("an answer above the memory budget is not captured, and one within the budget is counted", () => {
    const value = JSON.stringify({ choices: [{ message: { content: "z".repeat(MIB) } }] });
    const whole = reading(openaiChat, "application/json");
    expect(whole.read(value)?.parts).toHaveLength(1);
    expect(whole.held.most).toBe(value.length);
    expect(reading(openaiChat, "application/json", MIB / 2).read(value)).toBeUndefined();
    const streamed = reading(openaiChat, "text/event-stream");
    expect(streamed.read(chunk("z".repeat(MIB)) + end)?.parts).toHaveLength(1);
    expect(streamed.held.now).toBe(2 * MIB);
    expect(
      reading(openaiChat, "text/event-stream", MIB / 2).read(chunk("z".repeat(MIB)) + end),
    ).toBeUndefined();
  });

  it("lines of an event stream end with either line break, and only data counts", () => {
    const { read } = reading(openaiChat, "text/event-stream");
    const text = `: ping\r\n\r\nevent: x\r\n${chunk("a").replaceAll("\n", "\r\n")}${"\n".repeat(10_000)}${end}`;
    expect(read(text)?.parts).toEqual([{ kind: "text", text: "a" }]);
  });
});
