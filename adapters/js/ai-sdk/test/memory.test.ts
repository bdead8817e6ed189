import { randomUUID } from "node:crypto";
import { generateText, type ModelMessage, stepCountIs, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { CtxdbMemory, ctxdbTools } from "../src/index.ts";
import { given, scripted } from "./model.ts";
import { newUser } from "./server.ts";

const TURNS = 30;

const wrapped = (memory: CtxdbMemory, model: MockLanguageModelV4) =>
  wrapLanguageModel({ model, middleware: memory.middleware });

test("statements of one conversation are recalled before the user's message in another", async () => {
  const client = newUser();
  const first = new CtxdbMemory(client, { sessionId: "monday" });
  const said = "My name is Ann. I prefer green tea over coffee.";
  await generateText({
    model: wrapped(
      first,
      scripted(() => "Noted."),
    ),
    prompt: said,
  });
  expect(await first.commit()).toBeGreaterThan(0);
  const model = scripted(() => "Green tea.");
  const { text } = streamText({
    model: wrapped(new CtxdbMemory(client, { sessionId: "tuesday" }), model),
    prompt: "Which tea do I like?",
  });
  expect(await text).toBe("Green tea.");
  const [message] = model.doStreamCalls[0]?.prompt ?? [];
  expect(message === undefined ? "" : given(message)).toMatch(/prefers green tea.*Which tea do I like\?$/s);
  client.close();
});

test("over thirty turns, earlier turns reach the model unchanged, and each turn is stored once", async () => {
  const user = `u${randomUUID()}`;
  const seed = newUser(user);
  for (const [name, fact] of Object.entries({ ann: "Ann lives in Lübeck", tea: "Ann prefers green tea" }))
    await seed.memories.create({ statement: fact, subject: name });
  seed.close();
  const client = newUser(user);
  const memory = new CtxdbMemory(client, { sessionId: "long", tokenBudget: 300 });
  const model = scripted((prompt) => `answer ${prompt.length}`);
  const messages: ModelMessage[] = [];
  for (let turn = 1; turn <= TURNS; turn++) {
    messages.push({
      role: "user",
      content: turn % 7 === 0 ? `where does Ann live? (${turn})` : `turn ${turn}`,
    });
    const isStreamed = turn % 2 === 0;
    const options = { model: wrapped(memory, model), messages };
    const text = isStreamed ? await streamText(options).text : (await generateText(options)).text;
    messages.push({ role: "assistant", content: text });
  }
  const prompts = [...model.doGenerateCalls, ...model.doStreamCalls]
    .map(({ prompt }) => prompt.map(given))
    .sort((a, b) => a.length - b.length);
  for (const [index, prompt] of prompts.slice(1).entries()) {
    const before = prompts[index] ?? [];
    expect(prompt.slice(0, before.length)).toEqual(before);
  }
  expect(prompts.at(-1)?.join("\n")).toContain("Lübeck");
  const { messageCount } = await client.sessions.get({ sessionId: "long" });
  expect(messageCount).toBe(2 * TURNS);
  client.close();
});

test("a repeated turn is stored once", async () => {
  const client = newUser();
  for (let time = 1; time <= 2; time++) {
    const memory = new CtxdbMemory(client, { sessionId: "again" });
    await generateText({
      model: wrapped(
        memory,
        scripted(() => "Hello."),
      ),
      prompt: "hi",
    });
  }
  expect((await client.sessions.get({ sessionId: "again" })).messageCount).toBe(2);
  client.close();
});

test("without a server the model still answers, and the application gets the error", async () => {
  const client = newUser();
  const gone = new CtxdbMemory(client, { sessionId: "not/an/id", onError: (error) => faults.push(error) });
  const faults: unknown[] = [];
  const { text } = await generateText({
    model: wrapped(
      gone,
      scripted(() => "Still here."),
    ),
    prompt: "hi",
  });
  expect(text).toBe("Still here.");
  expect(faults).not.toEqual([]);
  client.close();
});

test("a model finds, reads, recalls and remembers with the tools", async () => {
  const client = newUser();
  const status = await client.system.status();
  const uri = `ctx://user/${status.user}/notes/tea.md`;
  await client.content.write({
    uri,
    content: "# Tea\n\nGreen tea is brewed at 80 degrees.\n",
    mode: "create",
    wait: true,
  });
  const calls = [
    ["find", { query: "how hot is green tea brewed?" }],
    ["read", { uri }],
    ["remember", { statement: "Ann prefers green tea" }],
    ["recall", { query: "which tea does Ann prefer?" }],
  ] as const;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: [
      ...calls.map(([toolName, input], index) => ({
        content: [
          { type: "tool-call" as const, toolCallId: `${index}`, toolName, input: JSON.stringify(input) },
        ],
        finishReason: { unified: "tool-calls" as const, raw: "tool_calls" },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
      },
    ],
  });
  const memory = new CtxdbMemory(client, { sessionId: "tools" });
  const { steps, text } = await generateText({
    model: wrapped(memory, model),
    tools: ctxdbTools(client),
    stopWhen: stepCountIs(9),
    prompt: "Use your tools.",
  });
  expect(text).toBe("Done.");
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => JSON.stringify(output)));
  expect(outputs).toEqual([
    expect.stringContaining("80 degrees"),
    expect.stringContaining("# Tea"),
    expect.stringContaining('"created":true'),
    expect.stringContaining("Ann prefers green tea"),
  ]);
  expect((await client.sessions.get({ sessionId: "tools" })).messageCount).toBe(2);
  client.close();
});
