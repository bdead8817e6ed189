import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { configFrom } from "../../src/config/config.ts";
import {
  answersByApi,
  type ChatProvider,
  chatProvider,
  message,
  sendJson,
} from "../support/chat-provider.ts";
import { EmbeddingServer, give } from "../support/embedding-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROVIDER_KEY = "sk-provider-key-0123456789";
const MIB = 1024 * 1024;

/** Tests of faults, floods and slowness, on a server without keys whose log is checked. */
describe("the gateway under stress", () => {
  let provider: ChatProvider;
  let embedding: EmbeddingServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let app: App;
  let log = "";

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const asking = httpRequest(
        {
          port: app.port,
          path: "/gateway/anthropic/v1/messages",
          method: "POST",
          headers: { "x-api-key": PROVIDER_KEY, authorization: `Bearer ${PROVIDER_KEY}`, ...headers },
        },
        resolve,
      );
      asking.on("error", reject).end(typeof body === "string" ? body : JSON.stringify(body));
    });
  const whole = async (answer: IncomingMessage): Promise<string> => {
    let text = "";
    for await (const chunk of answer) text += String(chunk);
    return text;
  };
  const ask = async (messages: readonly object[], session: string) =>
    whole(await post({ messages }, { "x-ctxdb-session": session }));
  const rest = async (call: string, body?: object): Promise<unknown> => {
    const [method = "", path = ""] = call.split(" ");
    const answer = await fetch(`http://127.0.0.1:${app.port}/api/v1/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return ((await answer.json()) as { result: unknown }).result;
  };
  const sent = () => provider.requests.at(-1)?.body.toString() ?? "";

  beforeAll(async () => {
    provider = await chatProvider();
    embedding = new EmbeddingServer();
    await embedding.start();
    folder = await temporaryFolder();
    const env = {
      CTXDB_DATA_DIR: folder.path,
      CTXDB_PORT: "0",
      CTXDB_LOG_LEVEL: "trace",
      CTXDB_EMBEDDING_PROVIDER: "openai",
      CTXDB_EMBEDDING_BASE_URL: embedding.url,
      CTXDB_EMBEDDING_MODEL: "scripted",
      CTXDB_GATEWAY_ANTHROPIC_URL: provider.url,
      CTXDB_GATEWAY_COMMIT_SECONDS: "1",
    };
    const config = configFrom(env, { folder: folder.path, read: () => undefined });
    const lines = {
      write: (line: string) => {
        log += line;
      },
    };
    app = await openApp(config, pino({ level: "trace" }, lines), "0.0.0");
    await rest("POST content/write", {
      uri: "ctx://resources/space/saturn.md",
      content: "# Saturn\n\nSaturn has rings of ice and dust.",
      mode: "create",
      wait: true,
    });
  });
  afterAll(async () => {
    await app.close();
    await embedding.stop();
    await provider.close();
    await folder.remove();
  });
  beforeEach(() => {
    provider.script = answersByApi;
    provider.requests.length = 0;
    embedding.script = give;
  });

  it("a gateway call continues without a late recall, which is not added to that turn later", async () => {
    const turns: object[] = [{ role: "user", content: "what are the rings of Saturn made of?" }];
    // a query waits half a second for its vector
    embedding.script = () => undefined;
    await ask(turns, "late");
    expect(sent()).toBe(JSON.stringify({ messages: turns }));
    embedding.script = give;
    await ask(turns, "late");
    expect(sent()).toBe(JSON.stringify({ messages: turns }));
    turns.push({ role: "assistant", content: "Fine, noted." });
    turns.push({ role: "user", content: "once more: the rings of Saturn?" });
    await ask(turns, "late");
    const [first] = (JSON.parse(sent()) as { messages: { content: string }[] }).messages;
    expect(first).toEqual(turns[0]);
  });

  it("a captured conversation is committed in time without a further request", async () => {
    await ask([{ role: "user", content: "I was born in Trieste." }], "in-time");
    const archive = "content/read?uri=ctx://session/default/in-time/history/archive_001/messages.jsonl";
    await expect
      .poll(async () => JSON.stringify(await rest(`GET ${archive}`)), { timeout: 20_000, interval: 50 })
      .toContain("Trieste");
  });

  it("the gateway reads from the provider no faster than its caller reads", async () => {
    const chunk = Buffer.alloc(MIB, "abcdefgh");
    const count = 64;
    let written = 0;
    provider.script = async (_, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      for (; written < count; written++) if (!response.write(chunk)) await once(response, "drain");
      response.end();
    };
    const answer = await post({ messages: [] });
    let before = -1;
    await expect
      .poll(
        () => {
          const stands = written === before;
          before = written;
          return stands;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(written).toBeLessThan(count / 2);
    const hash = createHash("sha256");
    for await (const piece of answer) hash.update(piece as Buffer);
    const expected = createHash("sha256");
    for (let i = 0; i < count; i++) expected.update(chunk);
    expect(hash.digest("hex")).toBe(expected.digest("hex"));
  });

  it("the gateway refuses calls above an account's limit until running calls have ended", async () => {
    const open: (() => void)[] = [];
    provider.script = (_, response) => {
      open.push(() => sendJson(response, message([{ text: "late" }])));
    };
    const calls = Array.from({ length: 128 }, () => post({ messages: [] }));
    await expect.poll(() => open.length, { timeout: 20_000 }).toBe(128);
    const refused = await post({ messages: [] });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(JSON.parse(await whole(refused))).toMatchObject({ error: { type: "rate_limit_error" } });
    for (const end of open) end();
    for (const call of calls) expect(JSON.parse(await whole(await call)).id).toBe("msg_1");
    provider.script = answersByApi;
    expect((await post({ messages: [] })).statusCode).toBe(200);
  });

  it("the gateway passes on the provider's trailers", async () => {
    provider.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", trailer: "x-checksum" });
      response.write("body");
      response.addTrailers({ "x-checksum": "abc" });
      response.end();
    };
    const answer = await post({ messages: [] });
    expect(await whole(answer)).toBe("body");
    expect(answer.trailers).toEqual({ "x-checksum": "abc" });
  });

  it("the gateway returns 502 if the provider's response is not HTTP", async () => {
    provider.script = (_, response) => void response.socket?.end("this is no HTTP\r\n\r\n");
    const answer = await post({ messages: [] });
    expect(answer.statusCode).toBe(502);
    expect(answer.headers["x-ctxdb-error"]).toBe("UNAVAILABLE");
  });

  it("the gateway captures the turns around a turn that is too large for a session", async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    const call = `{"type":"tool_use","id":"t1","name":"deep","input":${deep}}`;
    const body = `{"messages":[{"role":"user","content":"before"},{"role":"assistant","content":[${call}]},{"role":"user","content":"after"}]}`;
    expect(JSON.parse(await whole(await post(body, { "x-ctxdb-session": "deep" }))).id).toBe("msg_1");
    expect(sent()).toContain(deep);
    const { messages } = (await rest("GET sessions/deep/context")) as { messages: { parts: object[] }[] };
    expect(messages.map(({ parts }) => parts[0])).toMatchObject([
      { text: "before" },
      { text: "after" },
      { text: "Fine, noted." },
    ]);
  });

  it("the gateway stays responsive while it reads a body full of JSON structure", async () => {
    for (const body of [
      `{"messages":[${"[],".repeat(2 * MIB)}0]}`,
      `{"messages":[${'{"role":"user","content":"x"},'.repeat(MIB / 4)}{}]}`,
      `{"messages":[{"role":"user","content":"${"<system-reminder>".repeat(MIB / 2)}"}]}`,
      `{"messages":[{"role":"user","content":[${'{"type":"text","text":"y"},'.repeat(MIB / 4)}{}]}]}`,
    ]) {
      provider.script = (_, response) => sendJson(response, { type: "error" }, 400);
      const answer = await post(body, { "x-ctxdb-session": "bombs" });
      expect(answer.statusCode).toBe(400);
      await whole(answer);
      expect(sent()).toBe(body);
    }
  });

  it("the gateway writes neither keys nor words of a conversation to logs and metrics", async () => {
    const word = "rhododendron";
    await ask([{ role: "user", content: `about the ${word}` }], "private");
    provider.script = (_, response) => sendJson(response, { message: `no ${word}` }, 401);
    await ask([{ role: "user", content: `about the ${word}` }], "private");
    provider.script = (_, response) => void response.destroy();
    await ask([{ role: "user", content: `about the ${word}` }], "private");
    await post({ messages: [] }, { "x-bad": "caf\u00e9", "x-ctxdb-recall": word });
    const metrics = await (await fetch(`http://127.0.0.1:${app.port}/metrics`)).text();
    expect(metrics).toContain('ctxdb_calls_total{operation="Gateway.Messages",wire="gateway",code="OK"}');
    expect(metrics).toContain('ctxdb_gateway_captures_total{outcome="captured"}');
    expect(log).toContain("Gateway.Messages");
    for (const text of [PROVIDER_KEY, word]) {
      expect(log).not.toContain(text);
      expect(metrics).not.toContain(text);
    }
  });
});
