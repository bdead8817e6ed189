import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answersByApi,
  type ChatProvider,
  chatProvider,
  completion,
  message,
  messageEvents,
  sendEvents,
  sendJson,
} from "../support/chat-provider.ts";
import { type Served, serve } from "../support/served.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const QUESTION = "what are the rings of Saturn made of?";

/** The official SDKs with a server without keys and a fake provider. */
describe("the gateway with the official SDKs", () => {
  let provider: ChatProvider;
  let served: Served;

  const anthropic = (session: string, baseURL = `http://127.0.0.1:${served.port}/gateway/anthropic`) =>
    new Anthropic({
      apiKey: "sk-of-anthropic",
      baseURL,
      maxRetries: 0,
      defaultHeaders: { "X-Ctxdb-Session": session },
    });
  const openai = (session: string, baseURL = `http://127.0.0.1:${served.port}/gateway/openai/v1`) =>
    new OpenAI({
      apiKey: "sk-of-openai",
      baseURL,
      maxRetries: 0,
      defaultHeaders: { "X-Ctxdb-Session": session },
    });
  const held = async (session: string) => {
    const { result } = await served.rest("", `GET sessions/${session}/context`);
    const { messages } = result as {
      messages: { role: string; parts: { text?: string; tool_name?: string }[] }[];
    };
    return messages.map(
      ({ role, parts }) => `${role}: ${parts.map(({ text, tool_name }) => text ?? tool_name).join(" + ")}`,
    );
  };

  beforeAll(async () => {
    provider = await chatProvider();
    served = await serve({
      CTXDB_ROOT_API_KEY: undefined,
      CTXDB_GATEWAY_ANTHROPIC_URL: provider.url,
      CTXDB_GATEWAY_OPENAI_URL: provider.url,
      CTXDB_GATEWAY_RECALL_MS: "20000",
    });
    await served.rest("", "POST content/write", {
      uri: "ctx://resources/space/saturn.md",
      content: "# Saturn\n\nSaturn has rings of ice and dust.",
      mode: "create",
      wait: true,
    });
  });
  afterAll(async () => {
    await served.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.script = answersByApi;
    provider.requests.length = 0;
  });

  it("the gateway returns Anthropic messages, token counts and models as the provider does", async () => {
    const asked = { model: "m", max_tokens: 64, messages: [{ role: "user" as const, content: QUESTION }] };
    const through = await anthropic("messages").messages.create(asked);
    const direct = await anthropic("messages", provider.url).messages.create(asked);
    expect(through).toEqual(direct);
    const keys = provider.requests.map(({ headers }) => [headers["x-api-key"], headers.authorization]);
    expect(keys[0]).toEqual(keys[1]);
    expect(String(keys[0])).toContain("sk-of-anthropic");
    expect(provider.requests[0]?.body.toString()).toContain("rings of ice and dust");
    const { max_tokens: _, ...counted } = asked;
    expect(await anthropic("messages").messages.countTokens(counted)).toEqual({ input_tokens: 42 });
    const models = await openai("models").models.list();
    expect(models.data.map(({ id }) => id)).toEqual(["model-1"]);
    expect(await held("messages")).toEqual([`user: ${QUESTION}`, "assistant: Fine, noted."]);
  });

  it("the gateway streams messages with tools through a complete agent loop", async () => {
    const call = { id: "toolu_1", name: "weather", input: { city: "Lisbon", days: [1, 2] } };
    const client = anthropic("loop");
    const tools = [{ name: "weather", input_schema: { type: "object" as const } }];
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "how is the weather?" }];
    provider.script = (_, response) =>
      sendEvents(response, messageEvents([{ text: "Let me look." }, { tool: call }]), 5);
    const first = await client.messages
      .stream({ model: "m", max_tokens: 64, tools, messages })
      .finalMessage();
    expect(first.content).toMatchObject(message([{ text: "Let me look." }, { tool: call }]).content);
    messages.push({ role: "assistant", content: first.content });
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "rain" }],
    });
    provider.script = answersByApi;
    const second = await client.messages.stream({ model: "m", max_tokens: 64, tools, messages }).finalText();
    expect(second).toBe("Fine, noted.");
    expect(await held("loop")).toEqual([
      "user: how is the weather?",
      "assistant: Let me look. + weather",
      "assistant: weather",
      "assistant: Fine, noted.",
    ]);
  });

  it("the gateway returns OpenAI chat completions and responses, plain and streamed", async () => {
    const client = openai("chat");
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
    const plain = await client.chat.completions.create({ model: "m", messages });
    expect(plain.choices[0]?.message.content).toBe("Fine, noted.");
    messages.push({ role: "assistant", content: "Fine, noted." }, { role: "user", content: "and then?" });
    const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("Fine, noted.");
    expect(await held("chat")).toHaveLength(4);
    const answer = await openai("answers").responses.create({ model: "m", input: QUESTION });
    expect(answer.output_text).toBe("Fine, noted.");
    const events: string[] = [];
    const more = { model: "m", input: "and then?", previous_response_id: answer.id, stream: true as const };
    for await (const event of await openai("answers").responses.create(more)) events.push(event.type);
    expect(events.at(-1)).toBe("response.completed");
    expect(await held("answers")).toHaveLength(4);
    expect(provider.requests.every(({ headers }) => headers.authorization === "Bearer sk-of-openai")).toBe(
      true,
    );
  });

  it("the gateway passes images to the provider unchanged", async () => {
    const url = `data:image/png;base64,${"iVBORw0KGgo".repeat(1000)}`;
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: "text", text: "what is on it?" },
      { type: "image_url", image_url: { url } },
    ];
    provider.script = (_, response) => sendJson(response, completion("A cat."));
    await openai("cat").chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
    expect(provider.requests[0]?.body.toString()).toContain(url);
    expect((await held("cat"))[0]).toMatch(/^user: what is on it\? \+ \[image_url, \d+ bytes\]$/);
  });

  it("errors of the provider reach the official SDKs as their own error classes", async () => {
    const asked = { model: "m", max_tokens: 64, messages: [{ role: "user" as const, content: "hello" }] };
    for (const [status, kind] of [
      [400, Anthropic.BadRequestError],
      [401, Anthropic.AuthenticationError],
      [429, Anthropic.RateLimitError],
      [529, Anthropic.InternalServerError],
    ] as const) {
      const error = { type: "error", error: { type: "some_error", message: "no" } };
      provider.script = (_, response) => sendJson(response, error, status);
      const failed = anthropic("errors").messages.create(asked);
      await expect(failed).rejects.toThrow(kind);
      await expect(failed).rejects.toMatchObject({ status, requestID: "req_of_the_provider", error });
    }
  });

  it("errors of the gateway itself reach the official SDKs as their own error classes", async () => {
    const bad = { headers: { "X-Ctxdb-Recall": "perhaps" } };
    const asked = { model: "m", max_tokens: 64, messages: [{ role: "user" as const, content: "hello" }] };
    await expect(anthropic("own").messages.create(asked, bad)).rejects.toThrow(
      /ctxdb gateway: .*recall.*on or off/,
    );
    await expect(openai("own").chat.completions.create({ ...asked }, bad)).rejects.toThrow(
      OpenAI.BadRequestError,
    );
    const { url } = provider;
    await provider.close();
    await expect(anthropic("own").messages.create(asked)).rejects.toMatchObject({ status: 502 });
    provider = await chatProvider(Number(new URL(url).port));
  });

  it("the examples of docs/gateway.md run exactly as printed", async () => {
    const page = readFileSync(join(ROOT, "docs/gateway.md"), "utf8");
    const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
    expect(examples).toHaveLength(2);
    for (const example of examples) {
      const code = example.replace("http://127.0.0.1:1933", `http://127.0.0.1:${served.port}`);
      const env = { ...process.env, ANTHROPIC_API_KEY: "sk-1", OPENAI_API_KEY: "sk-2" };
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT, env });
      expect(stdout).toBe("Fine, noted.\n");
    }
  });
});
