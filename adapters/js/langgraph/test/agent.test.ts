// Runs an agent for thirty turns with a scripted model, with a new connection for every turn.
import { randomUUID } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import {
  END,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { expect, test } from "vitest";
import { CtxdbSaver, CtxdbStore } from "../src/index.ts";
import { newUser } from "./server.ts";

const TURNS = 30;

function agentOf(client: Client) {
  const answer = async ({ messages }: { messages: BaseMessage[] }, { store }: LangGraphRunnableConfig) => {
    const said = String(messages.at(-1)?.content);
    const known = await store?.search(["ann"], { query: said, limit: 100 });
    if (said.startsWith("remember")) await store?.put(["ann"], said, { text: said });
    const turns = messages.filter((message) => message.getType() === "human").length;
    return { messages: [new AIMessage(`turn ${turns}, knows ${known?.length}`)] };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", answer)
    .addEdge(START, "answer")
    .addEdge("answer", END)
    .compile({ checkpointer: new CtxdbSaver(client), store: new CtxdbStore(client) });
}

test("an agent continues after every turn with a new connection", async () => {
  const user = `u${randomUUID()}`;
  const config = { configurable: { thread_id: "ann/1" } };
  for (let turn = 1; turn <= TURNS; turn++) {
    const client = newUser(user);
    const said = turn % 3 === 0 ? `remember number ${turn}` : "hello";
    const state = await agentOf(client).invoke({ messages: [{ role: "user", content: said }] }, config);
    expect(state.messages.at(-1)?.content).toBe(`turn ${turn}, knows ${Math.floor((turn - 1) / 3)}`);
    client.close();
  }
  const client = newUser(user);
  const steps: (number | undefined)[] = [];
  for await (const state of agentOf(client).getStateHistory(config, { limit: 3 }))
    steps.push(state.metadata?.step);
  expect(steps).toEqual([3 * TURNS - 2, 3 * TURNS - 3, 3 * TURNS - 4]);
  await new CtxdbSaver(client).deleteThread("ann/1");
  expect(await new CtxdbSaver(client).getTuple(config)).toBeUndefined();
  client.close();
});
