import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/domain/text/tokens.ts";
import { type McpSession, mcpOver } from "../support/mcp.ts";
import { picture } from "../support/media.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FACTS = "My name is Ann. I prefer green tea, and our office is in Lisbon.";
const LINES = Array.from(
  { length: 400 },
  (_, i) => `line ${i} of a long file, with enough words on it to cost some tokens`,
);

let server: Served;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let ann: McpSession;
let eve: McpSession;
let annKey: string;

async function newUser(account: string): Promise<string> {
  const { result } = await server.rest(ROOT_KEY, "POST admin/accounts", {
    account_id: account,
    admin_user_id: "ann",
  });
  return (result as { user_key: string }).user_key;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "guide"));
  await writeFile(
    join(folder.path, "guide", "backup.md"),
    "# Backup\n\nStop the server, then copy the data directory whole to another disk.\n",
  );
  await writeFile(join(folder.path, "guide", "tea.md"), "# Tea\n\nGreen tea is brewed at eighty degrees.\n");
  await writeFile(join(folder.path, "long.txt"), LINES.map((line) => `${line}\n`).join(""));
  await writeFile(join(folder.path, "picture.png"), await picture());
  server = await serve({ CTXDB_LOCAL_PATHS: folder.path });
  annKey = await newUser("acme");
  ann = await mcpOver(server.port, { "X-API-Key": annKey, "X-Ctx-Agent": "coder" });
  eve = await mcpOver(server.port, { Authorization: `Bearer ${await newUser("evil")}` });
  await ann.tool("add_resource", { path: folder.path, to: "ctx://resources/manual", wait_seconds: 45 });
});

afterAll(async () => {
  await server.close();
  await folder.remove();
});

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: "POST",
    headers: {
      "X-API-Key": annKey,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
  });

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

describe("a session with the official client", () => {
  it("an MCP client adds a folder, finds a passage in it and reads a file", async () => {
    const found = await ann.tool("find", { query: "how do I back up the data?", limit: 3 });
    expect(found.text).toMatch(
      /^1\. ctx:\/\/resources\/manual\/guide\/backup\.md \(resource, score 0\.\d\d\)/,
    );
    expect(found.text).toContain("copy the data directory whole");
    expect((await ann.tool("read", { uri: "ctx://resources/manual/guide/tea.md" })).text).toBe(
      "# Tea\n\nGreen tea is brewed at eighty degrees.\n",
    );
    expect(
      (await ann.tool("read", { uri: "ctx://resources/manual/guide", layer: "overview" })).text,
    ).toContain("tea.md");
    expect((await ann.tool("grep", { pattern: "e[i]ghty" })).text).toBe(
      "ctx://resources/manual/guide/tea.md\n  3: Green tea is brewed at eighty degrees.",
    );
    expect(
      (await ann.tool("glob", { uri: "ctx://resources/manual", pattern: "guide/**/*.md" })).text.split("\n"),
    ).toEqual(["ctx://resources/manual/guide/backup.md", "ctx://resources/manual/guide/tea.md"]);
  });

  it("an MCP client stores a conversation and recalls it", async () => {
    const kept = await ann.tool("remember", {
      session_id: "monday",
      messages: [{ content: FACTS }, { role: "assistant", content: "Noted." }],
    });
    expect(kept).toEqual({
      isError: false,
      text: expect.stringMatching(/^Stored 2 messages in session monday and extracted [1-9]/),
    });
    expect((await ann.tool("recall", { query: "which tea does Ann like?" })).text).toContain("green tea");
    const later = await ann.tool("remember", {
      session_id: "monday",
      messages: [{ content: "Send it by post." }],
      commit: false,
    });
    expect(later.text).toBe("Stored 1 messages in session monday.");
    const context = await ann.tool("session_context", { session_id: "monday" });
    expect(context.text).toContain("user: Send it by post.");
    expect(context.text).toContain("Lisbon");
    expect((await ann.tool("session_context")).text).toMatch(
      /^monday: updated .*, 1 messages since the last commit$/,
    );
    expect((await ann.tool("find", { query: "tea", session_id: "monday" })).text).toMatch(/^Searched for: /);
  });

  it("several MCP calls can start the same session at once without an error", async () => {
    const said = ["one", "two", "three", "four"].map((content) => ({
      session_id: "crowd",
      commit: false,
      messages: [{ content }],
    }));
    const told = await Promise.all(said.map((args) => ann.tool("remember", args)));
    expect(told.filter(({ isError }) => isError)).toEqual([]);
    expect((await ann.tool("session_context", { session_id: "crowd" })).text.split("\n\n")).toHaveLength(4);
  });

  it("MCP find combines a metadata filter with a type", async () => {
    const within = { query: "green tea", filter: { name: "tea.md" } };
    expect((await ann.tool("find", within)).text).toMatch(/^1\. ctx:\/\/resources\/manual\/guide\/tea\.md/);
    expect((await ann.tool("find", { ...within, type: "resource" })).text).toMatch(
      /^1\. ctx:\/\/resources\/manual\/guide\/tea\.md/,
    );
    expect((await ann.tool("find", { ...within, type: "skill" })).text).toMatch(/^Nothing found/);
  });

  it("MCP tools can write, move, link, describe and delete files", async () => {
    expect(
      (await ann.tool("mkdir", { uri: "ctx://resources/notes", description: "What we decided" })).isError,
    ).toBe(false);
    await ann.tool("write", { uri: "ctx://resources/notes/a.md", content: "hello\n" });
    await ann.tool("write", { uri: "ctx://resources/notes/a.md", content: "again\n", mode: "append" });
    await ann.tool("move", { from: "ctx://resources/notes/a.md", to: "ctx://resources/notes/b.md" });
    expect((await ann.tool("read", { uri: "ctx://resources/notes/b.md" })).text).toBe("hello\nagain\n");
    await ann.tool("link", {
      from: "ctx://resources/notes/b.md",
      to: ["ctx://resources/manual"],
      reason: "the rule",
    });
    const link = "ctx://resources/notes/b.md → ctx://resources/manual: the rule";
    expect((await ann.tool("stat", { uri: "ctx://resources/notes/b.md" })).text).toContain(
      `file, 12 bytes\nmodified 2`,
    );
    expect((await ann.tool("stat", { uri: "ctx://resources/manual" })).text).toContain(link);
    await ann.tool("link", {
      from: "ctx://resources/notes/b.md",
      to: ["ctx://resources/manual"],
      unlink: true,
    });
    expect((await ann.tool("stat", { uri: "ctx://resources/manual" })).text).not.toContain(link);
    expect(await ann.tool("remove", { uri: "ctx://resources/notes" })).toEqual({
      isError: true,
      text: expect.stringContaining("FAILED_PRECONDITION"),
    });
    expect((await ann.tool("remove", { uri: "ctx://resources/notes", recursive: true })).text).toMatch(
      /^Deleted ctx:\/\/resources\/notes: 2 nodes\. Undo: trash with restore: "\w+"\.$/,
    );
  });

  it("MCP tools can manage skills, add texts and report the progress of tasks", async () => {
    await ann.tool("add_skill", {
      name: "make-tea",
      description: "How to make tea",
      content: "Boil water first.",
      tags: ["kitchen"],
    });
    expect((await ann.tool("skills")).text).toBe("make-tea — How to make tea");
    expect((await ann.tool("skills", { name: "make-tea" })).text).toContain("Boil water first.");
    const added = await ann.tool("add_resource", {
      content: "# Rooms\n\nThe blue room seats twelve.",
      name: "rooms.md",
      wait_seconds: 45,
    });
    expect(added).toEqual({ isError: false, text: "Added ctx://resources/rooms." });
    expect(
      (await ann.tool("find", { query: "how many seats has the blue room?", type: "resource" })).text,
    ).toContain("seats twelve");
    const tasks = await ann.tool("tasks", { wait_seconds: 45 });
    expect(tasks.text).toMatch(/^All work is done\.\n\S+ /);
    expect((await ann.tool("status")).text).toMatch(/^account acme, user ann, role admin\n/);
  });

  it("MCP serves ctx:// URIs as resources", async () => {
    const { resources } = await ann.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(["ctx://resources", "ctx://agent/skills", "ctx://resources/manual"]),
    );
    expect((await ann.client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "ctx://{+path}" },
    ]);
    const read = async (uri: string) =>
      (await ann.client.readResource({ uri })).contents[0] as {
        text?: string;
        blob?: string;
        mimeType?: string;
      };
    expect((await read("ctx://resources/manual/guide/tea.md")).text).toContain("eighty degrees");
    expect((await read("ctx://resources/manual")).text).toMatch(/# manual[\s\S]*\nguide\//);
    expect(Buffer.from((await read("ctx://resources/manual/picture.png")).blob ?? "", "base64")[1]).toBe(
      0x50,
    );
    await expect(ann.client.readResource({ uri: "ctx://resources/nothing" })).rejects.toMatchObject({
      code: -32_602,
      data: { uri: "ctx://resources/nothing" },
    });
  });
});

describe("a budget of tokens", () => {
  it("every MCP tool with long results keeps its token budget and explains how to continue", async () => {
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ["find", { query: "tea line words", limit: 20 }, /hits fit; use a larger max_tokens/],
      ["ls", { uri: "ctx://resources", depth: 0 }, /continue with cursor \S+\]$/],
      ["grep", { pattern: "line" }, /of 400 lines fit; use a smaller uri/],
      ["read", { uri: "ctx://resources/manual/long.txt" }, /continue with offset \d+\]$/],
    ];
    for (const [name, args, rest] of cases) {
      const { text } = await ann.tool(name, { ...args, max_tokens: 60 });
      expect(text).toMatch(rest);
      expect(estimateTokens(text), name).toBeLessThan(60 + 45);
    }
  });

  it("an MCP client can read a long file to its end in parts", async () => {
    let whole = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { text }: { text: string } = await ann.tool("read", {
        uri: "ctx://resources/manual/long.txt",
        offset,
        max_tokens: 900,
      });
      const next = /\[lines \d+ to \d+; continue with offset (\d+)\]$/.exec(text);
      whole += next ? text.slice(0, next.index) : text;
      offset = next ? Number(next[1]) : undefined;
    }
    expect(whole).toBe(LINES.map((line) => `${line}\n`).join(""));
    const two = await ann.tool("read", { uri: "ctx://resources/manual/long.txt", offset: 398, limit: 2 });
    expect(two.text).toBe(`${LINES[398]}\n${LINES[399]}\n`);
    const one = await ann.tool("read", { uri: "ctx://resources/manual/long.txt", limit: 1 });
    expect(one.text).toBe(`${LINES[0]}\n[lines 0 to 0; continue with offset 1]`);
  });

  it("an MCP client can read a long list to its end with cursors", async () => {
    const all = (await ann.tool("ls", { uri: "ctx://resources/manual", depth: 0 })).text.split("\n").slice(1);
    const names: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const { text }: { text: string } = await ann.tool("ls", {
        uri: "ctx://resources/manual",
        depth: 0,
        max_tokens: 60,
        ...(cursor && { cursor }),
      });
      const lines = text.split("\n").slice(1);
      cursor = /continue with cursor (\S+)\]$/.exec(text)?.[1];
      names.push(...lines.slice(0, cursor === undefined ? undefined : -1));
    }
    expect(names).toEqual(all);
  });
});

describe("refused MCP callers", () => {
  it("MCP is refused without a key and with a wrong key", async () => {
    await expect(mcpOver(server.port, {})).rejects.toMatchObject({ code: 401 });
    await expect(mcpOver(server.port, { "X-API-Key": "wrong" })).rejects.toMatchObject({ code: 401 });
    expect(await (await post(PING, { "X-API-Key": "wrong" })).json()).toMatchObject({
      error: { data: { code: "UNAUTHENTICATED" } },
      id: null,
    });
  });

  it("an MCP caller sees nothing of another account", async () => {
    expect((await eve.tool("find", { query: "green tea brewed at eighty degrees" })).text).toMatch(
      /^Nothing found/,
    );
    expect((await eve.tool("recall", { query: "which tea does Ann like?" })).text).toMatch(/^Nothing found/);
    for (const [name, args] of [
      ["read", { uri: "ctx://resources/manual/guide/tea.md" }],
      ["ls", { uri: "ctx://resources/manual" }],
      ["session_context", { session_id: "monday" }],
      ["skills", { name: "make-tea" }],
    ] as const) {
      expect(await eve.tool(name, args)).toEqual({
        isError: true,
        text: expect.stringMatching(/^NOT_FOUND: /),
      });
    }
    await expect(eve.client.readResource({ uri: "ctx://resources/manual" })).rejects.toMatchObject({
      code: -32_602,
      data: { uri: "ctx://resources/manual" },
    });
    const pretender = await mcpOver(server.port, { "X-API-Key": annKey, "X-Ctx-Account": "evil" });
    expect((await pretender.tool("status")).text).toMatch(/^account acme, user ann/);
  });

  it("MCP calls from pages of foreign origins are refused", async () => {
    expect((await post(PING, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await post(PING, { Origin: "http://localhost:6274" })).status).toBe(200);
    expect((await post(PING)).status).toBe(200);
  });

  it("MCP add_resource refuses a path outside the allowed folders", async () => {
    expect(await ann.tool("add_resource", { path: "/etc" })).toEqual({
      isError: true,
      text: expect.stringMatching(/^PERMISSION_DENIED: .*Tell the user\.$/s),
    });
  });
});

describe("hostile input", () => {
  it("MCP refuses hostile arguments with the name of the argument", async () => {
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ["find", {}, /^INVALID_ARGUMENT: query: is required/],
      ["find", { query: "x", limit: 1e9 }, /^INVALID_ARGUMENT: limit: /],
      ["find", { query: "x", max_tokens: 1e9 }, /^INVALID_ARGUMENT: max_tokens: /],
      [
        "find",
        { query: "x", querry: "y" },
        /^INVALID_ARGUMENT: querry: is an unknown argument: use query, target/,
      ],
      ["find", { query: "x", filter: { op: "nor" } }, /^INVALID_ARGUMENT: filter/],
      ["read", { uri: "ctx://resources/../secret" }, /^INVALID_URI: /],
      ["read", { uri: "file:///etc/passwd" }, /^INVALID_URI: /],
      ["grep", { pattern: "(" }, /^INVALID_ARGUMENT: pattern: /],
      ["add_resource", {}, /^INVALID_ARGUMENT: path: give exactly one of path and content/],
      ["add_resource", { content: "x" }, /^INVALID_ARGUMENT: name: is required/],
      ["remember", { messages: [] }, /^INVALID_ARGUMENT: messages: /],
      [
        "remember",
        { messages: [{ role: "system", content: "x" }] },
        /^INVALID_ARGUMENT: messages\.0\.role: /,
      ],
      ["write", { uri: "ctx://resources/.abstract.md", content: "x" }, /^INVALID_ARGUMENT: uri: .*reserved/],
      ["write", { uri: "ctx://session/ann/x", content: "x" }, /^PERMISSION_DENIED: /],
      ["tasks", { wait_seconds: 1e9 }, /^INVALID_ARGUMENT: wait_seconds: /],
    ];
    for (const [name, args, expected] of cases) {
      const { text, isError } = await ann.tool(name, args);
      expect([isError, text]).toEqual([true, expect.stringMatching(expected)]);
    }
    await expect(ann.client.callTool({ name: "rm -rf" })).rejects.toMatchObject({ code: -32_602 });
  });

  it("MCP returns 400 for a body that is not a message, and serves the next one", async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`;
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      `[${PING}]`,
      '"x"',
      '{"jsonrpc":"2.0"}',
      deep,
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    ]) {
      const answer = await post(body);
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), 400]);
      expect(await answer.json()).toMatchObject({
        jsonrpc: "2.0",
        id: body.includes('"1.0"') ? 1 : null,
        error: { code: expect.any(Number) },
      });
    }
    expect((await post(`{"x":"${"x".repeat(5 * 1024 * 1024)}"}`)).status).toBe(413);
    expect((await post(PING, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post(PING, { Accept: "text/html" })).status).toBe(406);
    expect((await post(PING, { "MCP-Protocol-Version": "1999-01-01" })).status).toBe(400);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
        method,
        headers: { "X-API-Key": annKey },
      });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
    }
    expect(await (await post(PING)).json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });
});
