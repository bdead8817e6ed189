import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { untraced } from "../../../src/base/trace.ts";
import { remoteEmbedder } from "../../../src/providers/ai/remote-embedding.ts";
import { remoteLanguage } from "../../../src/providers/ai/remote-language.ts";
import { RemoteRerankModel } from "../../../src/providers/ai/remote-rerank.ts";
import { systemTiming } from "../../../src/providers/provider-guard.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { silentLog } from "../../support/silent-log.ts";

/** Answers every request with the same text. */
class FixedServer extends ScriptedServer {
  text = "";

  protected take(...[, , answer]: Parameters<ScriptedServer["take"]>): void {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(this.text);
  }
}

const deps = {
  log: silentLog,
  timing: systemTiming({ clock: Date.now, random: Math.random }),
  trace: untraced,
};
const { signal } = new AbortController();
const count = () => undefined;
const items = (number: number) => `[${"{},".repeat(number)}{}]`;
const dimensionsOf = async (_: string, found: number) => found;

const embedded = (baseUrl: string) => {
  const model = {
    provider: "openai",
    model: "m",
    baseUrl,
    apiKey: undefined,
    dimensions: undefined,
  } as const;
  return remoteEmbedder(model, { ...deps, dimensionsOf, count }).embedQuery("a");
};
const generated = (baseUrl: string) => {
  const remote = { provider: "openai", model: "m", baseUrl, apiKey: "k", settings: "CTXDB_LLM" } as const;
  const answer = z.object({ items: z.array(z.object({ a: z.string() })) });
  const question = { prompt: "test/1", instructions: "Answer.", material: [], answer };
  return remoteLanguage(remote, deps).generate(question, { signal, isUrgent: false, count });
};
const reranked = (baseUrl: string) =>
  new RemoteRerankModel({ provider: "tei", model: "", baseUrl, apiKey: undefined }, deps).relevance(
    "a",
    ["b"],
    { signal, count },
  );
const saying = (content: string) =>
  JSON.stringify({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] });

describe("an answer with more values than a provider has reason to send", () => {
  let server: FixedServer;
  beforeEach(async () => {
    server = new FixedServer();
    await server.start();
  });
  afterEach(() => server.stop());

  it.each([
    ["of an embedding model", `{"data":${items(600_000)}}`, embedded],
    ["of a language model", `{"choices":${items(30_000)}}`, generated],
    ["in the text of a language model", saying(`{"items":${items(30_000)}}`), generated],
    ["of a rerank model", items(30_000), reranked],
  ])("%s: is refused before it is parsed", async (_, text, ask) => {
    server.text = text;
    const failure = await ask(server.url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ cause: { message: expect.stringMatching(/has more than \d+ values/) } });
  });
});
