// Compares the session with the SDK's MemorySession over the same operations, and in an agent.
import { randomUUID } from "node:crypto";
import type { Client } from "@ctxdb/client";
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type Session,
  tool,
  Usage,
} from "@openai/agents";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { CtxdbSession } from "../src/index.ts";
import { newUser } from "./server.ts";

const TURNS = 30;
const TEXTS = ["hi", "", "ünïcode 漢字", "\0", "\ud800", "line\r\nline", "x".repeat(5000)];

let client: Client;
beforeEach(() => {
  client = newUser();
});
afterEach(() => client.close());

/** Returns pseudo-random numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function someOperation(next: () => number): (session: Session) => Promise<unknown> {
  const one = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const text = one(TEXTS);
  const item: AgentInputItem = one<AgentInputItem>([
    { role: "user", content: text },
    { role: "user", content: [{ type: "input_text", text }] },
    { role: "assistant", status: "completed", content: [{ type: "output_text", text }] },
    { type: "function_call", name: "find", arguments: '{"query": "tea"}', callId: "1", status: "completed" },
    { type: "function_call_result", name: "find", callId: "1", status: "completed", output: text },
  ]);
  const items = Array.from({ length: Math.floor(next() * 4) }, () => item);
  const kind = next();
  if (kind < 0.4) return (session) => session.addItems(items);
  const limit = one([undefined, 0, 1, 2, 5, 100, -1]);
  if (kind < 0.7) return (session) => session.getItems(limit);
  if (kind < 0.97) return (session) => session.popItem();
  return (session) => session.clearSession();
}

test.each([1, 2])("random operations of seed %i return the same as the SDK's own session", async (seed) => {
  const next = numbers(seed);
  const theirs = new MemorySession({ sessionId: "1" });
  const ours = new CtxdbSession(client, { sessionId: "1" });
  expect(await ours.getSessionId()).toBe(await theirs.getSessionId());
  for (let round = 0; round < 60; round++) {
    const operation = someOperation(next);
    expect(await operation(ours)).toEqual(await operation(theirs));
  }
});

test("sessions with different ids are separate, an id may be any text, and bytes are restored as bytes", async () => {
  const ids = ["a", "a/b", "..", "", "漢".repeat(100), "a.json"];
  const imageOf = (id: string): AgentInputItem => ({
    role: "user",
    content: [{ type: "input_text", text: id, providerData: { raw: Buffer.from(id) } }],
  });
  for (const sessionId of ids) await new CtxdbSession(client, { sessionId }).addItems([imageOf(sessionId)]);
  for (const sessionId of ids) {
    const [item] = await new CtxdbSession(client, { sessionId }).getItems();
    expect(item).toMatchObject({ content: [{ text: sessionId }] });
  }
  const bytes = {
    type: "unknown",
    providerData: { raw: new Uint8Array([1, 2, 3]) },
  } satisfies AgentInputItem;
  const session = new CtxdbSession(client, { sessionId: "bytes" });
  await session.addItems([bytes]);
  expect(await session.getItems()).toEqual([bytes]);
  await new CtxdbSession(client, { sessionId: "a" }).clearSession();
  expect(await new CtxdbSession(client, { sessionId: "a/b" }).getItems()).toHaveLength(1);
});

test("items of concurrent calls are all stored, and each is popped once", async () => {
  const session = new CtxdbSession(client, { sessionId: "1" });
  const said = Array.from({ length: 10 }, (_, number) => String(number));
  await Promise.all(said.map((content) => session.addItems([{ role: "user", content }])));
  const popped = await Promise.all(Array.from({ length: 12 }, () => session.popItem()));
  const contents = popped.flatMap((item) => (item && "content" in item ? [String(item.content)] : []));
  expect(contents.sort()).toEqual(said);
});

/** Calls the tool if asked about tea, otherwise answers with the number of items it received. */
class ScriptedModel implements Model {
  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const items = typeof input === "string" ? [input] : input;
    const last = items.at(-1);
    const asks =
      typeof last === "object" && "content" in last && JSON.stringify(last.content).includes("tea");
    const output: ModelResponse["output"] = asks
      ? [
          {
            type: "function_call",
            name: "temperature",
            arguments: "{}",
            callId: `call-${items.length}`,
            status: "completed",
          },
        ]
      : [
          {
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: `knows ${items.length}` }],
          },
        ];
    return { usage: new Usage(), output };
  }

  // biome-ignore lint/correctness/useYield: the agents of these tests do not stream
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error("these tests do not stream");
  }
}

test("an agent gets its whole session after every restart, for thirty turns", async () => {
  const user = `u${randomUUID()}`;
  const temperature = tool({
    name: "temperature",
    description: "How hot the tea is.",
    parameters: z.object({}),
    execute: async () => "80 degrees",
  });
  const agent = new Agent({ name: "helper", model: new ScriptedModel(), tools: [temperature] });
  const runner = new Runner({ tracingDisabled: true });
  let count = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    const asks = turn % 5 === 0;
    const fresh = newUser(user);
    const session = new CtxdbSession(fresh, { sessionId: "1" });
    const result = await runner.run(agent, asks ? "how hot is tea?" : "hello", { session });
    // the tool call and its output come before the answer
    count += asks ? 3 : 1;
    expect(result.finalOutput).toBe(`knows ${count}`);
    count++;
    fresh.close();
  }
  const last = newUser(user);
  expect(await new CtxdbSession(last, { sessionId: "1" }).getItems()).toHaveLength(count);
  last.close();
});

test("statements of a session are remembered once and found in another", async () => {
  const session = new CtxdbSession(client, { sessionId: "first" });
  await session.addItems([{ role: "user", content: "My name is Ann. I prefer green tea." }]);
  await session.addItems([{ type: "function_call", name: "find", arguments: "{}", callId: "1" }]);
  expect(await session.remember()).toBeGreaterThan(0);
  expect(await session.remember()).toBe(0);
  await session.clearSession();
  const { memories } = await client.search.find({ query: "which tea does Ann prefer?" });
  expect(memories.some(({ match }) => match.includes("green tea"))).toBe(true);
});
