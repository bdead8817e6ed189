import { describe, expect, it } from "vitest";
import { eventMessages } from "../../../src/cli/mcp/event-messages.ts";

const MAX_BYTES = 16 * 1024 * 1024;

async function* piecesOf(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function messagesOf(text: string, length: number, maxBytes = MAX_BYTES): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of eventMessages(piecesOf(text, length), maxBytes)) messages.push(message);
  return messages;
}

describe("messages of an event stream", () => {
  it("event messages are the same, however their stream is split", async () => {
    const text = ': alive\n\nevent: message\ndata: {"a":"ü\\n"}\n\ndata: [1,\ndata: 2]\n\n\n\ndata: "cut';
    for (let length = 1; length <= Buffer.byteLength(text); length++)
      expect([length, await messagesOf(text, length)]).toEqual([length, [{ a: "ü\n" }, [1, 2]]]);
  });

  it("an event in many small pieces is read in time proportional to its length", async () => {
    const value = "x".repeat(MAX_BYTES / 2);
    expect(await messagesOf(`data: "${value}"\n\n`, 64)).toEqual([value]);
  });

  it("an event stream is refused once an event is longer than the limit", async () => {
    await expect(messagesOf(`data: "${"x".repeat(2000)}"\n\n`, 64, 1000)).rejects.toThrow(
      "longer than 1000 bytes",
    );
  });
});
