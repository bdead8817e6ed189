import type { ServerResponse } from "node:http";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { untraced } from "../../../src/base/trace.ts";
import { RemoteRerankModel } from "../../../src/providers/ai/remote-rerank.ts";
import type { SpentTokens } from "../../../src/providers/language.ts";
import { ManualTiming } from "../../support/manual-timing.ts";
import { type RerankScript, RerankServer } from "../../support/rerank-server.ts";
import { answerWith } from "../../support/scripted-server.ts";
import { KEY } from "./language.ts";

const QUERY = "where is the owl?";
const TEXTS = ["In the barn.", "At sea."];

describe.each(["jina", "cohere", "tei"] as const)("a rerank model of %s", (provider) => {
  const server = new RerankServer();
  let timing: ManualTiming;
  let lines: string[];
  let spent: SpentTokens[];
  let model: RemoteRerankModel;
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    [timing, lines, spent] = [new ManualTiming(), [], []];
    server.bodies.length = 0;
    const log = pino({ level: "info" }, { write: (line) => lines.push(line) });
    const name = provider === "tei" ? "" : "ranks-1";
    model = new RemoteRerankModel(
      { provider, model: name, baseUrl: server.url, apiKey: KEY },
      { timing, trace: untraced, log },
    );
  });
  afterEach(() => {
    model.close();
    expect(lines.join()).not.toContain(KEY);
    expect(lines.join()).not.toContain("owl");
  });

  const ask = (signal = new AbortController().signal) =>
    model.relevance(QUERY, TEXTS, { signal, count: (one) => spent.push(one) });
  const scores = (answer: ServerResponse, ...of: [index: number, score: number][]) =>
    provider === "tei"
      ? answerWith(
          answer,
          of.map(([index, score]) => ({ index, score })),
        )
      : answerWith(answer, {
          results: of.map(([index, score]) => ({ index, relevance_score: score })),
          usage: { total_tokens: 9 },
        });

  it("a rerank model returns scores in the order of the texts and reports the cost", async () => {
    server.script = (answer) => scores(answer, [1, 0.1], [0, 0.9]);
    expect(await ask()).toEqual([0.9, 0.1]);
    expect(server.keys.at(-1)).toContain(KEY);
    expect(server.bodies[0]).toMatchObject({
      query: QUERY,
      [provider === "tei" ? "texts" : "documents"]: TEXTS,
    });
    expect(spent).toHaveLength(1);
    expect(spent[0]!.prompt).toBeGreaterThan(0);
  });

  it.each<[string, RerankScript]>([
    ["fewer scores than texts", (answer) => scores(answer, [0, 0.9])],
    ["scores of other texts", (answer) => scores(answer, [0, 0.9], [7, 0.1])],
    ["scores beyond 1", (answer) => scores(answer, [0, 12], [1, 0.1])],
    ["HTML with status 200", (answer) => answerWith(answer, "<html>Please log in</html>")],
    ["another form", (answer) => answerWith(answer, { scores: [1, 2] })],
    ["a refused request", (answer) => answerWith(answer, { error: KEY }, 422)],
  ])("the reranker refuses a response with %s", async (_, script) => {
    server.script = script;
    await expect(ask()).rejects.toMatchObject({ code: "VLM_FAILED" });
  });

  it("the reranker pauses after repeated failures and ends a call that gets no response", async () => {
    server.script = (answer) => answerWith(answer, {}, 500);
    for (let time = 0; time < 4; time++) await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const { length } = server.bodies;
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(server.bodies).toHaveLength(length);
    timing.now += 600_000;
    server.script = () => undefined;
    const late = expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await server.heard();
    timing.expire();
    await late;
  });
});
