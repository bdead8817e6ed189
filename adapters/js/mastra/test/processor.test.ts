import { randomUUID } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { expect, test } from "vitest";
import { CtxdbMemoryProcessor, type CtxdbMemoryProcessorOptions } from "../src/index.ts";
import { given, scripted } from "./model.ts";
import { newUser } from "./server.ts";

const TURNS = 30;

function agentOf(client: Client, seen: string[][], options: CtxdbMemoryProcessorOptions = {}) {
  const processor = new CtxdbMemoryProcessor(client, { timeoutSeconds: 60, ...options });
  const model = scripted((prompt) => {
    seen.push(given(prompt));
    return `turn ${seen.length}`;
  });
  const agent = new Agent({
    id: "helper",
    name: "helper",
    instructions: "Help.",
    model,
    memory: new MockMemory(),
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  return { agent, processor };
}

test("statements of one thread are recalled before the user's message in another", async () => {
  const client = newUser();
  const seen: string[][] = [];
  const { agent, processor } = agentOf(client, seen);
  await agent.generate("I prefer green tea.", { memory: { thread: "monday", resource: "ann" } });
  expect(await processor.commit("monday")).toBeGreaterThan(0);
  expect(await processor.commit("monday")).toBe(0);
  const output = await agent.stream("Which tea do I like?", {
    memory: { thread: "tuesday", resource: "ann" },
  });
  expect(await output.text).toBe("turn 2");
  expect(seen[1]?.at(-1)).toMatch(/green tea[\s\S]*Which tea do I like\?$/);
  client.close();
});

test("an agent of thirty turns gets memories in every turn, and earlier ones stay the same", async () => {
  const user = `u${randomUUID()}`;
  const client = newUser(user);
  await client.memories.create({ statement: "Ann prefers green tea." });
  const seen: string[][] = [];
  const { agent, processor } = agentOf(client, seen);
  const memory = { thread: "long", resource: "ann" };
  for (let turn = 1; turn <= TURNS; turn++)
    await agent.generate(`Which tea does Ann like, ${turn}?`, { memory });
  expect(seen).toHaveLength(TURNS);
  const first = seen[0]?.[0] ?? "";
  expect(first).toContain("Ann prefers green tea.");
  // Mastra passes only the last messages, and passes earlier turns with the same bytes
  const texts = new Map<string, string>();
  for (const text of seen.flat()) {
    const said = text.split("\n").at(-1) ?? "";
    expect(texts.get(said) ?? text).toBe(text);
    texts.set(said, text);
  }
  await processor.commit("long");
  const { messageCount = 0 } = await client.sessions.get({ sessionId: "long" });
  expect(messageCount).toBe(0);
  client.close();
});

test("the model is called without memory when the server is away, and the error is reported", async () => {
  const client = newUser();
  client.close();
  const { connect } = await import("@ctxdb/client");
  const away = connect("http://127.0.0.1:9");
  const errors: unknown[] = [];
  const seen: string[][] = [];
  const { agent } = agentOf(away, seen, { timeoutSeconds: 1, onError: (error) => errors.push(error) });
  const answer = await agent.generate("hello", { memory: { thread: "away", resource: "ann" } });
  expect(answer.text).toBe("turn 1");
  expect(seen).toEqual([["hello"]]);
  expect(errors.length).toBeGreaterThan(0);
  away.close();
});

test("a call without a thread has no memory, unless a session is named", async () => {
  const client = newUser();
  const seen: string[][] = [];
  await agentOf(client, seen).agent.generate("hello");
  await agentOf(client, seen, { sessionId: "named" }).agent.generate("I prefer green tea.");
  const { sessions } = await client.sessions.list({});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["named"]);
  client.close();
});
