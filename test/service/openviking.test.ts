import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Result = Record<string, unknown>;

let folder: string;
let server: Served;
const call = (request: string, body?: object, headers?: Record<string, string>) =>
  server.rest("", request, body, headers);
const result = async (request: string, body?: object): Promise<Result> => {
  const answer = await call(request, body);
  expect(answer.error).toBeUndefined();
  return answer.result as Result;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ctxdb-exports-"));
  server = await serve({
    CTXDB_COMPAT: "openviking",
    CTXDB_ROOT_API_KEY: undefined,
    CTXDB_LOCAL_PATHS: folder,
  });
  await call("POST content/write", {
    uri: "resources/tea/green.md",
    content: "# Green tea\n\nGreen tea is brewed at 80 degrees.\n",
    mode: "create",
    wait: true,
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe("with CTXDB_COMPAT=openviking, REST", () => {
  it("OpenViking clients may leave out the scheme of a URI in every operation", async () => {
    const one = "resources/tea/green.md";
    const requests: [string, object?][] = [
      [`GET content/read?uri=${one}`],
      [`GET content/read?uri=/${one}`],
      [`GET content/abstract?uri=${one}`],
      [`GET content/overview?uri=resources/tea`],
      [`GET fs/stat?uri=${one}`],
      ["GET fs/ls?uri=resources"],
      ["GET fs/ls?uri=/"],
      ["GET fs/tree?uri=resources"],
      ["POST fs/mkdir", { uri: "resources/made" }],
      ["POST fs/mv", { from_uri: "resources/made", to_uri: "resources/moved" }],
      ["POST search/find", { query: "green tea", target_uri: "resources" }],
      ["POST search/search", { query: "green tea", target_uri: ["resources", "viking://agent"] }],
      ["POST search/grep", { uri: "resources", pattern: "tea" }],
      ["POST search/glob", { uri: "resources", pattern: "**/*.md" }],
      ["POST relations/link", { from_uri: "resources/tea", to_uris: [one], reason: "because" }],
      ["GET relations?uri=resources/tea"],
      ["DELETE relations/link", { from_uri: "resources/tea", to_uri: one }],
      ["DELETE fs?uri=resources/moved&recursive=true"],
    ];
    for (const [request, body] of requests)
      expect([request, (await call(request, body)).http]).toEqual([request, 200]);
  });

  it("OpenViking URIs may omit the caller's own user name, but not the name of another user", async () => {
    const written = await result("POST content/write", {
      uri: "viking://user/peers/hermes/memories/jazz.md",
      content: "Ann likes jazz.",
      mode: "create",
    });
    expect(written.uri).toBe("viking://user/default/peers/hermes/memories/jazz.md");
    expect(await call("GET content/read?uri=user/peers/hermes/memories/jazz.md")).toMatchObject({
      http: 200,
    });
    expect((await call("GET content/read?uri=user/somebody/memories/jazz.md")).http).toBe(404);
  });

  it.each(["constructor", "toString", "valueOf", "__proto__"])(
    "an OpenViking URI with the scope %s is refused",
    async (scope) => {
      const { http, error } = await call(`GET content/read?uri=viking://${scope}/memories/jazz.md`);
      expect([http, error?.code]).toEqual([400, "INVALID_URI"]);
    },
  );

  it("reading a directory as an OpenViking client returns its overview", async () => {
    expect((await call("GET content/read?uri=resources/tea")).result).toContain("green.md");
  });

  it("an OpenViking client filters a find by type", async () => {
    for (const filter of [{ type: "memory" }, { op: "must", field: "type", conds: ["memory"] }]) {
      const found = await result("POST search/find", { query: "green tea", filter });
      expect(found.resources).toEqual([]);
    }
  });

  it("/health names the user of the request for OpenViking clients", async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/health`);
    expect(await answer.json()).toMatchObject({ status: "ok", healthy: true, user_id: "default" });
  });

  it("a session has the fields that OpenViking agents read", async () => {
    const { session_id: id } = await result("POST sessions", {});
    await result(`POST sessions/${id}/messages`, { role: "system", content: "Be short." });
    await result(`POST sessions/${id}/messages`, { role: "user", content: "我喜欢绿茶。" });
    expect(await result(`GET sessions/${id}`)).toEqual({
      session_id: id,
      message_count: 2,
      user: { account_id: "default", user_id: "default", agent_id: "default" },
      uri: `viking://session/default/${id}`,
      created_at: expect.stringMatching(/^20.*Z$/),
      updated_at: expect.stringMatching(/^20.*Z$/),
      pending_tokens: expect.any(Number),
      llm_token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect((await result(`GET sessions/${id}`)).pending_tokens).toBeGreaterThan(4);
    const context = await result(`GET sessions/${id}/context`);
    expect(context.messages).toMatchObject([{ role: "system" }, { role: "user" }]);
    expect(context).toMatchObject({
      estimatedTokens: context.estimated_tokens,
      stats: {
        totalArchives: 0,
        failedArchives: 0,
        activeTokens: context.estimated_tokens,
        archiveTokens: 0,
        droppedArchives: 0,
      },
    });
  });

  it("an OpenViking commit names its task and archives the messages", async () => {
    const { session_id: id } = await result("POST sessions", {});
    await result(`POST sessions/${id}/messages`, { role: "system", content: "I am an assistant from Mars." });
    await result(`POST sessions/${id}/messages`, {
      role: "user",
      content: "My name is Ann and I live in Lisbon.",
    });
    const committed = await result(`POST sessions/${id}/commit`, {});
    expect(committed).toMatchObject({ status: "committed", archived: true, task_id: expect.any(String) });
    await expect.poll(() => result(`GET tasks/${committed.task_id}`)).toMatchObject({ status: "completed" });
    const nothing = await result(`POST sessions/${id}/commit`, {});
    expect(nothing).toMatchObject({ archived: false, task_id: expect.any(String) });
    await expect.poll(() => result(`GET tasks/${nothing.task_id}`)).toMatchObject({ status: "completed" });
    expect((await result(`GET sessions/${id}/context`)).stats).toMatchObject({
      totalArchives: 1,
      droppedArchives: 0,
    });
    expect(await result(`POST sessions/${id}/commit?wait=false`, {})).toMatchObject({ status: "accepted" });
    const grep = await result("POST search/grep", { uri: "user", pattern: "Mars" });
    expect(grep.matches).toEqual([]);
  });

  it("OpenViking clients may use a session that was never created", async () => {
    const said = { messages: [{ role: "user", content: "hello" }] };
    expect(await result("POST sessions/first/messages/batch", said)).toMatchObject({ message_count: 1 });
    expect(await result("POST sessions/second/used", { contexts: ["resources/tea"] })).toMatchObject({
      contexts_used: 1,
    });
    expect(await result("DELETE sessions/third")).toEqual({ session_id: "third" });
    expect((await call("POST search/search", { query: "green tea", session_id: "fourth" })).http).toBe(200);
  });

  it.each([
    [
      "an object without a description",
      { data: { name: "plain", content: "# Plain\n\nDo things." } },
      "Do things.",
    ],
    ["a document without front matter", { data: "# Tidy up\n\nPut all away." }, "Put all away."],
    ["content", { content: "---\nname: in-content\n---\nWork on." }, "Work on."],
    [
      "a document with front matter",
      { data: "---\nname: own\ndescription: Its own.\n---\n# Own" },
      "Its own.",
    ],
    ["a name alone", { data: { name: "bare" } }, "bare"],
  ])("an OpenViking client adds a skill from %s", async (_, body, description) => {
    const { name } = await result("POST skills", { ...body, wait: true });
    expect(await result(`GET skills/${name}`)).toMatchObject({ description });
  });

  it("observer/models returns the same as observer/vlm for OpenViking clients", async () => {
    expect(await result("GET observer/models")).toEqual(await result("GET observer/vlm"));
  });

  it("an OpenViking export writes packs only into allowed folders", async () => {
    const to = join(folder, "new", "tea");
    expect(await result("POST pack/export", { uri: "resources/tea", to })).toEqual({ file: `${to}.ovpack` });
    expect((await call("POST pack/export", { uri: "resources/tea", to })).error?.code).toBe("ALREADY_EXISTS");
    expect(await result("POST pack/export", { uri: "resources/tea", to: folder })).toEqual({
      file: join(folder, "export.ovpack"),
    });
    const outside = await mkdtemp(join(tmpdir(), "ctxdb-outside-"));
    await symlink(outside, join(folder, "link"));
    for (const bad of [
      join(outside, "x"),
      join(folder, "link", "x"),
      join(folder, "..", "x"),
      join(folder, "link", "deep", "x"),
      join(server.dataDir, "x"),
    ])
      expect([bad, (await call("POST pack/export", { uri: "resources/tea", to: bad })).error?.code]).toEqual([
        bad,
        "PERMISSION_DENIED",
      ]);
    expect(
      (await call("POST pack/export", { uri: "resources/none", to: join(folder, "none") })).error?.code,
    ).toBe("NOT_FOUND");
    expect(existsSync(join(folder, "none.ovpack"))).toBe(false);
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });
});

/** Requests sent and answers read by agents written for OpenViking. */
describe("with CTXDB_COMPAT=openviking and a key", () => {
  let served: Served;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "docs"));
    await writeFile(join(folder.path, "docs", "a.md"), "# Owls\n\nOwls see in the dark.");
    served = await serve({
      CTXDB_COMPAT: "openviking",
      CTXDB_LOCAL_PATHS: folder.path,
      CTXDB_EMBEDDING_PROVIDER: "light",
    });
    await served.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "ann" });
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });
  const call = (line: string, body?: object) =>
    served.rest("", line, body, {
      "X-API-Key": "",
      "X-OpenViking-Account": "acme",
      "X-OpenViking-User": "ann",
      Authorization: `Bearer ${ROOT_KEY}`,
    });

  it("an OpenViking server returns viking:// URIs and also accepts ctx:// URIs", async () => {
    const added = await call("POST resources", {
      path: join(folder.path, "docs"),
      to: "viking://resources/docs",
      wait: true,
    });
    expect(added.result).toMatchObject({ root_uri: "viking://resources/docs" });
    for (const scheme of ["viking", "ctx"])
      expect((await call(`GET content/read?uri=${scheme}://resources/docs/a.md`)).result).toContain(
        "Owls see",
      );
    const found = (await call("POST search/find", { query: "owls", target_uri: "ctx://resources" }))
      .result as {
      resources: { uri: string }[];
    };
    expect(found.resources[0]?.uri).toMatch(/^viking:\/\/resources\/docs/);
  });

  it("an OpenViking session starts with its first message, unless it was deleted or has an invalid id", async () => {
    const say = (id: string) => call(`POST sessions/${id}/messages`, { role: "user", content: "hello" });
    expect((await say("new")).result).toMatchObject({ session_id: "new", message_count: 1 });
    expect((await say("new")).result).toMatchObject({ message_count: 2 });
    await call("DELETE sessions/new");
    expect(await say("new")).toMatchObject({ http: 410, error: { code: "SESSION_EXPIRED" } });
    expect(await say("-bad-")).toMatchObject({ http: 400, error: { details: { field: "session_id" } } });
    expect((await call("GET sessions/never")).http).toBe(404);
  });

  it.each([
    ["GET observer/vikingdb", undefined],
    ["POST sessions/kept/used", { contexts: ["viking://resources/docs/a.md"] }],
    ["POST sessions/kept/extract", {}],
    [
      "POST relations/link",
      { from_uri: "viking://resources/docs/a.md", to_uris: ["viking://resources/docs"], reason: "r" },
    ],
  ])("an OpenViking server accepts %s", async (line, body) => {
    await call("POST sessions/kept/messages", { role: "user", content: "hello" });
    expect((await call(line, body)).http).toBe(200);
  });
});

it("a read-only key saves no OpenViking export on the server", async () => {
  const keyed = await serve({ CTXDB_COMPAT: "openviking", CTXDB_LOCAL_PATHS: tmpdir() });
  await keyed.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "ann" });
  const path = "POST admin/accounts/acme/users/ann/keys";
  const made = await keyed.rest(ROOT_KEY, path, { name: "reader", access: "read" });
  const { user_key } = made.result as { user_key: string };
  const to = join(tmpdir(), "ctxdb-unwanted");
  const { error } = await keyed.rest(user_key, "POST pack/export", { uri: "resources", to });
  expect(error?.message).toContain("API key reader: the key is read-only");
  await keyed.close();
});

it("a server without CTXDB_COMPAT refuses OpenViking's URIs and requests", async () => {
  const strict = await serve();
  const code = async (request: string, body?: object) =>
    (await strict.rest(ROOT_KEY, request, body)).error?.code;
  expect(await code("GET fs/ls?uri=resources")).toBe("INVALID_URI");
  expect(await code("GET fs/ls?uri=viking://resources")).toBe("INVALID_URI");
  expect(await code("POST sessions/none/messages", { role: "user", content: "hello" })).toBe("NOT_FOUND");
  expect(await code("POST sessions/first/used", { contexts: [] })).toBe("NOT_FOUND");
  expect(await code("DELETE sessions/first")).toBe("NOT_FOUND");
  expect(await code("POST skills", { data: { name: "bare" } })).toBe("INVALID_ARGUMENT");
  expect(await code("POST pack/export", { uri: "ctx://resources", to: "/tmp/x" })).toBe("PERMISSION_DENIED");
  const { session_id: id } = (await strict.rest(ROOT_KEY, "POST sessions", {})).result as Result;
  expect(await code(`POST sessions/${id}/messages`, { role: "system", content: "x" })).toBe(
    "INVALID_ARGUMENT",
  );
  expect((await strict.rest(ROOT_KEY, `POST sessions/${id}/commit`, {})).result).not.toHaveProperty(
    "task_id",
  );
  expect(Object.keys((await strict.rest(ROOT_KEY, `GET sessions/${id}`)).result as Result)).toEqual([
    "session_id",
    "user",
    "message_count",
  ]);
  await strict.close();
});
