import { join } from "node:path";
import { create, type DescMethodUnary, fromJson, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pairPages, prefixRange } from "../../src/storage/kv.ts";
import { LevelKv } from "../../src/storage/level/level-kv.ts";
import { effectOf, isStrict } from "../../src/transport/operation.ts";
import { SERVICES } from "../../src/transport/services.ts";
import { clientsOf } from "../conformance/wire/clients.ts";
import { CHANGE_WIRES, Watcher } from "../support/change-watcher.ts";
import { DavClient } from "../support/dav-client.ts";
import { genericRequest, type Subjects, subjectFields } from "../support/generic-request.ts";
import { mcpOver } from "../support/mcp.ts";
import { TASKS } from "../support/mcp-tasks.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";

const FILE = "ctx://resources/kept.md";
const SUBJECTS: Subjects = {
  uri: FILE,
  session: "talk",
  task: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  upload: "0".repeat(48),
  account: "acme",
  user: "ann",
  memory: "mem_AAAAAAAAAAAAAAAAAAAAAAAA",
  webhook: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  trash: "00000010000zzz",
};

/** Operations that a read-only key may call. A new operation must be added here by hand. */
const READING = `
  AccessService.ExplainAccess AccessService.ListGrants AccessService.ListGroups AccessService.WhoAmI
  AccountService.ListAccounts AccountService.ListKeys AccountService.ListUsers BackupService.ListBackups
  ChangeService.ListChanges ChangeService.WatchChanges ContentService.DiffVersions
  ContentService.DownloadContent ContentService.GetAbstract ContentService.GetOverview
  ContentService.ListChunks ContentService.ListVersions ContentService.ReadContent
  FilesystemService.ListEntries FilesystemService.ListTree FilesystemService.StatNode
  MemoryService.GetMemory MemoryService.GetMemoryHistory MemoryService.ListMemories
  ObserverService.GetHealth ObserverService.GetQueue ObserverService.GetSystem ObserverService.GetVectordb
  ObserverService.GetVlm ObserverService.ListAudit ObserverService.ListDeadLetters
  ObserverService.ListMembers ObserverService.ListMetrics PackService.ExportPack RelationService.ListRelations
  ResourceService.ListRefreshSchedules SearchService.Find
  SearchService.Glob SearchService.Grep SearchService.Recall SearchService.Search
  SessionService.GetSession SessionService.GetSessionContext SessionService.ListSessions
  SkillService.GetSkill SkillService.ListSkills
  SnapshotService.DiffSnapshots SnapshotService.GetSnapshot SnapshotService.ListSnapshotEntries
  SnapshotService.ListSnapshots SystemService.GetStatus SystemService.GetUsage
  SystemService.WaitProcessed
  TaskService.GetTask TaskService.ListTasks TaskService.WatchTask TrashService.ListTrash
  WebhookService.GetWebhook WebhookService.ListDeliveries WebhookService.ListWebhooks
`;
const METHODS = SERVICES.flatMap((service) => service.methods);
const nameOf = ({ parent, name }: (typeof METHODS)[number]) => `${parent.name}.${name}`;
const UNARY = METHODS.filter((method) => method.methodKind === "unary") as DescMethodUnary[];

const DAV_CHANGES = [
  "PUT resources/new.md",
  "DELETE resources/kept.md",
  "MKCOL resources/new",
  "COPY resources/kept.md",
  "MOVE resources/kept.md",
  "PROPPATCH resources/kept.md",
  "LOCK resources/kept.md",
  "UNLOCK resources/kept.md",
];

describe("additional API keys", () => {
  let server: Served;
  let ann: string;
  const keyOf = async (wanted: object, user = "ann", by = ann): Promise<string> => {
    const made = await server.rest(by, `POST admin/accounts/acme/users/${user}/keys`, wanted);
    if (made.error) throw new Error(made.error.message);
    return (made.result as { user_key: string }).user_key;
  };
  const codeOf = async (key: string, call: string, body?: object): Promise<string> =>
    (await server.rest(key, call, body)).error?.code ?? "OK";
  const register = async (user: string): Promise<string> => {
    const made = await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", { user_id: user });
    return (made.result as { user_key: string }).user_key;
  };

  /** All records of the account, without the checkpoint and the journal of its table. */
  const records = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    await server.restart(async () => {
      const kv = await LevelKv.open(join(server.dataDir, "kv"), silentLog);
      for await (const page of pairPages(kv, prefixRange("w/", 500)))
        for (const [key, value] of page)
          if (!/^w\/\w+\/[kj]/.test(key)) found.push(`${key} ${Buffer.from(value).toString("base64")}`);
      await kv.close();
    });
    return found;
  };

  beforeAll(async () => {
    server = await serve();
    const made = await server.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    ann = (made.result as { user_key: string }).user_key;
    await server.rest(ann, "POST content/write", { uri: FILE, content: "The walrus.", mode: "create" });
  });
  afterAll(() => server.close());

  it("every operation is classified as reading or changing data", () => {
    const reading = METHODS.filter((method) => effectOf(method) === "reads").map(nameOf);
    expect(reading.sort()).toEqual(READING.trim().split(/\s+/));
  });

  it("a read-only key changes nothing on any protocol", async () => {
    const reader = await keyOf({ name: "reader", access: "read" });
    const wrong: string[] = [];
    for (const method of UNARY) {
      const request = genericRequest(method, SUBJECTS);
      const mayCall = effectOf(method) === "reads";
      for (const client of clientsOf(server.port)) {
        const { code, details } = await client.call(method, request, { "x-api-key": reader });
        const isRefused = (details as { resource?: string } | undefined)?.resource === "API key reader";
        const isAbsent = code === "UNIMPLEMENTED";
        if (
          !isAbsent &&
          (isRefused || code === "PERMISSION_DENIED") === mayCall &&
          !isAdministration(code, method)
        )
          wrong.push(`${nameOf(method)} over ${client.name}: ${code}`);
      }
    }
    expect(wrong).toEqual([]);
    const dav = new DavClient(() => server.port, reader);
    for (const call of DAV_CHANGES) expect(await dav.status(call), call).toBe(403);
    expect(await dav.status("GET resources/kept.md")).toBe(200);
    expect(await dav.status("PROPFIND resources/", { headers: { depth: "1" } })).toBe(207);
    const mcp = await mcpOver(server.port, { "x-api-key": reader });
    const { tools } = await mcp.client.listTools();
    for (const { name, annotations } of tools) {
      if (annotations?.readOnlyHint === true) continue;
      const task = TASKS.find(({ tool }) => tool === name)!;
      const { isError, text } = await mcp.tool(name, task.arguments);
      expect(`${name}: ${isError} ${text}`).toContain(`${name}: true`);
    }
    expect((await mcp.tool("write", { uri: FILE, content: "new" })).text).toContain(
      "API key reader: the key is read-only",
    );
    expect(await mcp.tool("read", { uri: FILE })).toMatchObject({ isError: false });
    await mcp.client.close();
    const form = new FormData();
    form.set("file", new Blob(["text"]), "f.md");
    expect(await codeOf(reader, "POST resources/temp_upload", form)).toBe("PERMISSION_DENIED");
    expect((await server.rest(ann, `GET content/read?uri=${FILE}`)).result).toBe("The walrus.");
  });

  it("an operation about rights or removals refuses unknown fields on every protocol", async () => {
    const base = `http://127.0.0.1:${server.port}`;
    const wrong: string[] = [];
    const strict = UNARY.filter(isStrict);
    expect(strict.map(nameOf)).toEqual(
      expect.arrayContaining([
        "AccountService.CreateKey",
        "AccessService.GrantAccess",
        "MemoryService.Forget",
      ]),
    );
    for (const method of strict) {
      const request = genericRequest(method, SUBJECTS);
      const unknown = create(EmptySchema);
      unknown.$unknown = [{ no: 900, wireType: WireType.Varint, data: Buffer.from([1]) }];
      const typed = toBinary(method.input, fromJson(method.input, request));
      const proto = Buffer.concat([typed, toBinary(EmptySchema, unknown)]);
      for (const [type, body] of [
        ["json", Buffer.from(JSON.stringify({ ...request, read_only: true }))],
        ["proto", proto],
      ] as const) {
        const answer = await fetch(`${base}/${method.parent.typeName}/${method.name}`, {
          method: "POST",
          headers: { "X-API-Key": ROOT_KEY, "X-Ctx-Account": "acme", "Content-Type": `application/${type}` },
          body,
        });
        const text = await answer.text();
        if (answer.status !== 400 || !text.includes("of this operation"))
          wrong.push(`${nameOf(method)} as ${type}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
    const keys = "admin/accounts/acme/users/ann/keys";
    const made = await server.rest(ann, `POST ${keys}`, { name: "meant-to-read", read_only: true });
    expect(made.error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field: "read_only" } });
    const asked = await server.rest(ann, `POST ${keys}?acces=read`, { name: "meant-to-read" });
    expect(asked.error?.message).toContain("did you mean access?");
    expect(JSON.stringify((await server.rest(ann, `GET ${keys}`)).result)).not.toContain("meant-to-read");
    expect(await codeOf(ann, `DELETE fs?uri=${FILE}&dry_run=true`)).toBe("INVALID_ARGUMENT");
    expect(await codeOf(ann, `DELETE fs?uri=${FILE}`, { dry_run: true })).toBe("INVALID_ARGUMENT");
    expect((await server.rest(ann, `GET content/read?uri=${FILE}`)).result).toBe("The walrus.");
  });

  it("read operations with a read-only key change no record, whatever their fields", async () => {
    const reader = await keyOf({ name: "looker", access: "read" });
    await server.rest(ann, "POST sessions", { session_id: "talk" });
    await server.rest(ann, "POST sessions/talk/messages", { role: "user", content: "The walrus?" });
    await server.rest(ROOT_KEY, "POST system/wait", {});
    const before = await records();
    for (const method of UNARY.filter((one) => effectOf(one) === "reads")) {
      const fields = subjectFields(method).map(({ name }) => name);
      for (const field of [undefined, ...fields])
        for (const client of clientsOf(server.port).slice(0, 2))
          await client.call(method, genericRequest(method, SUBJECTS, field), { "x-api-key": reader });
    }
    await server.rest(ROOT_KEY, "POST system/wait", {});
    expect(await records()).toEqual(before);
  });

  it("an additional key of an administrator permits no administration", async () => {
    const writer = await keyOf({ name: "writer" });
    expect(await codeOf(writer, "POST fs/mkdir", { uri: "ctx://resources/made" })).toBe("OK");
    for (const call of [
      "GET admin/accounts/acme/users",
      "DELETE admin/accounts/acme/users/ann",
      "POST admin/accounts/acme/users/ann/key",
      "GET observer/audit",
    ])
      expect(await codeOf(writer, call), call).toBe("PERMISSION_DENIED");
  });

  it("nothing that is set up with an additional key keeps the user's rights after the key is revoked", async () => {
    const own = "ctx://user/ann/memories";
    const revoke = { uri: own, grantee_type: "everyone" };
    const grant = { ...revoke, level: "read" };
    const writer = await keyOf({ name: "lasting" });
    for (const [call, body] of [
      ["POST access/grants", grant],
      ["POST access/revoke", revoke],
      ["POST webhooks", { url: "https://example.com/hook" }],
      ["PATCH webhooks/any", { paused: false }],
      ["POST webhooks/any/secret", {}],
      ["PUT resources/schedules", { uri: FILE }],
    ] as const)
      expect(await codeOf(writer, call, body), call).toBe("PERMISSION_DENIED");
    expect(await codeOf(ann, "POST access/grants", grant)).toBe("OK");
    expect(await codeOf(ann, "POST access/revoke", revoke)).toBe("OK");
  });

  it("only the main key of a user, an administrator and ROOT can create, list and revoke keys", async () => {
    const bob = await register("bob");
    const additional = await keyOf({ name: "phone" }, "bob", bob);
    const eve = await register("eve");
    for (const key of [additional, eve]) {
      expect(await codeOf(key, "POST admin/accounts/acme/users/bob/keys", { name: "more" })).toBe(
        "PERMISSION_DENIED",
      );
      expect(await codeOf(key, "GET admin/accounts/acme/users/bob/keys")).toBe("PERMISSION_DENIED");
      expect(await codeOf(key, "DELETE admin/accounts/acme/users/bob/keys/phone")).toBe("PERMISSION_DENIED");
    }
    for (const key of [bob, ann, ROOT_KEY])
      expect((await server.rest(key, "GET admin/accounts/acme/users/bob/keys")).result).toMatchObject([
        { name: "main", access: "all" },
        { name: "phone", access: "write" },
      ]);
  });

  it("calls with a key bound to an agent act as that agent, whatever the header says", async () => {
    const clerk = await keyOf({ name: "clerk-key", agent_id: "clerk" });
    const { result } = await server.rest(clerk, "GET access/whoami", undefined, { "X-Ctx-Agent": "boss" });
    expect(result).toMatchObject({ agent_id: "clerk", key_name: "clerk-key", access: "write", role: "user" });
  });

  it.each([
    ["a name in use", { name: "twice" }, "ALREADY_EXISTS"],
    ["the name of the main key", { name: "main" }, "ALREADY_EXISTS"],
    ["a malformed name", { name: "a/b" }, "INVALID_ARGUMENT"],
    ["an unknown access", { name: "x", access: "admin" }, "INVALID_ARGUMENT"],
    ["a reserved agent", { name: "x", agent_id: "skills" }, "INVALID_ARGUMENT"],
    ["an expiry that has passed", { name: "x", expires_at: "2020-01-01T00:00:00Z" }, "INVALID_ARGUMENT"],
    ["an expiry that is not a time", { name: "x", expires_at: "soon" }, "INVALID_ARGUMENT"],
  ])("an additional API key with %s is refused", async (_, wanted, code) => {
    if (wanted.name === "twice") await keyOf(wanted);
    expect(await codeOf(ann, "POST admin/accounts/acme/users/ann/keys", wanted)).toBe(code);
  });

  it("a user can have at most 50 additional API keys", async () => {
    const dan = await register("dan");
    for (let i = 0; i < 50; i++) await keyOf({ name: `k${i}` }, "dan", dan);
    expect(await codeOf(dan, "POST admin/accounts/acme/users/dan/keys", { name: "one-more" })).toBe(
      "RESOURCE_EXHAUSTED",
    );
  });

  it.each(CHANGE_WIRES)("a stream over %s ends when its key is revoked", async (_, open) => {
    const key = await keyOf({ name: "streaming" });
    const watcher = new Watcher(open, `http://127.0.0.1:${server.port}`, {}, { "x-api-key": key });
    await watcher.next();
    expect(await codeOf(ann, "DELETE admin/accounts/acme/users/ann/keys/streaming")).toBe("OK");
    expect(await watcher.failure()).toBe("UNAUTHENTICATED");
    expect(await codeOf(key, "GET system/status")).toBe("UNAUTHENTICATED");
  });

  it("a stream ends when its key expires, and the name of the key is free again", async () => {
    const key = await keyOf({ name: "short", expires_at: new Date(Date.now() + 1500).toISOString() });
    const [, open] = CHANGE_WIRES[0]!;
    const watcher = new Watcher(open, `http://127.0.0.1:${server.port}`, {}, { "x-api-key": key });
    await watcher.next();
    expect(await watcher.failure()).toBe("UNAUTHENTICATED");
    expect((await server.rest(key, "GET system/status")).error?.message).toContain("short has expired");
    await keyOf({ name: "short" });
  });

  it("additional keys end with their user, and are not inherited by a later user of the same name", async () => {
    const key = await keyOf({ name: "phone" }, "eve");
    expect(await codeOf(ann, "DELETE admin/accounts/acme/users/eve")).toBe("OK");
    await register("eve");
    expect(await codeOf(key, "GET system/status")).toBe("UNAUTHENTICATED");
    expect((await server.rest(ann, "GET admin/accounts/acme/users/eve/keys")).result).toHaveLength(1);
  });

  it("the list of keys shows when each key was last used, even after a restart", async () => {
    const used = await keyOf({ name: "used" });
    await keyOf({ name: "unused" });
    await codeOf(used, "GET system/status");
    await server.restart();
    const { result } = await server.rest(ann, "GET admin/accounts/acme/users/ann/keys");
    const uses = new Map(
      (result as { name: string; last_used_at?: string }[]).map(({ name, last_used_at }) => [
        name,
        last_used_at,
      ]),
    );
    expect(uses.get("used")).toMatch(/^\d{4}-/);
    expect(uses.get("main")).toMatch(/^\d{4}-/);
    expect(uses.get("unused")).toBeUndefined();
  });
});

/** Read operations for administrators, which are refused for another reason. */
const isAdministration = (code: string, { parent, name }: DescMethodUnary): boolean =>
  code === "PERMISSION_DENIED" &&
  (["AccountService", "BackupService", "ObserverService"].includes(parent.name) || name === "ListGroups");
