import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

let served: Served;
const call = (path: string, body?: object) => served.rest(ROOT_KEY, path, body);
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

describe("messages with a date of their own", () => {
  it("a message with its own date keeps it, and so do its facts and episodes", async () => {
    await call("POST sessions", { session_id: "old" });
    await call("POST sessions/old/messages", {
      role: "user",
      content: "I live in Lisbon.",
      created_at: "2021-03-04T10:00:00+02:00",
    });
    const { result } = await call("GET sessions/old/context");
    expect((result as { messages: { created_at: string }[] }).messages[0]?.created_at).toBe(
      "2021-03-04T08:00:00.000Z",
    );
    await call("POST sessions/old/commit", {});
    const memories = (await call("GET memories")).result as {
      statement: string;
      said_at: string;
      kind: string;
    }[];
    expect(memories.map(({ kind, said_at }) => [kind, said_at.slice(0, 10)])).toEqual([
      ["fact", "2021-03-04"],
      ["episode", "2021-03-04"],
    ]);
    const listed = ((await call("GET sessions")).result as { session_id: string; updated_at: string }[])[0];
    expect(Date.parse(listed!.updated_at)).toBeGreaterThan(Date.parse("2026-01-01"));
  });

  it("a fact has the least trusted origin of its messages", async () => {
    await call("POST sessions", { session_id: "origins" });
    const messages = [{ role: "user", content: "My dog is called Rex." }];
    await call("POST sessions/origins/messages/batch", { messages });
    await call("POST sessions/origins/commit", {});
    const memories = (await call("GET memories?text=rex&category=entities")).result as { origin: string }[];
    expect(memories.map(({ origin }) => origin)).toEqual(["user"]);
  });

  it.each(["soon", "2999-01-01T00:00:00Z", "1960-01-01"])(
    "a message dated with anything but a past time is refused: %s",
    async (created_at) => {
      const { error } = await call("POST sessions/old/messages", { role: "user", content: "x", created_at });
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "created_at" } });
    },
  );
});

describe("a batch of messages", () => {
  it("a batch of messages is stored in order, each message with an id once", async () => {
    await call("POST sessions", { session_id: "batch" });
    const messages = [
      { role: "user", content: "one", id: "1" },
      { role: "assistant", parts: [{ type: "text", text: "two" }] },
      { role: "user", content: "one", id: "1" },
    ];
    const { result } = await call("POST sessions/batch/messages/batch", { messages });
    expect(result).toEqual({ session_id: "batch", message_count: 2 });
    const context = (await call("GET sessions/batch/context")).result as {
      messages: { parts: { text: string }[] }[];
    };
    expect(context.messages.map(({ parts }) => parts[0]?.text)).toEqual(["one", "two"]);
  });

  it("one request can store thousands of tool calls and used contexts, all or none of them", async () => {
    await call("POST sessions", { session_id: "many" });
    const parts = (message: number) => [
      ...Array.from({ length: 40 }, (_, i) => ({
        type: "tool",
        tool_name: "run",
        tool_id: `call-${message}-${i}`,
      })),
      { type: "context", uri: `ctx://resources/used${message}.md` },
    ];
    const messages = Array.from({ length: 50 }, (_, i) => ({ role: "assistant", parts: parts(i) }));
    const { result } = await call("POST sessions/many/messages/batch", { messages });
    expect(result).toEqual({ session_id: "many", message_count: 50 });
    const contexts = Array.from({ length: 1000 }, (_, i) => `ctx://resources/used${i}.md`);
    const used = await call("POST sessions/many/used", { contexts });
    expect(used.result).toMatchObject({ session_id: "many", contexts_used: 1000 });
    const tools = await call("GET fs/ls?uri=ctx://session/default/many/tools&node_limit=5000");
    expect(tools.result).toHaveLength(2000);
    const refused = await call("POST sessions/many/used", { contexts: [...contexts.slice(1), "file:///x"] });
    expect(refused.error?.code).toBe("INVALID_URI");
    expect((await call("POST sessions/none/messages/batch", { messages })).error?.code).toBe("NOT_FOUND");
  });

  it("a batch with one malformed message is refused completely, and the error names the field", async () => {
    await call("POST sessions", { session_id: "refused" });
    const messages = [
      { role: "user", content: "fine" },
      { role: "ghost", content: "boo" },
    ];
    const { error } = await call("POST sessions/refused/messages/batch", { messages });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "messages[1].role" } });
    expect((await call("GET sessions/refused")).result).toMatchObject({ message_count: 0 });
  });

  it("a batch has a limited number of messages and needs an existing session", async () => {
    const messages = Array.from({ length: 501 }, () => ({ role: "user", content: "x" }));
    const { error } = await call("POST sessions/refused/messages/batch", { messages });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "messages" } });
    expect((await call("POST sessions/refused/messages/batch", { messages: [] })).error?.code).toBe(
      "INVALID_ARGUMENT",
    );
    const one = [{ role: "user", content: "x" }];
    expect((await call("POST sessions/nowhere/messages/batch", { messages: one })).error?.code).toBe(
      "NOT_FOUND",
    );
  });
});
