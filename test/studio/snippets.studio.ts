import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type DescMethod, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { transpileModule } from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientNameOf } from "../../clients/studio/src/calls/names.ts";
import { type Snippet, snippetsOf } from "../../clients/studio/src/calls/snippets.ts";
import { AccessService } from "../../clients/typescript/src/gen/ctxdb/v1/access_pb.ts";
import { AccountService } from "../../clients/typescript/src/gen/ctxdb/v1/account_pb.ts";
import { ChangeService } from "../../clients/typescript/src/gen/ctxdb/v1/change_pb.ts";
import { ContentService } from "../../clients/typescript/src/gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../clients/typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { ObserverService } from "../../clients/typescript/src/gen/ctxdb/v1/observer_pb.ts";
import { RelationService } from "../../clients/typescript/src/gen/ctxdb/v1/relation_pb.ts";
import { SearchService } from "../../clients/typescript/src/gen/ctxdb/v1/search_pb.ts";
import { SessionService } from "../../clients/typescript/src/gen/ctxdb/v1/session_pb.ts";
import { SkillService } from "../../clients/typescript/src/gen/ctxdb/v1/skill_pb.ts";
import { SystemService } from "../../clients/typescript/src/gen/ctxdb/v1/system_pb.ts";
import { TaskService } from "../../clients/typescript/src/gen/ctxdb/v1/task_pb.ts";
import { TrashService } from "../../clients/typescript/src/gen/ctxdb/v1/trash_pb.ts";
import { WebhookService } from "../../clients/typescript/src/gen/ctxdb/v1/webhook_pb.ts";
import { connect } from "../../clients/typescript/src/web.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type BuiltServer, ROOT_KEY, startServer } from "./server.ts";

/** Text that would end a string, run a command or change a line. */
const HOSTILE = `it's "quoted" $(touch /tmp/hacked) \`id\` \\ \${HOME} %0a\n--x 名前 🐙 \u2028 ; rm -rf /`;

const CALLS: readonly (readonly [DescMethod, JsonValue])[] = [
  [
    SearchService.method.find,
    { query: HOSTILE, target_uri: ["ctx://resources"], limit: 3, filter: { name: [HOSTILE] } },
  ],
  [SearchService.method.search, { query: "tea", target_uri: "ctx://resources", score_threshold: 0.25 }],
  [ContentService.method.readContent, { uri: "ctx://resources/a b&c=d#e?.md", offset: 2, limit: -1 }],
  [
    ContentService.method.writeContent,
    {
      uri: "ctx://resources/x.md",
      content: HOSTILE,
      mode: "create",
      if_match: "abc",
      idempotency_key: "k-1",
    },
  ],
  [ContentService.method.getAbstract, { uri: HOSTILE }],
  [ContentService.method.listChunks, { uri: "ctx://resources", limit: 5 }],
  [FilesystemService.method.moveNode, { from_uri: "ctx://resources/a", to_uri: HOSTILE }],
  [FilesystemService.method.removeNode, { uri: "ctx://resources/a", recursive: true }],
  [FilesystemService.method.listEntries, { uri: "ctx://resources", recursive: true }],
  [SessionService.method.getSession, { session_id: HOSTILE }],
  [
    SessionService.method.addMessage,
    { session_id: "s", role: "user", parts: [{ type: "text", text: HOSTILE }] },
  ],
  [SkillService.method.addSkill, { data: { name: "a", description: HOSTILE, tags: ["x", null, 1.5, true] } }],
  [
    RelationService.method.linkNodes,
    { from_uri: "ctx://resources/a", to_uri: "ctx://resources/b", reason: HOSTILE },
  ],
  [AccountService.method.setUserRole, { account_id: "acme", user_id: "bob", role: "admin" }],
  [AccountService.method.listAccounts, {}],
  [AccountService.method.setQuotas, { account_id: "acme", stored_bytes: 2 ** 31, nodes: 0 }],
  [AccountService.method.createKey, { account_id: "acme", user_id: "bob", name: HOSTILE, access: "read" }],
  [SystemService.method.getUsage, { account_id: "acme" }],
  [ObserverService.method.getSystem, {}],
  [ObserverService.method.retryDeadLetter, { id: "12" }],
  [TaskService.method.watchTask, { task_id: "x" }],
  [SystemService.method.waitProcessed, { timeout: 1.5 }],
  [
    AccessService.method.grantAccess,
    { uri: HOSTILE, grantee_type: "group", grantee_id: "writers", level: "write", effect: "deny" },
  ],
  [AccessService.method.addGroupMember, { account_id: "acme", group_id: "writers", user_id: "bob" }],
  [AccessService.method.whoAmI, {}],
  [ChangeService.method.watchChanges, { uri: "ctx://resources", kinds: ["added"] }],
  [
    WebhookService.method.createWebhook,
    { url: "https://example.com/a?b=c&d", kinds: ["added", "removed"], description: HOSTILE },
  ],
  [WebhookService.method.updateWebhook, { webhook_id: "1", paused: false }],
  [TrashService.method.deleteTrash, { trash_id: "1" }],
];

let server: BuiltServer;
const target = () => ({
  address: server.url,
  names: { "X-Ctx-Account": "default", "X-Ctx-Agent": "o-neill" },
  options: { account: "default", agent: "o-neill" },
});
const snippetsAt = (at: number): Snippet[] => {
  const [method, request] = CALLS[at] ?? [];
  if (method === undefined || request === undefined) throw new Error(`there is no call ${at}`);
  return snippetsOf(method, fromJson(method.input, request), target());
};
const run = (command: string, args: readonly string[], input = "") =>
  spawnSync(command, args, { input, encoding: "utf8", env: { ...process.env, CTXDB_API_KEY: ROOT_KEY } });
const textOf = (made: readonly Snippet[], language: Snippet["language"]): string =>
  made.find((snippet) => snippet.language === language)?.text ?? "";

beforeAll(async () => {
  server = await startServer({ keyed: true });
});
afterAll(() => server.close());

describe("calls as code", () => {
  // by number, since a descriptor is too large to be printed
  it.each(CALLS.map((_, at) => at))("the TypeScript snippet of call %i parses", (at) => {
    const text = textOf(snippetsAt(at), "TypeScript");
    expect(transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
  });

  it("the Python snippets of all calls parse", () => {
    const programs = CALLS.map((_, at) => textOf(snippetsAt(at), "Python"));
    const parse = "import ast, json, sys\nfor program in json.load(sys.stdin): ast.parse(program)";
    expect(run("python3", ["-c", parse], JSON.stringify(programs)).stderr).toBe("");
  });

  it("the Go snippets of all calls parse", async () => {
    const folder = await temporaryFolder();
    const files = CALLS.map((_, at) => join(folder.path, `call-${at}.go`));
    await Promise.all(files.map((file, at) => writeFile(file, textOf(snippetsAt(at), "Go"))));
    const go = run("gofmt", ["-e", ...files]);
    await folder.remove();
    if (go.error === undefined) expect(go.stderr).toBe("");
  });

  it("code snippets never contain the key, and their shell commands give the same results", () => {
    const asked = [0, 1, 2].map((at) => textOf(snippetsAt(at), "curl"));
    expect(asked.join()).not.toContain(ROOT_KEY);
    const [found, planned, missing] = asked.map(
      (command) => JSON.parse(run("sh", ["-c", command]).stdout) as Record<string, unknown>,
    );
    expect(found).toMatchObject({ status: "ok", result: { total: 0 } });
    expect(planned).toMatchObject({ status: "ok", result: { query_plan: {} } });
    expect(missing).toMatchObject({ error: { details: { resource: "ctx://resources/a b&c=d#e?.md" } } });
    const text = textOf(snippetsAt(3), "curl");
    expect(JSON.parse(run("sh", ["-c", text.replace(/\n {2}-H 'If-Match[^\n]*/, "")]).stdout)).toMatchObject({
      result: { uri: "ctx://resources/x.md" },
    });
  });

  it("code snippets call only methods that the clients have", () => {
    const client = connect(server.url) as unknown as Record<string, Record<string, unknown>>;
    const services = [...new Set(CALLS.map(([method]) => method.parent))];
    const missing = services
      .flatMap(({ methods }) => methods)
      .filter((method) => {
        const name = clientNameOf(method);
        return typeof client[name?.group ?? ""]?.[name?.name ?? ""] !== "function";
      });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it("Go snippets pass a request message exactly where the Go client takes one", async () => {
    const folder = new URL("../../clients/go/", import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith(".go"));
    const source = (await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")))).join(
      "\n",
    );
    const services = [...new Set(CALLS.map(([method]) => method.parent))];
    const wrong = services
      .flatMap(({ methods }) => methods)
      .flatMap((method) => {
        const { group = "", name = "" } = clientNameOf(method) ?? {};
        const type = group === "fs" ? "FS" : `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
        const called = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
        const head = new RegExp(`^func \\(\\w+ \\*${type}\\) ${called}\\(([^)]*)\\)`, "m").exec(source);
        const [, go = ""] = /client\.\w+\.\w+\(ctx(.*)\)/.exec(
          snippetsOf(method, create(method.input), target()).find(({ language }) => language === "Go")
            ?.text ?? "",
        ) ?? [undefined];
        const takes = head?.[1]?.includes("*pb.") ? "a message" : "fields";
        const passes = go.includes("&pb.") ? "a message" : "fields";
        return head === null
          ? [`${method.name}: no method`]
          : takes === passes
            ? []
            : [`${method.name}: takes ${takes}`];
      });
    expect(wrong).toEqual([]);
  });

  it("code snippets omit lone surrogates, which no source file can encode", () => {
    const { method } = SearchService;
    const message: Message = create(method.find.input, { query: "a\ud800b" } as object);
    for (const { language, text } of snippetsOf(method.find, message, target()))
      expect([language, text.isWellFormed(), text]).toEqual([
        language,
        true,
        expect.not.stringMatching(/\\ud800/),
      ]);
  });
});
