import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpSession, mcpOver } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const TEMPLATE = { type: "ref/resource", uri: "ctx://{+path}" } as const;
/** Tools whose answer is a text (which structured data would only repeat) or a one-line confirmation. */
const WITHOUT_DATA = [
  "recall",
  "read",
  "mkdir",
  "move",
  "copy",
  "remove",
  "link",
  "add_skill",
  "cancel_task",
  "session_context",
];

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

let server: Served;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let ann: McpSession;
let eve: McpSession;
let annKey: string;

/** Once it has listed the tools, the official client validates data against the tool's schema. */
const call = async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
  const answer = await ann.client.callTool({ name, arguments: args });
  expect(answer.isError).toBeUndefined();
  return answer as unknown as Called;
};
const data = async (name: string, args?: Record<string, unknown>) =>
  (await call(name, args)).structuredContent;
const complete = async (value: string, session = ann) =>
  (await session.client.complete({ ref: TEMPLATE, argument: { name: "path", value } })).completion;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "guide"));
  await writeFile(
    join(folder.path, "guide", "backup.md"),
    "# Backup\n\nStop the server, then copy the data.\n",
  );
  await writeFile(join(folder.path, "guide", "tea [green].md"), "# Tea\n\nGreen tea is brewed warm.\n");
  server = await serve({ CTXDB_LOCAL_PATHS: folder.path });
  const keyOf = async (account_id: string) => {
    const body = { account_id, admin_user_id: "ann" };
    return ((await server.rest(ROOT_KEY, "POST admin/accounts", body)).result as { user_key: string })
      .user_key;
  };
  annKey = await keyOf("acme");
  ann = await mcpOver(server.port, { "X-API-Key": annKey });
  eve = await mcpOver(server.port, { "X-API-Key": await keyOf("evil") });
  await ann.client.listTools();
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

describe("answers of tools as data", () => {
  it("every MCP tool whose result is more than text has a schema for its data", async () => {
    const { tools } = await ann.client.listTools();
    const without = tools.filter(({ outputSchema }) => outputSchema === undefined).map(({ name }) => name);
    expect(without.sort()).toEqual([...WITHOUT_DATA].sort());
  });

  it("the data of an MCP tool result matches its text", async () => {
    const added = await data("add_resource", { path: folder.path, to: "ctx://resources/manual" });
    expect(added).toEqual({ uri: "ctx://resources/manual", status: "success", errors: [], warnings: [] });
    expect(await data("ls", { uri: "ctx://resources/manual" })).toMatchObject({
      entries: [{ path: "guide", is_folder: true }],
    });
    expect(await data("glob", { pattern: "**/*.md", limit: 1 })).toEqual({
      uris: ["ctx://resources/manual/guide/backup.md"],
      next_cursor: expect.any(String),
    });
    expect(await data("grep", { pattern: "Stop the" })).toEqual({
      matches: [
        {
          uri: "ctx://resources/manual/guide/backup.md",
          line: 3,
          content: "Stop the server, then copy the data.",
        },
      ],
      left_out: 0,
    });
    expect(await data("stat", { uri: "ctx://resources/manual/guide" })).toMatchObject({
      is_folder: true,
      below: 2,
      relations: [],
    });
    expect(await data("write", { uri: "ctx://resources/a.md", content: "one" })).toEqual({
      uri: "ctx://resources/a.md",
      mode: "create",
      written_bytes: 3,
    });
    await call("write", { uri: "ctx://resources/a.md", content: "two", mode: "replace" });
    await data("write", { uri: "ctx://resources/removed.md", content: "gone by mistake" });
    const [said] = (await call("remove", { uri: "ctx://resources/removed.md" })).content;
    const [, id = ""] = /restore: "(\w+)"/.exec(said?.text ?? "") ?? [];
    expect(await data("trash", {})).toMatchObject({
      items: [{ trash_id: id, uri: "ctx://resources/removed.md", cause: "remove", nodes: 1 }],
      total: 1,
    });
    expect(await data("trash", { restore: id })).toEqual({
      items: [],
      total: 0,
      restored: "ctx://resources/removed.md",
    });
    expect(await data("history", { uri: "ctx://resources/a.md" })).toMatchObject({
      versions: [{ version: 2 }, { version: 1 }],
      total: 2,
    });
    expect(await data("history", { uri: "ctx://resources/a.md", compare: 1 })).toMatchObject({
      diff: expect.stringContaining("+two"),
    });
    expect(await data("tasks")).toMatchObject({ is_done: expect.any(Boolean), tasks: expect.any(Array) });
    expect(await data("status")).toMatchObject({ account: "acme", user: "ann" });
    expect(await data("skills")).toEqual({ skills: [], total: 0 });
  });

  it("the write tool tags a file or folder without changing its content, and lists and stat show the tags", async () => {
    const uri = "ctx://resources/tagged.md";
    expect(await data("write", { uri, content: "one", tags: ["Draft"] })).toMatchObject({ tags: ["draft"] });
    expect(await data("write", { uri, tags: ["reviewed"], untag: ["draft"] })).toEqual({
      uri,
      mode: "tag",
      written_bytes: 0,
      tags: ["reviewed"],
    });
    expect(await data("stat", { uri })).toMatchObject({ tags: ["reviewed"] });
    expect(await data("ls", { uri: "ctx://resources", tags: ["reviewed"] })).toMatchObject({
      entries: [{ path: "tagged.md", tags: ["reviewed"] }],
    });
    expect(await data("glob", { pattern: "**", tags: ["reviewed"] })).toEqual({ uris: [uri] });
    expect(await data("find", { query: "one", filter: { tags: "reviewed" } })).toMatchObject({
      hits: [{ uri, tags: ["reviewed"] }],
    });
    const refused = await ann.client.callTool({ name: "write", arguments: { uri } });
    expect(refused.isError).toBe(true);
  });

  it("agents write and remove several files at once, and cancel only tasks that have not ended", async () => {
    const files = ["one", "two"].map((name) => ({ uri: `ctx://resources/site/${name}.md`, content: name }));
    expect(await data("write_files", { files })).toEqual({
      files: files.map(({ uri }) => ({ uri, mode: "create", written_bytes: 3 })),
    });
    const refused = await ann.client.callTool({ name: "write_files", arguments: { files } });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("files[0]: file already exists");
    const uris = [...files.map(({ uri }) => uri), "ctx://resources/site"];
    const removed = await call("remove", { uris, recursive: true });
    expect(removed.content[0]?.text).toContain("Deleted ctx://resources/site: 3 nodes.");
    const both = { name: "remove", arguments: { uri: "ctx://resources/site", uris } };
    expect(await ann.client.callTool(both)).toMatchObject({ isError: true });
    const { tasks } = (await data("tasks")) as { tasks: { task_id: string; status: string }[] };
    const ended = tasks.find(({ status }) => status === "completed")?.task_id ?? "none";
    const cancel = await ann.client.callTool({ name: "cancel_task", arguments: { task_id: ended } });
    expect(JSON.stringify(cancel.content)).toMatch(/has already ended|task not found/);
  });

  it("the data of memory tools lists stored and removable memories within the token budget", async () => {
    for (let n = 0; n < 12; n++)
      await call("remember", {
        statement: `The walrus number ${n} sleeps on the northern rocks of the bay.`,
      });
    expect(await data("remember", { messages: [{ content: "I like walruses." }] })).toMatchObject({
      session_id: expect.any(String),
      kept_messages: 1,
    });
    const preview = await call("forget", { query: "walrus number", max_tokens: 60 });
    expect(preview.structuredContent).toMatchObject({ is_preview: true, memories: 12 });
    const { statements } = preview.structuredContent as { statements: object[] };
    expect(statements.length).toBeLessThan(12);
    expect(preview.content[0]?.text).toMatch(/\[\d+ of 12 memories fit; raise max_tokens\]$/);
    expect(await data("forget", { query: "walrus number", preview: false })).toMatchObject({ memories: 12 });
  });

  it("each hit of the find tool has a link that resources/read can open", async () => {
    const { content, structuredContent } = await call("find", { query: "how is green tea brewed?" });
    const { hits } = structuredContent as { hits: { uri: string; passage: string }[] };
    expect(hits[0]).toMatchObject({ uri: "ctx://resources/manual/guide/tea [green].md", kind: "resource" });
    expect(content.slice(1).map(({ type, uri }) => [type, uri])).toEqual(
      hits.map(({ uri }) => ["resource_link", uri]),
    );
    for (const { uri } of hits) {
      const { contents } = await ann.client.readResource({ uri });
      expect(contents).toHaveLength(1);
    }
  });

  it("tool results have no links in MCP revisions without links", async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: "POST",
      headers: {
        "X-API-Key": annKey,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-03-26",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "find", arguments: { query: "green tea" } },
      }),
    });
    const { result } = (await answer.json()) as { result: Called };
    expect(result.content.map(({ type }) => type)).toEqual(["text"]);
  });
});

describe("completion of the resource template", () => {
  it("a path is completed with the scopes, then with the unescaped names below the typed part", async () => {
    expect((await complete("")).values).toContain("resources");
    expect((await complete("res")).values).toEqual(["resources"]);
    expect((await complete("resources/man")).values).toEqual(["resources/manual"]);
    expect((await complete("resources/manual/guide/")).values).toEqual([
      "resources/manual/guide/backup.md",
      "resources/manual/guide/tea [green].md",
    ]);
    expect((await complete("resources/manual/guide/tea [")).values).toEqual([
      "resources/manual/guide/tea [green].md",
    ]);
    expect((await complete("resources/manual/guide/*")).values).toEqual([]);
  });

  it("a path without existing nodes is not completed, nor are names of other accounts", async () => {
    expect(await complete("resources/nowhere/a")).toMatchObject({ values: [], hasMore: false });
    expect((await complete("resources/../x")).values).toEqual([]);
    expect((await complete("resources/man", eve)).values).toEqual([]);
  });

  it("a completion has at most a hundred values and reports that there are more", async () => {
    for (let n = 0; n < 101; n++)
      await call("write", { uri: `ctx://resources/many/file-${n}.md`, content: "x" });
    const { values, hasMore } = await complete("resources/many/");
    expect(values).toHaveLength(100);
    expect(hasMore).toBe(true);
  });

  it.each([
    [{ type: "ref/resource", uri: "ctx://{other}" } as const, "path"],
    [TEMPLATE, "name"],
  ])("a completion of anything but a resource path is refused: %o with argument %s", async (ref, name) => {
    await expect(ann.client.complete({ ref, argument: { name, value: "" } })).rejects.toThrow(
      "INVALID_ARGUMENT",
    );
  });
});
