import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { type Asked, COST, LanguageServer, say } from "../support/language-server.ts";
import { answerWith } from "../support/scripted-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const KEY = "sk-very-secret";
const OWLS = `# Owls\n\n${"The snowy owl hunts lemmings on the tundra by day. ".repeat(8)}`;
const TOLD = { abstract: "Told by the model: owls.", overview: "All about owls." };

/** Answers as a good model would. */
function answerTo({ system, user }: Asked): object {
  if (system.includes("long-term memory")) {
    const mark = /\[(m\d+)\][^\n]*kestrel/.exec(user)?.[1] ?? "m1";
    const sources = [mark];
    const text = "The user looks after a kestrel called Juno";
    return { memories: [{ category: "entities", topic: "Juno", text, question: "", sources }] };
  }
  if (!system.includes("plan a search")) return TOLD;
  const queries = [{ query: "kestrel Juno", context_type: "memory", intent: "who Juno is", priority: 1 }];
  return { reasoning: "Juno is meant.", queries };
}

describe("a server with a language model", () => {
  const model = new LanguageServer();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Server;
  let rest: Rest;
  const sources = () => join(folder.path, "sources");

  async function start(): Promise<void> {
    const settings = {
      CTXDB_LLM_PROVIDER: "openai",
      CTXDB_LLM_MODEL: "small",
      CTXDB_LLM_BASE_URL: model.url,
      CTXDB_LLM_API_KEY: KEY,
    };
    server = new Server({
      dataDir: join(folder.path, "data"),
      sources: sources(),
      fromSource: true,
      settings,
    });
    rest = new Rest((await server.ready())!, { "x-api-key": ROOT_KEY });
  }
  async function stop(): Promise<void> {
    rest.close();
    await server.stop();
  }
  const vlm = async () => ((await rest.get("/api/v1/observer/vlm")).result as { status: string }).status;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(sources());
    await writeFile(join(sources(), "owls.md"), OWLS);
    await model.start();
    await start();
  });
  afterAll(async () => {
    await stop();
    await model.stop();
    await folder.remove();
  });

  const add = (target: string, summarize: boolean) =>
    rest.post("/api/v1/resources", { path: join(sources(), "owls.md"), target, summarize, wait: true });
  const abstract = async (uri: string) =>
    (await rest.get(`/api/v1/content/abstract?uri=${encodeURIComponent(uri)}`)).result;
  async function commit(id: string, text: string) {
    await rest.post("/api/v1/sessions", { session_id: id });
    await rest.post(`/api/v1/sessions/${id}/messages`, { role: "user", content: text });
    return (await rest.post(`/api/v1/sessions/${id}/commit`, {})).result as { memories_extracted: number };
  }
  const search = async (query: string) =>
    (await rest.post("/api/v1/search/search", { query, session_id: "birds" })).result as {
      memories: { uri: string }[];
      query_plan: { reasoning: string; queries: { query: string }[] };
    };

  it("a server whose language model returns unusable output imports and commits without it", async () => {
    model.script = (answer) => answerWith(answer, "<html>Please log in</html>");
    expect((await add("ctx://resources/plain", true)).result).toMatchObject({
      status: "success",
      errors: [],
    });
    expect(await abstract("ctx://resources/plain/owls.md")).toContain("tundra");
    expect(model.asked.length).toBeGreaterThan(0);
    expect((await commit("early", "My manager is Dana Whitfield.")).memories_extracted).toBe(2);
    expect((await rest.post("/api/v1/search/search", { query: "who is my manager" })).result).toMatchObject({
      query_plan: { queries: [{ priority: 1 }, {}, {}] },
    });
  });

  it("a language model writes layers, extracts facts and plans searches, and its cost is counted", async () => {
    model.script = (answer, asked) => say(answer, asked, answerTo(asked));
    model.asked.length = 0;
    await add("ctx://resources/silent", false);
    expect(model.asked).toHaveLength(0);
    await add("ctx://resources/told", true);
    expect(await abstract("ctx://resources/told/owls.md")).toBe(TOLD.abstract);
    expect((await commit("birds", "I look after a kestrel. She is called Juno.")).memories_extracted).toBe(2);
    const found = await search("what is she called");
    expect(found.query_plan).toMatchObject({
      reasoning: "Juno is meant.",
      queries: [{ query: "kestrel Juno" }, {}, {}],
    });
    expect(found.memories.map(({ uri }) => uri)).toContain("ctx://user/default/memories/entities/juno.md");
    for (const { headers } of model.asked) expect(headers.authorization).toBe(`Bearer ${KEY}`);
    const rows = (await vlm()).split("\n").map((row) => row.split("\t"));
    const [calls, total] = [model.asked.length, rows.at(-1)!];
    expect(rows[1]!.slice(0, 5)).toEqual([
      "small",
      "openai",
      ...[calls * COST.prompt, calls * COST.completion, calls * (COST.prompt + COST.completion)].map(String),
    ]);
    expect([total[0], total[4]]).toEqual(["TOTAL", rows[1]![4]]);
  });

  it("model costs survive a restart, and the log never shows the model's key", async () => {
    const before = await vlm();
    await stop();
    const said = [...server.logged(0), server.errors].join("\n");
    await start();
    expect(await vlm()).toBe(before);
    expect(said).not.toContain(KEY);
    expect(said).not.toContain("kestrel");
    expect(said).toContain("gave no usable answer");
  });
});
