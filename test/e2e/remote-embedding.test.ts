import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmbeddingServer, give } from "../support/embedding-server.ts";
import { answerWith } from "../support/scripted-server.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

/** A job whose provider was unavailable is retried after up to 90 s. */
const WAIT_SECONDS = 110;
const LIMIT_MS = 120_000;
const ANIMALS = ["owl", "elk", "heron", "badger", "otter", "marten", "lynx", "stoat", "raven", "toad"];

describe("a server whose model is remote", () => {
  const provider = new EmbeddingServer();
  let served: Served;
  beforeAll(async () => {
    await provider.start();
    served = await serve({
      CTXDB_EMBEDDING_PROVIDER: "openai",
      CTXDB_EMBEDDING_MODEL: "animals",
      CTXDB_EMBEDDING_BASE_URL: provider.url,
      CTXDB_EMBEDDING_API_KEY: "sk-1",
    });
  });
  afterAll(async () => {
    await served.close();
    await provider.stop();
  });

  const add = (animal: string) =>
    served.rest(ROOT_KEY, "POST content/write", {
      uri: `ctx://resources/${animal}.md`,
      content: `# The ${animal}\n\nNobody has ever seen the ${animal} asleep.\n`,
      mode: "create",
    });
  const first = async (query: string) => {
    const { result } = await served.rest(ROOT_KEY, "POST search/find", { query });
    return (result as { resources: { uri: string }[] }).resources[0]?.uri;
  };
  const drained = () => served.rest(ROOT_KEY, "POST system/wait", { timeout: WAIT_SECONDS });
  const figure = async (name: string) => {
    const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`, {
      headers: { "X-API-Key": ROOT_KEY },
    });
    return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)`, "m").exec(await answer.text())?.[1] ?? 0);
  };
  const texts = () => new Set(provider.asked.flatMap((asked) => asked.texts));

  it("content is found by words at once, and by remote vectors when these are ready", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.script = (...of) => void held.then(() => give(...of));
    expect((await add("owl")).http).toBe(200);
    expect(await first("owl asleep")).toBe("ctx://resources/owl.md");
    release();
    expect((await drained()).http).toBe(200);
    provider.script = give;
    expect([...texts()].filter((text) => text.includes("seen the owl asleep"))).not.toEqual([]);
    expect(await first("an owl that sleeps")).toBe("ctx://resources/owl.md");
    expect([...texts()]).toContain("an owl that sleeps");
    expect(await figure("ctxdb_queries_without_main_vector_total")).toBe(0);
    expect(await figure("ctxdb_model_tokens_total")).toBeGreaterThan(0);
  });

  it("a server continues without its embedding provider, and adds missing vectors later", {
    timeout: LIMIT_MS,
  }, async () => {
    await provider.stop();
    for (const animal of ANIMALS.slice(1)) {
      expect((await add(animal)).http).toBe(200);
      expect(await first(`the ${animal} asleep`)).toBe(`ctx://resources/${animal}.md`);
    }
    // the provider is restarted with errors first and then works
    let refusals = 2;
    provider.script = (...of) => (refusals-- > 0 ? answerWith(of[0], "starting", 503) : give(...of));
    await provider.start();
    expect((await drained()).http).toBe(200);
    for (const animal of ANIMALS)
      expect(
        [...texts()].some((text) => text.includes(`seen the ${animal} asleep`)),
        animal,
      ).toBe(true);
    const { result } = await served.rest(ROOT_KEY, "GET observer/queue");
    expect(result).toMatchObject({ has_errors: false });
    for (const animal of ANIMALS)
      expect(await first(`the ${animal} asleep`)).toBe(`ctx://resources/${animal}.md`);
    expect(await figure("ctxdb_queries_without_main_vector_total")).toBeLessThan(ANIMALS.length);
  });

  it("a restart sends no text to the embedding provider again", async () => {
    const before = provider.asked.length;
    await served.restart();
    expect((await drained()).http).toBe(200);
    expect(provider.asked).toHaveLength(before);
    expect(await first("the lynx asleep again")).toBe("ctx://resources/lynx.md");
    expect(provider.asked).toHaveLength(before + 1);
  });
});
