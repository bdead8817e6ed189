import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";

const LIMIT = 400_000;
const CONTENT = "a line of a text that is long\n".repeat(3000);

let served: Served;
beforeAll(async () => {
  served = await serve({ CTXDB_MAX_STORED_BYTES_PER_ACCOUNT: String(LIMIT) });
  await served.rest(ROOT_KEY, "POST sessions", { session_id: "talk" });
});
afterAll(() => served.close());

const create = (name: string, content = CONTENT, headers = {}) =>
  served.rest(
    ROOT_KEY,
    "POST content/write",
    { uri: `ctx://resources/${name}`, content, mode: "create" },
    headers,
  );
const remove = (name: string) => served.rest(ROOT_KEY, `DELETE fs?uri=ctx://resources/${name}`);
const drained = () => served.rest(ROOT_KEY, "POST system/wait", { timeout: 50 });

/** Writes files until one is refused; returns their names and the refusal. */
async function fill(prefix: string) {
  const names: string[] = [];
  for (let i = 0; i < 20; i++) {
    const name = `${prefix}${i}.txt`;
    const answer = await create(name, `${i} ${CONTENT}`);
    if (answer.http !== 200) return { names, refusal: answer };
    names.push(name);
  }
  throw new Error("nothing was refused");
}

/** Returns what disagrees with the records after the server has stopped. */
async function findings(): Promise<string[]> {
  let found: string[] = [];
  await served.restart(async () => {
    found = await verifyFolder(served.dataDir, { log: silentLog, now: Date.now });
  });
  return found;
}

describe("the quota of stored bytes of an account", () => {
  it("writes above the stored-bytes quota are refused with the figures, and deleting makes room", async () => {
    const { names, refusal } = await fill("file");
    // a file and its sections
    expect(names.length).toBe(Math.floor(LIMIT / (2 * CONTENT.length)));
    expect([refusal.http, refusal.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    const { used, more, limit, unit } = (refusal.error?.details ?? {}) as Record<string, number>;
    expect({ limit, unit }).toEqual({ limit: LIMIT, unit: "bytes" });
    expect(used! + more!).toBeGreaterThan(LIMIT);
    expect(refusal.error?.details).not.toHaveProperty("retry_after");
    expect(refusal.error?.message).toMatch(/CTXDB_MAX_STORED_BYTES_PER_ACCOUNT.*delete files/);
    expect(await findings()).toEqual([]);
    expect((await create("again.txt")).http).toBe(429);
    for (const name of names) expect((await remove(name)).http).toBe(200);
    await drained();
    expect((await create("again.txt")).http).toBe(200);
    expect(await findings()).toEqual([]);
    expect((await remove("again.txt")).http).toBe(200);
    await drained();
  }, 60_000);

  it("the stored-bytes quota includes uploads, messages and small files", async () => {
    const session = await served.rest(ROOT_KEY, "POST sessions", {});
    const { session_id } = session.result as { session_id: string };
    const { names } = await fill("other");
    const form = new FormData();
    form.append("file", new Blob([CONTENT]), "upload.txt");
    const uploaded = await served.rest(ROOT_KEY, "POST resources/temp_upload", form);
    expect([uploaded.http, uploaded.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    const said = { role: "user", content: CONTENT };
    expect((await served.rest(ROOT_KEY, `POST sessions/${session_id}/messages`, said)).error?.code).toBe(
      "RESOURCE_EXHAUSTED",
    );
    let small = 200;
    for (let i = 0; i < 2000 && small === 200; i++)
      small = (await create(`small${i}.txt`, "x".repeat(500))).http;
    expect(small).toBe(429);
    for (const name of names) await remove(name);
    await drained();
    expect(await findings()).toEqual([]);
  }, 60_000);

  it("the stored-bytes quota covers relations and used contexts", async () => {
    const { names } = await fill("rest");
    let small = 200;
    for (let i = 0; i < 2000 && small === 200; i++)
      small = (await create(`tiny${i}.txt`, "x".repeat(500))).http;
    const [from_uri, to_uri] = names.map((name) => `ctx://resources/${name}`);
    const link = { from_uri, to_uri, reason: "r".repeat(1000) };
    expect((await served.rest(ROOT_KEY, "POST relations/link", link)).error?.code).toBe("RESOURCE_EXHAUSTED");
    const contexts = Array.from({ length: 1000 }, (_, i) => `ctx://resources/${"u".repeat(200)}${i}`);
    const use = (count: number) =>
      served.rest(ROOT_KEY, "POST sessions/talk/used", { contexts: contexts.slice(0, count) });
    expect((await use(20)).error?.code).toBe("RESOURCE_EXHAUSTED");
    expect((await use(1000)).error?.code).toBe("RESOURCE_EXHAUSTED");
    for (const name of names) await remove(name);
    await served.rest(ROOT_KEY, "DELETE trash");
    // the records of removed files are purged in the background, which system/wait does not wait for
    await vi.waitFor(
      async () => expect(await use(20)).toMatchObject({ http: 200, result: { contexts_used: 20 } }),
      { timeout: 30_000, interval: 50 },
    );
    expect(await findings()).toEqual([]);
  }, 60_000);

  it("the stored-bytes quota covers descriptions of folders", async () => {
    let http = 200;
    for (let i = 0; i < 40 && http === 200; i++) {
      const uri = `ctx://resources/told/${i}`;
      ({ http } = await served.rest(ROOT_KEY, "POST fs/mkdir", { uri, description: `${i} `.repeat(5000) }));
    }
    expect(http).toBe(429);
    expect((await served.rest(ROOT_KEY, "DELETE fs?uri=ctx://resources/told&recursive=true")).http).toBe(200);
    await served.rest(ROOT_KEY, "DELETE trash");
    await drained();
    expect(await findings()).toEqual([]);
  }, 60_000);

  it("the stored-bytes quota applies to each account separately", async () => {
    await fill("own");
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "other",
      admin_user_id: "o",
    });
    const { user_key } = made.result as { user_key: string };
    const uri = "ctx://resources/a.txt";
    expect(
      (await served.rest(user_key, "POST content/write", { uri, content: CONTENT, mode: "create" })).http,
    ).toBe(200);
  });
});

describe("the quotas of one account", () => {
  let ann: string;
  let bob: string;
  beforeAll(async () => {
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "quoted",
      admin_user_id: "ann",
    });
    ann = (made.result as { user_key: string }).user_key;
    const added = await served.rest(ann, "POST admin/accounts/quoted/users", { user_id: "bob" });
    bob = (added.result as { user_key: string }).user_key;
  });

  const set = (quotas: object, key = ROOT_KEY) =>
    served.rest(key, "PUT admin/accounts/quoted/quotas", quotas);
  const write = (name: string) =>
    served.rest(bob, "POST content/write", {
      uri: `ctx://resources/${name}`,
      content: CONTENT,
      mode: "create",
    });
  const usage = async (key = bob, call = "GET system/usage") => {
    const { result } = await served.rest(key, call);
    const { resources } = result as { resources: { resource: string; used: number; limit?: number }[] };
    return Object.fromEntries(resources.map(({ resource, ...one }) => [resource, one]));
  };

  it("usage shows the stored bytes and limits of an account to its own users and to ROOT only", async () => {
    expect(await usage()).toMatchObject({
      stored_bytes: { used: 0, limit: LIMIT, unit: "bytes", source: "server" },
      version_bytes: { used: 0, limit: LIMIT / 4 },
      nodes: { used: 0, unit: "nodes", source: "server" },
      chunks: { used: 0 },
      model_tokens_per_day: { used: 0, resets_at: expect.stringMatching(/T00:00:00.000Z$/) },
      queued_bytes: { limit: expect.any(Number) },
      queued_jobs: { limit: 100_000 },
    });
    expect((await write("a.txt")).http).toBe(200);
    await drained();
    const { stored_bytes, nodes, chunks, requests_per_minute } = await usage();
    expect(stored_bytes?.used).toBeGreaterThan(CONTENT.length);
    expect(nodes?.used).toBeGreaterThan(1);
    expect(chunks?.used).toBeGreaterThan(1);
    expect(nodes).not.toHaveProperty("limit");
    expect(requests_per_minute).toMatchObject({ unit: "requests", source: "server" });
    for (const key of [ann, ROOT_KEY])
      expect(await usage(key, "GET admin/accounts/quoted/usage")).toMatchObject({
        stored_bytes,
        nodes,
        chunks,
      });
    for (const key of [ann, bob])
      for (const call of ["GET admin/accounts/other/usage", "GET system/usage?account_id=missing"])
        expect((await served.rest(key, call)).error?.code, call).toBe("PERMISSION_DENIED");
    expect((await served.rest(ROOT_KEY, "GET admin/accounts/missing/usage")).error?.code).toBe("NOT_FOUND");
  });

  it("a quota below the current use refuses growth, but content can be read and deleted", async () => {
    const before = await usage();
    const limit = before.nodes!.used - 1;
    expect((await set({ nodes: limit, chunks: 1_000_000, stored_bytes: 0 })).result).toEqual({
      account_id: "quoted",
      nodes: limit,
      chunks: 1_000_000,
      stored_bytes: 0,
    });
    const { http, error } = await write("b.txt");
    expect([http, error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    expect(error?.details).toMatchObject({ resource: "nodes", unit: "nodes", used: limit + 1, limit });
    expect(error?.message).toContain("a quota of the account");
    expect(await usage()).toMatchObject({
      nodes: { used: limit + 1, limit, source: "quota" },
      chunks: { limit: 1_000_000, source: "quota" },
      stored_bytes: { source: "quota" },
    });
    expect((await usage()).stored_bytes).not.toHaveProperty("limit");
    expect((await served.rest(bob, "GET content/read?uri=ctx://resources/a.txt")).result).toBe(CONTENT);
    expect(await findings()).toEqual([]);
    expect((await write("b.txt")).error?.details).toMatchObject({ resource: "nodes", limit });
    expect((await set({ chunks: before.chunks!.used })).http).toBe(200);
    expect((await write("b.txt")).error?.details).toMatchObject({ resource: "chunks" });
    expect((await set({ stored_bytes: 1 })).http).toBe(200);
    const { error: tooLarge } = await write("b.txt");
    expect(tooLarge?.details).toMatchObject({ resource: "storage", unit: "bytes", limit: 1 });
    expect(tooLarge?.message).toContain("a quota of the account");
    expect((await served.rest(bob, "DELETE fs?uri=ctx://resources/a.txt")).http).toBe(200);
    expect((await set({})).result).toEqual({ account_id: "quoted" });
    expect((await write("b.txt")).http).toBe(200);
    expect((await usage()).stored_bytes).toMatchObject({ limit: LIMIT, source: "server" });
  }, 60_000);

  it("requests above the quota per minute are refused, except the one that raises the quota", async () => {
    await set({ requests_per_minute: 3 });
    const answers = [];
    // a new minute may begin once in between
    for (let i = 0; i < 8; i++) answers.push(await served.rest(bob, "GET system/status"));
    const refused = answers.find(({ http }) => http === 429);
    expect(refused?.error).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      details: { resource: "requests", limit: 3 },
    });
    expect(refused?.error?.details).toHaveProperty("retry_after");
    expect((await usage()).requests_per_minute).toMatchObject({ limit: 3, source: "quota" });
    expect((await served.rest(ROOT_KEY, "GET system/status")).http).toBe(200);
    await set({ requests_per_minute: 0 });
    expect((await served.rest(bob, "GET system/status")).http).toBe(200);
    await set({});
  });

  it.each([-1, 1.5, 2 ** 53])("a quota of %s is refused", async (nodes) => {
    expect((await set({ nodes })).error).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "nodes" },
    });
  });

  it("changes of quotas are in the audit log, including refused ones", async () => {
    expect((await set({ nodes: 0 }, ann)).error?.code).toBe("PERMISSION_DENIED");
    const { result } = await served.rest(ROOT_KEY, "GET observer/audit?limit=100");
    const { entries } = result as { entries: object[] };
    for (const code of ["OK", "PERMISSION_DENIED"])
      expect(entries).toContainEqual(
        expect.objectContaining({ operation: "AccountService.SetQuotas", code, subject: "quoted" }),
      );
  });
});
