import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { untraced } from "../../../src/base/trace.ts";
import { remoteEmbedder } from "../../../src/providers/ai/remote-embedding.ts";
import type { QueuedEmbedder } from "../../../src/providers/embedding.ts";
import { EmbeddingServer, give, type Script } from "../../support/embedding-server.ts";
import { ManualTiming } from "../../support/manual-timing.ts";
import { answerWith } from "../../support/scripted-server.ts";
import { embeddingSuite } from "./embedding.ts";

const KEY = "sk-very-secret";
const DIMENSIONS = 128;
const server = new EmbeddingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

let timing: ManualTiming;
let lines: string[];
let tokens: number;
let known: Map<string, number>;
let opened: QueuedEmbedder[];
beforeEach(() => {
  timing = new ManualTiming();
  [lines, tokens, known, opened] = [[], 0, new Map(), []];
  server.script = give;
  server.asked.length = 0;
});
afterEach(async () => {
  for (const embedder of opened) await embedder.close();
});

function open(
  provider: "openai" | "google" = "openai",
  more: { dimensions?: number; apiKey?: undefined; model?: string } = {},
) {
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const model = {
    provider,
    model: "small/one",
    baseUrl: server.url,
    apiKey: KEY,
    dimensions: undefined,
    ...more,
  };
  const dimensionsOf = async (space: string, found: number) => {
    if (!known.has(space)) known.set(space, found);
    return known.get(space)!;
  };
  const embedder = remoteEmbedder(model, {
    log,
    timing,
    trace: untraced,
    dimensionsOf,
    count: (_, { prompt }) => (tokens += prompt),
  });
  opened.push(embedder);
  return embedder;
}

const firstly =
  (times: number, script: Script): Script =>
  (answer, asked, vectors) => {
    if (times-- > 0) script(answer, asked, vectors);
    else give(answer, asked, vectors);
  };

embeddingSuite("a server of the OpenAI API", () => open("openai"));
embeddingSuite("a server of the Google API", () => open("google"));

describe("a remote embedder", () => {
  it("a remote embedder sends its key, model and dimensions, and splits many texts over several requests", async () => {
    const embedder = open("openai", { dimensions: DIMENSIONS });
    expect(embedder.space).toEqual({ name: `openai.small%2Fone@${DIMENSIONS}`, dimensions: DIMENSIONS });
    const words = "a word or two of many ".repeat(100);
    const vectors = await embedder.embed(
      Array.from({ length: 100 }, (_, i) => (i < 32 ? `number ${i}` : `${i} ${words}`)),
    );
    expect(vectors).toHaveLength(100);
    expect(server.asked.flatMap(({ texts }) => texts)).toHaveLength(100);
    expect(Math.max(...server.asked.map(({ texts }) => texts.length))).toBe(32);
    expect(server.asked.length).toBeGreaterThan(4);
    for (const { headers, body } of server.asked) {
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      expect(body).toMatchObject({ model: "small/one", dimensions: DIMENSIONS });
    }
    expect(tokens).toBe(300);
  });

  it("a remote embedder needs no key, and sends Google whether a text is a query or a document", async () => {
    await open("openai", { apiKey: undefined }).embedQuery("owl");
    expect(server.asked[0]!.headers.authorization).toBeUndefined();
    const google = open("google", { dimensions: DIMENSIONS });
    await google.embed(["owl"]);
    await google.embedQuery("owl");
    expect(server.asked[1]!.headers["x-goog-api-key"]).toBe(KEY);
    expect(server.asked.slice(1).map(({ body }) => body)).toMatchObject([
      { taskType: "RETRIEVAL_DOCUMENT", outputDimensionality: DIMENSIONS },
      { taskType: "RETRIEVAL_QUERY", outputDimensionality: DIMENSIONS },
    ]);
  });

  it("a remote embedder keeps the dimensions of its first response across restarts", async () => {
    await open().embed(["owl"]);
    expect(known).toEqual(new Map([["openai.small%2Fone", DIMENSIONS]]));
    server.script = (answer, asked, vectors) =>
      give(
        answer,
        asked,
        vectors.map((vector) => vector.slice(0, 64)),
      );
    await expect(open().embed(["owl"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(lines.join()).toContain("64 components, not 128");
    expect(await open("openai", { model: "another" }).embed(["owl"])).toMatchObject([{ length: 64 }]);
  });

  it("a remote embedder waits as long as a busy server requests, then succeeds", async () => {
    server.script = firstly(2, (answer) =>
      answerWith(answer, { error: "busy" }, 429, { "retry-after": "7" }),
    );
    expect(await open().embed(["owl"])).toHaveLength(1);
    expect(timing.pauses).toEqual([10_500, 10_500]);
    expect(lines).toEqual([]);
  });

  it("a remote embedder opens its circuit instead of waiting when a server requests too long a pause", async () => {
    const embedder = open();
    server.script = (answer) => answerWith(answer, "", 429, { "retry-after": "120" });
    await expect(embedder.embed(["owl"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
    server.script = give;
    timing.now += 119_000;
    await expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(server.asked).toHaveLength(1);
    timing.now += 1000;
    await embedder.embedQuery("owl");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringContaining("its work waits"),
      "the provider answers again",
    ]);
  });

  it.each<[string, Script]>([
    ["answers 500", (answer) => answerWith(answer, { error: "oh" }, 500)],
    ["cuts the connection", (answer) => void answer.destroy()],
    [
      "breaks off in an answer",
      (answer) => void answer.writeHead(200, { "content-length": "99" }).write("{", () => answer.destroy()),
    ],
  ])(
    "a remote embedder retries with growing pauses when the server %s, then postpones the work",
    async (_, script) => {
      server.script = firstly(3, script);
      const embedder = open();
      expect(await embedder.embed(["owl"])).toHaveLength(1);
      expect(timing.pauses).toEqual([300, 600, 1200]);
      server.script = script;
      await expect(embedder.embed(["owl"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(server.asked).toHaveLength(4 + 7);
      expect(embedder.isUsable).toBe(true);
    },
  );

  it("an embedding call ends at its time limit, when its caller leaves, and when the embedder is closed", async () => {
    server.script = () => undefined;
    const embedder = open();
    const query = expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await server.heard();
    timing.expire();
    await query;
    const leave = new AbortController();
    const left = expect(embedder.embed(["owl"], leave.signal)).rejects.toThrow("enough");
    await server.heard();
    leave.abort(new Error("enough"));
    await left;
    const closed = expect(embedder.embed(["owl"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await server.heard();
    await embedder.close();
    await closed;
  });

  it("a remote embedder first sends one call, then all calls, to a server that was down", async () => {
    const embedder = open();
    await server.stop();
    try {
      for (let i = 0; i < 3; i++)
        await expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    } finally {
      await server.start();
    }
    await expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    timing.now += 5000;
    server.script = () => undefined;
    const trial = expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await server.heard();
    await expect(embedder.embedQuery("mouse")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    timing.expire();
    await trial;
    expect(server.asked).toHaveLength(1);
    server.script = give;
    timing.now += 5000;
    await expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    timing.now += 5000;
    await embedder.embedQuery("owl");
    await Promise.all([embedder.embedQuery("owl"), embedder.embedQuery("mouse")]);
    expect(server.asked).toHaveLength(4);
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual([
      expect.stringContaining("cannot be reached"),
      undefined,
    ]);
  });

  it.each([401, 403, 404, 302])(
    "a remote embedder logs status %d once without its key, and recovers when the server does",
    async (status) => {
      const embedder = open();
      server.script = (answer) =>
        answerWith(answer, `no ${KEY} no`, status, { location: `${server.url}/elsewhere` });
      await expect(embedder.embed(["owl"])).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.not.stringContaining(KEY),
      });
      timing.now += 5000;
      await expect(embedder.embed(["owl"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(server.asked).toHaveLength(2);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`status ${status}: check CTXDB_EMBEDDING_`);
      expect(lines[0]).not.toContain(KEY);
      server.script = give;
      timing.now += 60_000;
      expect(await embedder.embed(["owl"])).toHaveLength(1);
    },
  );

  const NO_VECTORS: [string, Script][] = [
    ["HTML", (answer) => answerWith(answer, "<html><body>Welcome</body></html>")],
    [
      "prose",
      (answer) => answerWith(answer, { choices: [{ message: { content: "I am a language model." } }] }),
    ],
    ["nothing", (answer) => answerWith(answer, "")],
    ["NaN", (answer) => answerWith(answer, `{"data":[{"embedding":[NaN,1]}]}`)],
    ["components beyond all numbers", (answer) => answerWith(answer, `{"data":[{"embedding":[1e999,1]}]}`)],
    [
      "zeros",
      (answer, asked, vectors) =>
        give(
          answer,
          asked,
          vectors.map((vector) => vector.map(() => 0)),
        ),
    ],
    [
      "no components",
      (answer, asked, vectors) =>
        give(
          answer,
          asked,
          vectors.map(() => []),
        ),
    ],
    ["fewer vectors than texts", (answer, asked, vectors) => give(answer, asked, vectors.slice(1))],
    ["more vectors than texts", (answer, asked, vectors) => give(answer, asked, [...vectors, ...vectors])],
    [
      "another dimension",
      (answer, asked, vectors) =>
        give(
          answer,
          asked,
          vectors.map((vector) => [...vector, 1]),
        ),
    ],
    ["17 MiB", (answer) => answerWith(answer, " ".repeat(17 * 2 ** 20))],
    ["a refusal of every text", (answer) => answerWith(answer, { error: "bad dimensions" }, 400)],
  ];

  it.each(NO_VECTORS)(
    "a remote embedder drops the whole response if it contains %s, and postpones the work",
    async (_, script) => {
      const embedder = open();
      await embedder.embed(["owl"]);
      server.script = script;
      await expect(embedder.embed(["owl", "mouse"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(server.asked).toHaveLength(3);
      expect(lines).toHaveLength(1);
      await expect(embedder.embedQuery("owl")).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(server.asked).toHaveLength(3);
      server.script = give;
      expect(await embedder.embed(["owl", "mouse"])).toHaveLength(2);
      expect(timing.pauses).toEqual([5000]);
    },
  );

  it.each(NO_VECTORS)(
    "a remote embedder skips one text whose result is %s and embeds all the others",
    async (_, script) => {
      const embedder = open();
      await embedder.embed(["owl"]);
      server.script = (answer, asked, vectors) =>
        (asked.texts.includes("poison") ? script : give)(answer, asked, vectors);
      const texts = Array.from({ length: 9 }, (_, i) => (i === 6 ? "poison" : `text ${i}`));
      const vectors = await embedder.embed(texts);
      expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual(
        texts.map((text) => text !== "poison"),
      );
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain("poison");
      await expect(embedder.embedQuery("poison")).rejects.toMatchObject({ code: "EMBEDDING_FAILED" });
      await embedder.embedQuery("owl");
    },
  );
});
