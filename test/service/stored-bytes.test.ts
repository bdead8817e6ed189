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

/** Writes files until one is refused; their names and the refusal. */
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

/** What disagrees with the records, once the server has ended. */
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
    const { names } = await fill("other");
    const form = new FormData();
    form.append("file", new Blob([CONTENT]), "upload.txt");
    const uploaded = await served.rest(ROOT_KEY, "POST resources/temp_upload", form);
    expect([uploaded.http, uploaded.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    const session = await served.rest(ROOT_KEY, "POST sessions", {});
    const { session_id } = session.result as { session_id: string };
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
    // the records of removed files are purged in the background, and system/wait does not wait for that
    await vi.waitFor(
      async () => expect(await use(20)).toMatchObject({ http: 200, result: { contexts_used: 20 } }),
      { timeout: 30_000, interval: 50 },
    );
    expect(await findings()).toEqual([]);
  }, 60_000);

  it("the stored-bytes quota bounds every account by itself", async () => {
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
