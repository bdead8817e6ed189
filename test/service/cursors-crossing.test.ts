import { createHash } from "node:crypto";
import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICES } from "../../src/transport/services.ts";
import { type Client, clientsOf, type Outcome } from "../conformance/wire/clients.ts";
import { type McpSession, mcpOver } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

/** A word that occurs only in the victim's content and names. */
const MARKER = /xylographyvole/i;
const SECRET = "The walrus keeps xylographyvole under the ice.";
/** One more than `resources/list` of MCP returns per page. */
const FOLDERS = 201;

interface List {
  /** A request whose answer is cut after the first item. */
  readonly request: JsonObject;
  /** The same operation with different arguments. */
  readonly others: readonly JsonObject[];
  /** Whether only administrators may call it. */
  readonly isAdministrative?: true;
}

/** Requests that cut each list of the contract. The test fails for a list that is missing here. */
const LISTS: Readonly<Record<string, List>> = {
  "AccessService.ListGrants": {
    request: { limit: 1 },
    others: [{ uri: "ctx://user/vic/memories/a.md" }],
  },
  // its cursor is a position among all changes visible to the caller, regardless of the request
  "ChangeService.ListChanges": { request: { limit: 1 }, others: [] },
  "ContentService.ListChunks": {
    request: { uri: "ctx://resources/long.txt", limit: 1 },
    others: [{ uri: "ctx://resources/f0" }],
  },
  "ContentService.ListVersions": {
    request: { uri: "ctx://resources/changed.txt", limit: 1 },
    others: [{ uri: "ctx://resources/long.txt" }],
  },
  "FilesystemService.ListEntries": {
    request: { uri: "ctx://", recursive: true, node_limit: 1 },
    others: [
      { uri: "ctx://user" },
      { uri: "ctx://user/vic" },
      { recursive: false },
      { show_all_hidden: true },
    ],
  },
  "FilesystemService.ListTree": {
    request: { uri: "ctx://", level_limit: 0, node_limit: 1 },
    others: [{ uri: "ctx://user" }, { level_limit: 4 }, { show_all_hidden: true }],
  },
  "MemoryService.ListMemories": {
    request: { limit: 1 },
    others: [
      { category: "entities" },
      { text: "walrus" },
      { include_superseded: true },
      { as_of: "2030-01-01" },
    ],
  },
  "ObserverService.ListAudit": { request: { limit: 1 }, others: [], isAdministrative: true },
  "ObserverService.ListDeadLetters": { request: { limit: 1 }, others: [], isAdministrative: true },
  "SearchService.Grep": {
    request: { uri: "ctx://", pattern: "walrus", node_limit: 1 },
    others: [{ uri: "ctx://user" }, { pattern: "walrus." }, { case_insensitive: true }],
  },
  "SearchService.Glob": {
    request: { uri: "ctx://", pattern: "**", node_limit: 1 },
    others: [{ uri: "ctx://user" }, { pattern: "**/*" }],
  },
  "SessionService.ListSessions": { request: { limit: 1 }, others: [] },
  "SnapshotService.ListSnapshots": { request: { limit: 1 }, others: [] },
  "SnapshotService.ListSnapshotEntries": {
    request: { name: "kept", recursive: true, limit: 1 },
    others: [{ recursive: false }, { name: "kept-too" }],
  },
  "SnapshotService.DiffSnapshots": {
    request: { name: "kept", limit: 1 },
    others: [{ name: "kept-too" }, { to_snapshot: "kept-too" }],
  },
  "TaskService.ListTasks": { request: { limit: 1 }, others: [] },
  "TrashService.ListTrash": { request: { limit: 1 }, others: [] },
};

const METHODS = SERVICES.flatMap((service) => service.methods).flatMap(
  (method): [string, DescMethodUnary][] =>
    method.methodKind === "unary" && method.input.fields.some(({ name }) => name === "cursor")
      ? [[`${method.parent.name}.${method.name}`, method as DescMethodUnary]]
      : [],
);

const OF_USERS = METHODS.filter(([name]) => !LISTS[name]?.isAdministrative);

interface Person {
  readonly name: string;
  readonly headers: Record<string, string>;
}

let server: Served;
let clients: Client[];
let vic: Person;
let others: Person[];
/** An administrator, and administrators other than the caller. */
let chief: Person;
let otherChiefs: Person[];

async function register(account: string, user: string, role = "user"): Promise<Record<string, string>> {
  const made = await server.rest(ROOT_KEY, `POST admin/accounts/${account}/users`, { user_id: user, role });
  return { "x-api-key": (made.result as { user_key: string }).user_key };
}

/** Writes a file with several chunks in the account, short enough not to be cut into sections. */
const writeLong = (key: string) =>
  server.rest(key, "POST content/write", {
    uri: "ctx://resources/long.txt",
    content: "The owl is awake at night and sleeps by day. ".repeat(60),
    mode: "create",
    wait: true,
  });

/** Writes a file with two versions. */
async function writeTwice(key: string) {
  for (const mode of ["create", "replace"])
    await server.rest(key, "POST content/write", { uri: "ctx://resources/changed.txt", content: mode, mode });
}

/** Takes two snapshots of the user's own space with two files that have changed since. */
async function takeSnapshots(key: string, user: string, text: string) {
  const uris = [`ctx://user/${user}/kept-a.md`, `ctx://user/${user}/kept-b.md`];
  for (const uri of uris)
    await server.rest(key, "POST content/write", { uri, content: text, mode: "create" });
  for (const name of ["kept", "kept-too"])
    await server.rest(key, "POST snapshots", { name, uri: `ctx://user/${user}` });
  await server.rest(key, "POST fs/delete_many", { uris });
}

/**
 * Creates at least two files, sessions and tasks of one user, and for administrators everything they may
 * list.
 */
async function fill({ headers }: Person, user: string, text: string): Promise<void> {
  const key = headers["x-api-key"]!;
  await takeSnapshots(key, user, text);
  for (const name of ["a", "b", "xylographyvole"].slice(0, text === SECRET ? 3 : 2)) {
    await server.rest(key, "POST content/write", {
      uri: `ctx://user/${user}/memories/${name}.md`,
      content: text,
      mode: "create",
    });
    await server.rest(key, "POST memories", { statement: `${text} (${name})`, subject: name });
    // a grant that gives nobody else access, and an item in the trash
    await server.rest(key, "POST access/grants", {
      uri: `ctx://user/${user}/memories/${name}.md`,
      grantee_type: "agent",
      grantee_id: "nobody",
      level: "read",
    });
    const gone = `ctx://user/${user}/gone-${name}.md`;
    await server.rest(key, "POST content/write", { uri: gone, content: text, mode: "create" });
    await server.rest(key, `DELETE fs?uri=${encodeURIComponent(gone)}`);
    const session = ((await server.rest(key, "POST sessions")).result as { session_id: string }).session_id;
    await server.rest(key, `POST sessions/${session}/messages`, { role: "user", content: text });
    await server.rest(key, `POST sessions/${session}/commit`, { wait: false });
    // creates audit entries, since it is refused or administrative
    await server.rest(key, "GET admin/accounts");
    // creates a dead letter, since nobody answers at that address
    await server.rest(key, "POST resources", { path: "http://127.0.0.1:1/", wait: true });
  }
}

beforeAll(async () => {
  server = await serve({ CTXDB_URL_ALLOW_PRIVATE: "true" });
  clients = clientsOf(server.port);
  for (const account of ["acme", "other"])
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: account, admin_user_id: "boss" });
  vic = { name: "vic", headers: await register("acme", "vic") };
  await writeLong(vic.headers["x-api-key"]!);
  await writeTwice(vic.headers["x-api-key"]!);
  await fill(vic, "vic", SECRET);
  await Promise.all(
    Array.from({ length: FOLDERS }, (_, i) =>
      server.rest(vic.headers["x-api-key"]!, "POST fs/mkdir", { uri: `ctx://resources/f${i}` }),
    ),
  );
  const sibling = { name: "another user", headers: await register("acme", "sib") };
  const namesake = {
    name: "one of the same name in another account",
    headers: await register("other", "vic"),
  };
  await fill(sibling, "sib", "The walrus is away.");
  await fill(namesake, "vic", "The walrus is away.");
  await writeLong(namesake.headers["x-api-key"]!);
  await writeTwice(namesake.headers["x-api-key"]!);
  chief = { name: "chief", headers: await register("acme", "chief", "admin") };
  await fill(chief, "chief", "The walrus is away.");
  const admin = { name: "an ADMIN of the account", headers: await register("acme", "adm", "admin") };
  others = [
    sibling,
    namesake,
    admin,
    { name: "a user of another account", headers: await register("other", "eve") },
    { name: "the user with another agent", headers: { ...vic.headers, "x-ctx-agent": "helper" } },
    {
      name: "ROOT as the user",
      headers: { "x-api-key": ROOT_KEY, "x-ctx-account": "acme", "x-ctx-user": "vic" },
    },
  ];
  otherChiefs = [
    admin,
    {
      name: "an ADMIN of the same name in another account",
      headers: await register("other", "chief", "admin"),
    },
    { name: "the ADMIN with another agent", headers: { ...chief.headers, "x-ctx-agent": "helper" } },
    { name: "ROOT", headers: { "x-api-key": ROOT_KEY } },
    {
      name: "ROOT as the ADMIN",
      headers: { "x-api-key": ROOT_KEY, "x-ctx-account": "acme", "x-ctx-user": "chief" },
    },
  ];
  await server.rest(ROOT_KEY, "POST system/wait", {});
});
afterAll(() => server.close());

/** Who receives a list's cursors, and who misuses them. */
const partiesOf = (name: string): readonly [owner: Person, others: readonly Person[]] =>
  LISTS[name]!.isAdministrative ? [chief, otherChiefs] : [vic, others];

async function cursorOf(
  client: Client,
  method: DescMethodUnary,
  person: Person,
  request: JsonObject,
): Promise<string> {
  const { code, nextCursor } = await client.call(method, request, person.headers);
  expect([code, typeof nextCursor], `${client.name} ${method.name} is cut`).toEqual(["OK", "string"]);
  return nextCursor!;
}

/** Returns a request with a cursor for each list. */
async function cursorsOf(
  client: Client,
  person: Person,
  methods = METHODS,
): Promise<(readonly [DescMethodUnary, JsonObject])[]> {
  const requests: (readonly [DescMethodUnary, JsonObject])[] = [];
  for (const [name, method] of methods) {
    const { request } = LISTS[name]!;
    requests.push([method, { ...request, cursor: await cursorOf(client, method, person, request) }]);
  }
  return requests;
}

/** The answer to every cursor that the caller did not receive for this list. */
function expectRefused(outcome: Outcome, about: string): void {
  expect(JSON.stringify(outcome), about).not.toMatch(MARKER);
  const field = (outcome.details as JsonObject | undefined)?.field;
  expect(
    [outcome.code, field, /^cursor: /.test(outcome.message ?? "")],
    `${about}: ${JSON.stringify(outcome)}`,
  ).toEqual(["INVALID_ARGUMENT", "cursor", true]);
}

/** A cursor in the format of earlier servers, with a hash that anybody can compute. */
const marked = (list: string, place: string): string =>
  createHash("sha256").update(`${list}\n${place}`).digest("base64url").slice(0, 12) +
  Buffer.from(place).toString("base64url");

function* edited(cursor: string): Generator<string> {
  yield* [
    "",
    " ",
    "made-up",
    "null",
    "[]",
    "0",
    "A".repeat(100),
    "A".repeat(9000),
    "user/vic",
    "%00",
    "日本",
  ];
  for (const place of ["user/vic", "session/vic", "0/user/vic", '[0,"x"]', "no JSON"])
    for (const list of [
      "sessions",
      "tasks",
      "tree 0 false ctx://",
      "ls 0 false ctx://",
      "grep false ctx:// walrus",
      "glob ctx:// **",
    ])
      yield marked(list, place);
  for (const length of [1, 12, 16, 38, cursor.length - 1, cursor.length - 22]) yield cursor.slice(0, length);
  for (const more of ["A", "=", "AAAA", " ", cursor]) yield cursor + more;
  yield `A${cursor}`;
  yield cursor.slice(1);
}

const flipped = (cursor: string, at: number): string =>
  cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);

describe("the cursor of a list", () => {
  it("every list operation is covered by the cursor tests", () => {
    expect(METHODS.map(([name]) => name).sort()).toEqual(Object.keys(LISTS).sort());
  });

  it.each(METHODS)("a %s cursor continues the list of its caller on every protocol", async (name, method) => {
    const { request } = LISTS[name]!;
    const [owner] = partiesOf(name);
    for (const [at, client] of clients.entries()) {
      const cursor = await cursorOf(client, method, owner, request);
      const next = clients[(at + 1) % clients.length]!;
      const page = await next.call(method, { ...request, cursor }, owner.headers);
      expect(page.code, `${client.name} → ${next.name}`).toBe("OK");
      const larger = await next.call(
        method,
        { ...request, cursor, ...("limit" in request ? { limit: 9 } : { node_limit: 900 }) },
        owner.headers,
      );
      expect(larger.code).toBe("OK");
    }
  });

  it.each(METHODS)("a %s cursor is refused to every other caller on every protocol", async (name, method) => {
    const { request } = LISTS[name]!;
    const [owner, takers] = partiesOf(name);
    for (const client of clients) {
      const cursor = await cursorOf(client, method, owner, request);
      for (const other of takers)
        expectRefused(
          await client.call(method, { ...request, cursor }, other.headers),
          `${client.name}, ${other.name}`,
        );
    }
  });

  it.each(METHODS)(
    "a %s cursor is refused with other arguments and by other lists on every protocol",
    async (name, method) => {
      const { request, others: arguments_ } = LISTS[name]!;
      const [owner] = partiesOf(name);
      for (const client of clients) {
        const cursor = await cursorOf(client, method, owner, request);
        for (const changed of arguments_) {
          const outcome = await client.call(method, { ...request, ...changed, cursor }, owner.headers);
          expectRefused(outcome, `${client.name} ${JSON.stringify(changed)}`);
        }
        const ofChief = await cursorOf(client, method, chief, request);
        for (const [other, otherMethod] of METHODS) {
          if (other === name) continue;
          const asked = { ...LISTS[other]!.request, cursor: ofChief };
          const outcome = await client.call(otherMethod, asked, chief.headers);
          expectRefused(outcome, `${client.name} ${other}`);
        }
      }
    },
  );

  it.each(METHODS)(
    "a tampered %s cursor, and any text that is not a cursor, is refused on every protocol",
    async (name, method) => {
      const { request } = LISTS[name]!;
      const [owner] = partiesOf(name);
      for (const client of clients) {
        const cursor = await cursorOf(client, method, owner, request);
        for (const text of edited(cursor))
          expectRefused(
            await client.call(method, { ...request, cursor: text }, owner.headers),
            `${client.name} ${JSON.stringify(text)}`,
          );
      }
      const [client] = clients as [Client];
      const cursor = await cursorOf(client, method, owner, request);
      for (let at = 0; at < cursor.length; at++)
        expectRefused(
          await client.call(method, { ...request, cursor: flipped(cursor, at) }, owner.headers),
          `character ${at}`,
        );
    },
  );

  it("a cursor is refused after the role of its user has changed", async () => {
    const person = { name: "pat", headers: await register("acme", "pat") };
    await fill(person, "pat", "The walrus is away.");
    const [client] = clients as [Client];
    const cursors = await cursorsOf(client, person, OF_USERS);
    await server.rest(ROOT_KEY, "PUT admin/accounts/acme/users/pat/role", { role: "admin" });
    for (const [method, request] of cursors)
      expectRefused(await client.call(method, request, person.headers), method.name);
  });

  it("a cursor is refused to a user who was registered again under the same name", async () => {
    const before = { name: "rob", headers: await register("acme", "rob", "admin") };
    await fill(before, "rob", "The walrus is away.");
    const [client] = clients as [Client];
    const cursors = await cursorsOf(client, before);
    await server.rest(ROOT_KEY, "DELETE admin/accounts/acme/users/rob");
    const after = { name: "rob", headers: await register("acme", "rob", "admin") };
    await fill(after, "rob", "The walrus is away.");
    for (const [method, request] of cursors)
      expectRefused(await client.call(method, request, after.headers), method.name);
  });

  it("a cursor is refused to a new account of the same name", async () => {
    const ofNewborn = async (): Promise<Person> => {
      await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "born", admin_user_id: "boss" });
      const person = { name: "vic", headers: await register("born", "vic", "admin") };
      await writeLong(person.headers["x-api-key"]!);
      await writeTwice(person.headers["x-api-key"]!);
      await fill(person, "vic", "The walrus is away.");
      return person;
    };
    const before = await ofNewborn();
    const [client] = clients as [Client];
    const cursors = await cursorsOf(client, before);
    await server.rest(ROOT_KEY, "DELETE admin/accounts/born");
    const after = await ofNewborn();
    for (const [method, request] of cursors)
      expectRefused(await client.call(method, request, after.headers), method.name);
  });

  it("a cursor stays valid over a restart of the server", async () => {
    const cursors = await cursorsOf(clients[0]!, chief);
    await server.restart();
    clients = clientsOf(server.port);
    for (const [method, request] of cursors)
      expect((await clients[0]!.call(method, request, chief.headers)).code).toBe("OK");
  });
});

describe("the cursor of an MCP list", () => {
  /** Tools that return cursors, with arguments whose answer is cut, and with arguments for another list. */
  const TOOLS: readonly [tool: string, args: JsonObject, other: JsonObject][] = [
    ["ls", { uri: "ctx://", depth: 0, limit: 2 }, { depth: 3 }],
    ["glob", { uri: "ctx://", pattern: "**", limit: 2 }, { pattern: "**/*" }],
  ];
  const cursorIn = (text: string): string => /continue with cursor (\S+)\]$/.exec(text)![1]!;

  async function expectToolRefuses(session: McpSession, tool: string, args: JsonObject): Promise<void> {
    const { text, isError } = await session.tool(tool, args);
    expect(text).not.toMatch(MARKER);
    expect([isError, /INVALID_ARGUMENT: cursor: /.test(text)], text).toEqual([true, true]);
  }

  it.each(TOOLS)(
    "an MCP cursor of %s is refused for other callers, for other arguments, and when edited",
    async (tool, args, changed) => {
      const own = await mcpOver(server.port, vic.headers);
      const cursor = cursorIn((await own.tool(tool, args)).text);
      expect((await own.tool(tool, { ...args, cursor })).isError).toBe(false);
      await expectToolRefuses(own, tool, { ...args, ...changed, cursor });
      for (const text of edited(cursor)) await expectToolRefuses(own, tool, { ...args, cursor: text });
      for (const [other, otherArgs] of TOOLS)
        if (other !== tool) await expectToolRefuses(own, other, { ...otherArgs, cursor });
      await expectToolRefuses(own, "grep", { uri: "ctx://", pattern: "walrus", cursor });
      for (const { headers } of others)
        await expectToolRefuses(await mcpOver(server.port, headers), tool, { ...args, cursor });
    },
  );

  it("a cursor of MCP resources/list is refused for other callers, for other lists, and when edited", async () => {
    const own = await mcpOver(server.port, vic.headers);
    const { nextCursor: cursor = "" } = await own.client.listResources();
    expect((await own.client.listResources({ cursor })).resources.length).toBeGreaterThan(0);
    const refusal = { code: -32_602, data: { code: "INVALID_ARGUMENT", details: { field: "cursor" } } };
    for (const text of edited(cursor))
      await expect(own.client.listResources({ cursor: text }), text).rejects.toMatchObject(refusal);
    const ofTool = cursorIn((await own.tool("ls", { uri: "ctx://resources", depth: 1, limit: 2 })).text);
    await expect(own.client.listResources({ cursor: ofTool })).rejects.toMatchObject(refusal);
    for (const { name, headers } of others) {
      const session = await mcpOver(server.port, headers);
      await expect(session.client.listResources({ cursor }), name).rejects.toMatchObject(refusal);
    }
  });
});
