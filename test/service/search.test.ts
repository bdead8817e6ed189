import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchService } from "../../gen/ctxdb/v1/search_pb.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

interface Hit {
  readonly uri: string;
  readonly score: number;
  readonly context_type: string;
  readonly match_reason: string;
  readonly explain?: {
    level: string;
    quoted: boolean;
    lexical: number;
    dense: number;
    own: number;
    semantic: number;
    hotness: number;
    score: number;
  };
}

interface Answer {
  readonly memories: Hit[];
  readonly resources: Hit[];
  readonly skills: Hit[];
  readonly total: number;
  readonly query_plan: {
    queries: { query: string; context_type: string; priority: number }[];
    reasoning: string;
    session_context: string;
  };
  readonly query_results: {
    query: string;
    searched_directories: string[];
    matched_contexts: Hit[];
    thinking_trace: string[];
  }[];
  readonly explain?: {
    queries: { spaces: string[]; seeds: string[] }[];
    spaces?: string[];
    documents?: number;
  };
}

const FILES: Readonly<Record<string, string>> = {
  "ctx://resources/space/saturn.md":
    "# Saturn\n\nSaturn has rings of ice. Its moon Titan has lakes of methane.",
  "ctx://resources/space/mars.md": "# Mars\n\nMars is red and dry. Its lakes are long gone.",
  "ctx://resources/kitchen/soup.md": "# Soup\n\nA broth of noodles, ginger and leek.",
  "ctx://user/ann/memories/entities/titan.md": "Ann gave a talk about Titan in Lisbon.",
};

/** The rounds of an exploration. */
interface Explored {
  readonly explored: readonly string[];
  readonly rounds: number;
  readonly steps: readonly { readonly uri: string; readonly waiting: number }[];
}

describe("search", () => {
  let served: Served;
  let ann: string;
  let bob: string;
  const post = async (key: string, path: string, body: object) =>
    (await served.rest(key, `POST ${path}`, body)) as { http: number; result: Answer };
  const search = async (body: object, key = ann) => (await post(key, "search/search", body)).result;

  beforeAll(async () => {
    served = await serve({ CTXDB_EMBEDDING_PROVIDER: "light" });
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    ann = (made.result as { user_key: string }).user_key;
    const other = await served.rest(ann, "POST admin/accounts/acme/users", { user_id: "bob", role: "user" });
    bob = (other.result as { user_key: string }).user_key;
    for (const [uri, content] of Object.entries(FILES))
      await served.rest(ann, "POST content/write", { uri, content, mode: "create", wait: true });
    await served.rest(ann, "POST skills", {
      data: { name: "titan-map", description: "Draws a map of Titan", content: "Draw it." },
      wait: true,
    });
    await served.rest(ann, "POST sessions", { session_id: "talk" });
    for (const content of [
      "Tell me about Saturn and its moon Titan.",
      "Saturn has rings; Titan is its largest moon.",
    ])
      await served.rest(ann, "POST sessions/talk/messages", { role: "user", content });
  });
  afterAll(() => served.close());

  it("a search covers every kind of context and merges the best hits, each once", async () => {
    const found = await search({ query: "a map of Titan" });
    expect(new Set(found.query_results.map(({ query }) => query))).toEqual(new Set(["a map of Titan"]));
    for (const [list, kind] of [
      [found.memories, "memory"],
      [found.resources, "resource"],
      [found.skills, "skill"],
    ] as const) {
      expect(list.length).toBeGreaterThan(0);
      expect(list.every(({ context_type }) => context_type === kind)).toBe(true);
      expect(list).toEqual([...list].sort((a, b) => b.score - a.score));
    }
    expect(found.total).toBe(found.memories.length + found.resources.length + found.skills.length);
    const uris = [...found.memories, ...found.resources, ...found.skills].map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(uris.length);
    expect((await search({ query: "a map of Titan", limit: 2 })).total).toBe(2);
  });

  it("a search gives a hit the same score as find", async () => {
    const found = await search({ query: "lakes of methane", limit: 50 });
    const plain = (await post(ann, "search/find", { query: "lakes of methane", limit: 50 })).result;
    const scores = ({ memories, resources, skills }: Answer) =>
      new Map([...memories, ...resources, ...skills].map(({ uri, score }) => [uri, Math.round(score * 1e6)]));
    for (const [uri, score] of scores(plain)) expect(scores(found).get(uri)).toBe(score);
  });

  it("a search completes a question from the caller's session, without changing the session", async () => {
    const { query_plan, resources } = await search({
      query: "what are its lakes made of?",
      session_id: "talk",
    });
    expect(resources[0]?.uri).toBe("ctx://resources/space/saturn.md");
    expect(query_plan.queries[0]?.query).toContain("Titan");
    expect(query_plan.session_context).toContain("Saturn");
    expect(
      ((await served.rest(ann, "GET sessions/talk")).result as { message_count: number }).message_count,
    ).toBe(2);
    for (const key of [bob, ROOT_KEY])
      expect(await served.rest(key, "POST search/search", { query: "x", session_id: "talk" })).toMatchObject({
        http: 404,
        error: { code: "NOT_FOUND", details: { type: "session" } },
      });
  });

  it("a search completes a question from archived messages if the session has no new ones", async () => {
    await served.rest(ann, "POST sessions", { session_id: "over" });
    await served.rest(ann, "POST sessions/over/messages", {
      role: "user",
      content: "Tell me about Saturn and its moon Titan.",
    });
    await served.rest(ann, "POST sessions/over/commit", {});
    const { query_plan } = await search({ query: "what are its lakes made of?", session_id: "over" });
    expect(query_plan.queries[0]?.query).toContain("Titan");
  });

  it("a search with a target covers only that scope, and finds nothing in an empty scope", async () => {
    const { query_plan, resources, total } = await search({
      query: "Titan",
      target_uri: "ctx://resources/space",
    });
    expect(query_plan.queries.map(({ context_type }) => context_type)).toEqual(["resource"]);
    expect(resources.every(({ uri }) => uri.startsWith("ctx://resources/space/"))).toBe(true);
    expect(total).toBe(resources.length);
    expect(await search({ query: "Titan", target_uri: "ctx://resources/none" })).toMatchObject({
      total: 0,
      query_results: [],
    });
    expect((await search({ query: "Titan" }, bob)).memories).toEqual([]);
  });

  it("a search gives a reason for each hit, and figures and steps on request", async () => {
    const plain = await search({ query: "rings of ice" });
    expect(plain.resources.find(({ uri }) => uri === "ctx://resources/space/saturn.md")).toMatchObject({
      match_reason: "The passage has all words of the query, is close to it in meaning",
    });
    expect(plain.resources[0]).not.toHaveProperty("explain");
    const result = plain.query_results.find(({ matched_contexts }) =>
      matched_contexts.some(({ uri }) => uri === "ctx://resources/space/saturn.md"),
    );
    expect(result?.searched_directories).toContain("ctx://resources/space");
    expect(result?.thinking_trace.length).toBeGreaterThan(3);
    const told = await search({ query: "rings of ice", explain: true });
    expect(told.explain?.queries[0]).toMatchObject({ spaces: ["static-128"] });
    const { explain, score } = told.resources.find(({ uri }) => uri === "ctx://resources/space/saturn.md")!;
    expect(explain).toMatchObject({
      level: "content",
      lexical: expect.any(Number),
      score: expect.closeTo(score, 3),
    });
    expect(0.8 * explain!.semantic + 0.2 * explain!.hotness).toBeCloseTo(score, 3);
    const found = (await post(ann, "search/find", { query: "rings of ice", explain: true })).result;
    expect(found.explain).toMatchObject({ documents: expect.any(Number), filtered: false });
    const { steps, explored, rounds } = found.explain as unknown as Explored;
    expect(steps.map(({ uri }) => uri)).toEqual(explored);
    expect([steps.length, steps.at(-1)?.waiting]).toEqual([rounds, expect.any(Number)]);
    expect(found.resources[0]?.explain).toBeDefined();
  });

  it("a search finds a quoted line in a long file and in a file stored as a blob", async () => {
    const line = "if the lamp goes out, ring the bell twice";
    const filler = (count: number) => "The keeper wrote letters to his sister in the town.\n".repeat(count);
    const long = `${filler(12)}${line}\n${filler(12)}`;
    const large = `${filler(400)}\n\n# Where the lamp stands, ring no bell: out it goes, twice over.\n${filler(5)}\nWhen the bell rings twice, put the lamp out.\n${line}?\n`;
    const write = (name: string, content: string) =>
      served.rest(bob, "POST content/write", {
        uri: `ctx://resources/light/${name}`,
        content,
        mode: "create",
        wait: true,
      });
    for (let i = 0; i < 12; i++) await write(`short${i}.txt`, `Bell, lamp: twice out, goes ring ${i}.`);
    await write("long.txt", long);
    await write("large.py", large);
    const { resources, explain } = (
      await post(bob, "search/find", {
        query: `"${line.toUpperCase()}!"`,
        target_uri: "ctx://resources/light",
        explain: true,
      })
    ).result;
    expect(
      resources
        .slice(0, 2)
        .map(({ uri }) => uri)
        .sort(),
    ).toEqual(["ctx://resources/light/large.py", "ctx://resources/light/long.txt"]);
    expect(resources.map((hit) => hit.explain!.quoted)).toEqual(resources.map((_, i) => i < 2));
    expect(resources[0]!.match_reason).toMatch(/^The passage holds the query word for word/);
    expect(explain).toMatchObject({ quotes: 2 });
  });

  it.each(["find", "search", "recall"])(
    "only the beginning of a huge query is searched, and thousands of targets are refused: %s",
    async (operation) => {
      const long = `${" ".repeat(20_000)}the lakes of methane on Titan${" ".repeat(2_000_000)}end`;
      const found = (await post(ann, `search/${operation}`, { query: long })).result;
      expect(JSON.stringify(found)).toContain("lakes of methane.");
      const targets = Array.from({ length: 1001 }, () => "ctx://resources/space");
      expect(
        await served.rest(ann, `POST search/${operation}`, { query: "Titan", target_uri: targets }),
      ).toMatchObject({ http: 400, error: { code: "INVALID_ARGUMENT", details: { field: "target_uri" } } });
    },
  );

  it("a search returns the same result on every protocol", async () => {
    // The memories of the session committed above are still being written.
    expect((await served.rest(ROOT_KEY, "POST system/wait", { timeout: 20 })).http).toBe(200);
    const answers = [];
    for (const client of clientsOf(served.port)) {
      const { code, result } = await client.call(
        SearchService.method.search,
        { query: "Titan", explain: true, session_id: "talk" },
        { "x-api-key": ann },
      );
      expect([client.name, code]).toEqual([client.name, "OK"]);
      const uris = (result as unknown as Answer).query_results.flatMap(({ matched_contexts }) =>
        matched_contexts.map(({ uri }) => uri),
      );
      answers.push([
        uris,
        (result as unknown as Answer).query_plan,
        Object.keys((result as unknown as Answer).explain!.queries[0]!).sort(),
      ]);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});
