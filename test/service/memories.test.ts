import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

interface Memory {
  readonly memory_id: string;
  readonly uri: string;
  readonly kind: string;
  readonly statement: string;
  readonly category: string;
  readonly subject: string;
  readonly origin: string;
  readonly valid_from: string;
  readonly valid_until?: string;
  readonly superseded_by?: string;
  readonly expires_at?: string;
  readonly sources: readonly { readonly session_id: string; readonly message_ids: readonly string[] }[];
}

let served: Served;
let ann: string;
let bob: string;

const call = (path: string, body?: object, key = ann) => served.rest(key, path, body);
const made = async (body: object, key = ann) => {
  const answer = await call("POST memories", body, key);
  expect(answer.error).toBeUndefined();
  return answer.result as { memory: Memory; created: boolean };
};
const get = async (id: string) => ((await call(`GET memories/${id}`)).result as { memory: Memory }).memory;
const list = async (query = "") => (await call(`GET memories?${query}`)).result as Memory[];
const statements = async (query = "") => (await list(query)).map(({ statement }) => statement);
const read = async (uri: string) => {
  const { result } = await call(`GET content/read?uri=${encodeURIComponent(uri)}`);
  return typeof result === "string" ? result : JSON.stringify(result);
};
const readAs = async (key: string, uri: string) =>
  (await call(`GET content/read?uri=${encodeURIComponent(uri)}`, undefined, key)).result as string;
const say = async (session: string, ...contents: readonly string[]) => {
  await call("POST sessions", { session_id: session });
  for (const content of contents) await call(`POST sessions/${session}/messages`, { role: "user", content });
  await call(`POST sessions/${session}/commit`, {});
};

beforeAll(async () => {
  served = await serve();
  const account = await call("POST admin/accounts", { account_id: "acme", admin_user_id: "ann" }, ROOT_KEY);
  ann = (account.result as { user_key: string }).user_key;
  const other = await call("POST admin/accounts/acme/users", { user_id: "bob", role: "user" });
  bob = (other.result as { user_key: string }).user_key;
});
afterAll(() => served.close());

describe("a memory", () => {
  it("a memory keeps its statement word for word in a readable file, and can be found", async () => {
    const { memory, created } = await made({
      statement: "The deploy key is rotated every Friday.",
      subject: "deploy key",
    });
    expect(created).toBe(true);
    expect(memory).toMatchObject({
      kind: "fact",
      statement: "The deploy key is rotated every Friday.",
      category: "entities",
      subject: "deploy key",
      origin: "user",
      uri: "ctx://user/ann/memories/entities/deploy-key.md",
    });
    expect(await read(memory.uri)).toContain("- The deploy key is rotated every Friday. (");
    expect(await get(memory.memory_id)).toEqual(memory);
    const found = await call("POST search/find", { query: "when is the deploy key rotated?" });
    expect(JSON.stringify(found.result)).toContain(memory.uri);
  });

  it("storing the same statement twice creates one memory", async () => {
    const first = await made({ statement: "Lunch is at noon", subject: "lunch" });
    const second = await made({ statement: "lunch is at noon.", subject: "lunch" });
    expect(second).toEqual({ memory: first.memory, created: false });
  });

  it("a new memory supersedes an earlier answer to its question, even one from a conversation", async () => {
    await say("home", "I live in Lisbon.");
    const [before] = await list("text=lisbon&category=profile");
    expect(before).toMatchObject({
      statement: "The user lives in Lisbon",
      sources: [{ session_id: "home" }],
    });
    const { memory } = await made({ statement: "I live in Porto." });
    expect(memory.category).toBe("profile");
    expect(await statements("category=profile")).toEqual(["I live in Porto."]);
    expect(await get(before!.memory_id)).toMatchObject({
      superseded_by: memory.memory_id,
      valid_until: memory.valid_from,
    });
    const history = (await call(`GET memories/${memory.memory_id}/history`)).result as Memory[];
    expect(history.map(({ statement }) => statement)).toEqual([
      "I live in Porto.",
      "The user lives in Lisbon",
    ]);
  });

  it("a changed memory keeps its id and its earlier statement in its history", async () => {
    const { memory } = await made({ statement: "The office is on floor 2", subject: "office" });
    const { result } = await call(`PATCH memories/${memory.memory_id}`, {
      statement: "The office is on floor 5",
    });
    expect((result as { memory: Memory }).memory).toMatchObject({
      memory_id: memory.memory_id,
      statement: "The office is on floor 5",
    });
    expect(await read(memory.uri)).toMatch(/floor 5[\s\S]*## Earlier[\s\S]*floor 2/);
    const history = (await call(`GET memories/${memory.memory_id}/history`)).result as Memory[];
    expect(history.map(({ statement }) => statement)).toEqual([
      "The office is on floor 5",
      "The office is on floor 2",
    ]);
    const old = history[1]!;
    expect(old.superseded_by).toBe(memory.memory_id);
    const refused = await call(`PATCH memories/${old.memory_id}`, { statement: "x" });
    expect([refused.http, refused.error?.code]).toEqual([412, "FAILED_PRECONDITION"]);
  });

  it("a memory can be deleted alone, and a file is deleted with its last memory", async () => {
    const first = (await made({ statement: "Rex is a dog", subject: "Rex" })).memory;
    const second = (await made({ statement: "Rex likes carrots", subject: "Rex" })).memory;
    await call(`DELETE memories/${first.memory_id}`);
    expect((await call(`GET memories/${first.memory_id}`)).error?.code).toBe("NOT_FOUND");
    expect(await get(second.memory_id)).toEqual(second);
    expect(await read(second.uri)).not.toContain("is a dog");
    await call(`DELETE memories/${second.memory_id}`);
    expect((await call(`GET content/read?uri=${second.uri}`)).http).toBe(404);
    expect((await call(`DELETE memories/${second.memory_id}`)).error?.code).toBe("NOT_FOUND");
  });

  it("a memory keeps its id while its file is edited, and changes only with its own line", async () => {
    const one = (await made({ statement: "The bus leaves at 7", subject: "bus" })).memory;
    const two = (await made({ statement: "The bus is blue", subject: "bus" })).memory;
    const content = `# bus\n\nSome words of mine.\n\n- The bus leaves at 7 (${one.valid_from.slice(0, 10)})\n- The bus is blue (${two.valid_from.slice(0, 10)})\n* Dogs may ride along\n`;
    await call("POST content/write", { uri: one.uri, content });
    expect(await statements("subject=bus")).toEqual([
      "The bus leaves at 7",
      "The bus is blue",
      "Dogs may ride along",
    ]);
    const [, kept, added] = await list("subject=bus");
    await call(`PATCH memories/${added!.memory_id}`, { statement: "Dogs ride for free" });
    await call(`DELETE memories/${kept!.memory_id}`);
    const text = await read(one.uri);
    expect(text).toContain("Some words of mine.");
    expect(text).not.toContain("blue");
    expect(text).toMatch(/leaves at 7[\s\S]*Dogs ride for free[\s\S]*## Earlier[\s\S]*Dogs may ride along/);
    expect((await get(added!.memory_id)).statement).toBe("Dogs ride for free");
  });

  it("memories and episodes are listed page by page and filtered", async () => {
    await say("trip", "Yesterday we went to the aquarium and saw a giant octopus named Olga.");
    const all = await list("limit=1000");
    expect(all.some(({ kind, statement }) => kind === "episode" && statement.includes("octopus"))).toBe(true);
    const pages: Memory[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer: Response = await fetch(
        `http://127.0.0.1:${served.port}/api/v1/memories?limit=2${cursor && `&cursor=${cursor}`}`,
        { headers: { "X-API-Key": ann } },
      );
      pages.push(...((await answer.json()) as { result: Memory[] }).result);
      cursor = answer.headers.get("x-next-cursor");
    }
    expect(pages).toEqual(all);
    const episodes = await list("category=events");
    expect(new Set(episodes.map(({ kind }) => kind))).toEqual(new Set(["episode"]));
    const episode = await get(episodes[0]!.memory_id);
    expect(episode).toEqual(episodes[0]);
    const refused = await call(`PATCH memories/${episode.memory_id}`, { statement: "other" });
    expect(refused.error?.code).toBe("FAILED_PRECONDITION");
    await call(`DELETE memories/${episode.memory_id}`);
    expect((await call(`GET memories/${episode.memory_id}`)).http).toBe(404);
  });

  it("memories can be listed as of an earlier time", async () => {
    const { memory } = await made({
      statement: "The manager is Ravi",
      subject: "team",
      valid_from: "2020-01-01",
    });
    await call(`PATCH memories/${memory.memory_id}`, {
      statement: "The manager is Mei",
      valid_from: "2022-01-01",
    });
    expect(await statements("subject=team")).toEqual(["The manager is Mei"]);
    expect(await statements("subject=team&as_of=2021-06-01")).toEqual(["The manager is Ravi"]);
    expect(await statements("subject=team&as_of=2019-06-01")).toEqual([]);
    expect(await statements("subject=team&include_superseded=true")).toEqual([
      "The manager is Mei",
      "The manager is Ravi",
    ]);
    expect(await statements("subject=team&until=2021-01-01&include_superseded=true")).toEqual([
      "The manager is Ravi",
    ]);
  });

  it("a memory has an origin, and lists can exclude origins", async () => {
    const { memory } = await made({ statement: "The API has 40 routes", subject: "API", origin: "tool" });
    expect(memory.origin).toBe("tool");
    expect(await statements("subject=API&exclude_origins=tool")).toEqual([]);
    expect(await statements("subject=API&exclude_origins=agent")).toEqual(["The API has 40 routes"]);
  });

  it.each([
    ["POST memories", { statement: "" }, "statement"],
    ["POST memories", { statement: "two\nlines" }, "statement"],
    ["POST memories", { statement: "x".repeat(2001) }, "statement"],
    ["POST memories", { statement: "x", category: "cases" }, "category"],
    ["POST memories", { statement: "x", valid_from: "soon" }, "valid_from"],
    ["POST memories", { statement: "x", expires_at: "2020-01-01" }, "expires_at"],
    ["POST memories", { statement: "x", origin: "root" }, "origin"],
    ["GET memories?limit=0", undefined, "limit"],
    ["GET memories?as_of=then", undefined, "as_of"],
    ["GET memories?category=dreams", undefined, "category"],
    ["GET memories?exclude_origins=all", undefined, "exclude_origins[0]"],
  ])("a malformed memory request is refused with the name of the field: %s %o", async (path, body, field) => {
    const { http, error } = await call(path, body);
    expect(http).toBe(400);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field } });
  });

  it("another user can neither read, change nor delete a memory by its id", async () => {
    const { memory } = await made({ statement: "The walrus sleeps", subject: "walrus" });
    for (const path of ["GET", "DELETE", "PATCH"].map((verb) => `${verb} memories/${memory.memory_id}`)) {
      const { http, error } = await call(
        path,
        path.startsWith("PATCH") ? { statement: "x" } : undefined,
        bob,
      );
      expect([http, error?.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await call(`GET memories/${memory.memory_id}/history`, undefined, bob)).http).toBe(404);
    for (const id of ["mem_", "mem_AAAAAAAAAAAAAAAAAAAAAAAA", `${memory.memory_id}A`, "x"])
      expect((await call(`GET memories/${id}`)).error?.code).toBe("NOT_FOUND");
    expect(await get(memory.memory_id)).toEqual(memory);
  });

  it("creating a memory again under an idempotency key returns the stored response", async () => {
    const body = { statement: "Tea is at four", subject: "tea", idempotency_key: "once" };
    const first = await made(body);
    await call(`DELETE memories/${first.memory.memory_id}`);
    expect(await made(body)).toEqual(first);
  });
});

it("adding a memory to a file that its owner made too large removes none of the file's lines", async () => {
  const registered = await call("POST admin/accounts/acme/users", { user_id: "carl", role: "user" });
  const carl = (registered.result as { user_key: string }).user_key;
  const { memory } = await made({ statement: "I live in Porto." }, carl);
  const lines = Array.from({ length: 250 }, (_, at) => `- Note ${at}`).join("\n");
  const content = `${await readAs(carl, memory.uri)}${lines}\n`;
  const edited = await call("POST content/write", { uri: memory.uri, content, mode: "replace" }, carl);
  expect(edited.error).toBeUndefined();
  const refused = await call("POST memories", { statement: "I live in Lisbon." }, carl);
  expect(refused.error?.code).toBe("FAILED_PRECONDITION");
  expect(await readAs(carl, memory.uri)).toBe(content);
});
