import { once } from "node:events";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ROOT_KEY as SERVER_KEY, Server } from "../crash/server.ts";
import { ctxdb } from "../support/command-line.ts";
import { hasPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { hasS3, type S3Server, startS3 } from "../support/s3.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIMIT_MS = 120_000;
const FILES = 12;
const WRITES = 60;
const largeOf = (i: number) => `A heron stands in reed bed ${i}.\n`.repeat(800);
const READ_ONE = `GET content/read?uri=${encodeURIComponent("ctx://resources/birds/1.md")}`;
const uriOf = (i: number) => `ctx://resources/birds/${i}.md`;

describe.runIf(hasPostgres && hasS3)("servers over one PostgreSQL and one bucket", () => {
  let postgres: Postgres;
  let s3: S3Server;
  let settings: Readonly<Record<string, string>>;
  let tests = 0;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  });
  beforeEach(async () => {
    settings = {
      CTXDB_STORE: await postgres.empty(),
      // long enough not to expire between renewals, however busy the machine
      CTXDB_LEASE_SECONDS: "30",
      // low, so that the index of these files is sealed
      CTXDB_SEAL_DOCS: "8",
      ...s3.settings(`test-${tests++}`),
    };
  });
  afterAll(async () => {
    await postgres?.stop();
    await s3?.stop();
  });

  async function open(other: Record<string, string | undefined> = {}): Promise<Served> {
    const served = await serve({ ...settings, ...other });
    onTestFinished(() => served.close().catch(() => undefined));
    return served;
  }

  const write = (served: Served, uri: string, content: string) =>
    served.rest(ROOT_KEY, "POST content/write", { uri, content, mode: "create" });
  const read = (served: Served, uri: string) =>
    served.rest(ROOT_KEY, `GET content/read?uri=${encodeURIComponent(uri)}`);

  it("a second server with an empty disk serves everything that the first one stored and indexed", {
    timeout: LIMIT_MS,
  }, async () => {
    const [one, two] = [await open(), await open()];
    for (let i = 0; i < FILES; i++) expect((await write(one, uriOf(i), largeOf(i))).http).toBe(200);
    expect((await one.rest(ROOT_KEY, "POST system/wait", { timeout: 60 })).http).toBe(200);
    expect((await read(two, uriOf(1))).result).toContain("reed bed 1.");
    await one.close();
    for (let i = 0; i < FILES; i++)
      expect((await read(two, uriOf(i))).result).toContain(`A heron stands in reed bed ${i}.`);
    const found = await two.rest(ROOT_KEY, "POST search/find", { query: "heron in reed bed 7" });
    expect(JSON.stringify(found.result)).toContain(uriOf(7));
    expect((await write(two, "ctx://resources/more.md", largeOf(99))).http).toBe(200);
    const again = await open();
    expect((await read(again, uriOf(1))).result).toContain("reed bed 1.");
    await two.close();
    expect((await read(again, "ctx://resources/more.md")).result).toContain("reed bed 99");
  });

  it("a server that takes over from a killed owner has all acknowledged writes made through itself", {
    timeout: LIMIT_MS,
  }, async () => {
    const folder = await temporaryFolder();
    const sources = folder.path;
    const short = { CTXDB_LEASE_SECONDS: "4" };
    const killed = new Server({
      dataDir: folder.path,
      sources,
      fromSource: true,
      settings: { ...settings, ...short },
    });
    onTestFinished(async () => {
      await killed.kill();
      await folder.remove();
    });
    const port = (await killed.ready()) ?? 0;
    const two = await open({ CTXDB_ROOT_API_KEY: SERVER_KEY, ...short });
    const create = (at: number, i: number) =>
      fetch(`http://127.0.0.1:${at}/api/v1/content/write`, {
        method: "POST",
        headers: { "X-API-Key": SERVER_KEY, "Content-Type": "application/json" },
        body: JSON.stringify({ uri: uriOf(i), content: i % 3 ? `Bird ${i}.` : largeOf(i), mode: "create" }),
      });
    // the server that creates an account owns it
    expect((await create(port, 0)).status).toBe(200);
    const acknowledged = [0];
    const writing = Array.from({ length: 4 }, async (_, caller) => {
      for (let i = caller + 1; acknowledged.length < WRITES; i += 4) {
        const answer = await create(two.port, i);
        // calls that were under way at the moment of the kill
        if (answer.status !== 200) continue;
        acknowledged.push(i);
        if (acknowledged.length === WRITES / 2) killed.signal("SIGKILL");
      }
    });
    await Promise.all(writing);
    const ask = (call: string, body?: object) => two.rest(SERVER_KEY, call, body);
    for (const i of acknowledged) {
      const { result } = await ask(`GET content/read?uri=${encodeURIComponent(uriOf(i))}`);
      expect(result).toContain(i % 3 ? `Bird ${i}.` : `reed bed ${i}.`);
    }
  });

  interface State {
    readonly number: number;
    readonly url: string;
    readonly is_draining: boolean;
    readonly accounts: readonly string[];
  }

  async function members(served: Served) {
    const { result } = await served.rest(ROOT_KEY, "GET observer/members");
    return result as { readonly members: readonly State[]; readonly hand_overs: readonly object[] };
  }

  /** A server as recorded in the store. */
  async function stateOf(server: Served, asked = server): Promise<State> {
    const found = (await members(asked)).members.find(({ url }) => url.endsWith(`:${server.port}`));
    if (!found) throw new Error("the server is not a member");
    return found;
  }

  async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found) return found;
    }
  }

  const createAccount = async (served: Served, account: string): Promise<string> => {
    const body = { account_id: account, admin_user_id: "ann" };
    const { result } = await served.rest(ROOT_KEY, "POST admin/accounts", body);
    return (result as { user_key: string }).user_key;
  };

  it("no call fails and no write is lost or doubled during repeated hand-overs of an account", {
    timeout: LIMIT_MS,
  }, async () => {
    const servers = [await open(), await open()];
    const [one, two] = servers as [Served, Served];
    const key = await createAccount(one, "acme");
    const uri = "ctx://resources/log.md";
    await one.rest(key, "POST content/write", { uri, content: "", mode: "create" });
    let isOver = false;
    const written: string[] = [];
    const faults: unknown[] = [];
    const writing = servers.map(async (server, caller) => {
      for (let i = 0; !isOver; i++) {
        const line = `${caller}-${i}\n`;
        const body = { uri, content: line, mode: "append" };
        const { http, error } = await server.rest(key, "POST content/write", body);
        if (http === 200) written.push(line);
        else faults.push(error);
      }
    });
    try {
      for (let move = 0; move < 4; move++) {
        const [to, asked] = move % 2 === 0 ? [two, one] : [one, two];
        const { number } = await stateOf(to, asked);
        const call = `POST observer/members/${number}/move`;
        expect((await asked.rest(ROOT_KEY, call, { account_id: "acme" })).result).toEqual({
          is_there: false,
        });
        await until(async () => (await stateOf(to, asked)).accounts.includes("acme"));
        expect((await to.rest(ROOT_KEY, call, { account_id: "acme" })).result).toEqual({ is_there: true });
      }
    } finally {
      isOver = true;
      await Promise.all(writing);
    }
    const { result } = await two.rest(key, `GET content/read?uri=${encodeURIComponent(uri)}`);
    expect(faults).toEqual([]);
    const lines = String(result).split("\n").filter(Boolean);
    expect(lines.sort()).toEqual(written.map((line) => line.trim()).sort());
    expect(written.length).toBeGreaterThan(20);
    expect((await one.rest(key, "POST system/wait", { timeout: 60 })).http).toBe(200);
  });

  it("a hand-over waits for a call whose body is still arriving, and ends only streams", {
    timeout: LIMIT_MS,
  }, async () => {
    const [one, two] = [await open(), await open()];
    const key = await createAccount(one, "acme");
    const { number } = await stateOf(two);
    const root = `http://127.0.0.1:${one.port}/api/v1`;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const changes = await fetch(`${root}/changes`, { headers: { ...headers, accept: "text/event-stream" } });
    const files = [1, 2].map((i) => ({ uri: uriOf(i), content: largeOf(i), mode: "create" }));
    const body = JSON.stringify({ files });
    const writing = request(`${root}/content/write_many`, {
      method: "POST",
      headers: { ...headers, "content-length": body.length, expect: "100-continue" },
    });
    onTestFinished(() => void writing.destroy());
    const answered = once(writing, "response");
    answered.catch(() => undefined);
    writing.flushHeaders();
    // the server asks for the body after it has let the call in
    await once(writing, "continue");
    const move = `POST observer/members/${number}/move`;
    expect((await one.rest(ROOT_KEY, move, { account_id: "acme" })).http).toBe(200);
    expect(await changes.text()).toContain("UNAVAILABLE");
    writing.end(body);
    const [answer] = await answered;
    expect([answer.statusCode, (await json(answer)) as object]).toMatchObject([200, { status: "ok" }]);
    await until(async () => (await stateOf(two)).accounts.includes("acme"));
    expect((await two.rest(key, READ_ONE)).result).toContain("reed bed 1.");
  });

  it("a drained server hands over all its accounts and takes no others, until draining is cancelled", {
    timeout: LIMIT_MS,
  }, async () => {
    const one = await open();
    const refused = await one.rest(
      ROOT_KEY,
      `POST observer/members/${(await stateOf(one)).number}/drain`,
      {},
    );
    expect(refused.error?.code).toBe("FAILED_PRECONDITION");
    const keys = new Map<string, string>();
    for (let i = 0; i < 6; i++) keys.set(`acme-${i}`, await createAccount(one, `acme-${i}`));
    for (const key of keys.values())
      await one.rest(key, "POST content/write", { uri: uriOf(1), content: largeOf(1), mode: "create" });
    const two = await open();
    const { number } = await stateOf(one);
    const drained = await two.rest(ROOT_KEY, `POST observer/members/${number}/drain`, {});
    expect(drained.result).toMatchObject({ number, is_draining: true });
    await until(async () => (await stateOf(one, two)).accounts.length === 0);
    expect((await stateOf(two)).accounts).toHaveLength(keys.size);
    for (const key of keys.values()) expect((await one.rest(key, READ_ONE)).result).toContain("reed bed 1.");
    expect((await stateOf(one)).accounts).toEqual([]);
    const target = await one.rest(ROOT_KEY, `POST observer/members/${number}/move`, { account_id: "acme-1" });
    expect(target.error?.code).toBe("FAILED_PRECONDITION");
    const cancelled = await one.rest(ROOT_KEY, `POST observer/members/${number}/drain`, { cancel: true });
    expect(cancelled.result).toMatchObject({ is_draining: false });
    const env = { CTXDB_ADDRESS: `http://127.0.0.1:${two.port}`, CTXDB_API_KEY: ROOT_KEY };
    const moved = await ctxdb(["cluster", "move", "acme-1", String(number)], { env });
    expect(moved).toEqual({ code: 0, out: `acme-1 is at server ${number}\n`, err: "" });
    expect((await stateOf(one)).accounts).toEqual(["acme-1"]);
    const listed = await ctxdb(["cluster"], { env });
    expect(listed.out).toMatch(/ready +acme-1$/m);
    expect(listed.err).toContain("2 servers; server");
    expect((await ctxdb(["cluster", "drain", String(number)], { env })).out).toBe(
      `server ${number} has no accounts\n`,
    );
    await ctxdb(["cluster", "drain", String(number), "--cancel"], { env });
    expect((await ctxdb(["cluster", "move", "acme-1", "99"], { env })).err).toContain(
      "server 99 does not run",
    );
    await ctxdb(["cluster", "move", "acme-1", String(number)], { env });
    // a server that stops hands its workspaces over even if nobody calls
    await one.close();
    await until(async () => (await stateOf(two)).accounts.includes("acme-1"));
    await until(async () => (await members(two)).hand_overs.length === 0);
    const metrics = await fetch(`http://127.0.0.1:${two.port}/metrics`, {
      headers: { "x-api-key": ROOT_KEY },
    });
    expect(await metrics.text()).toContain("ctxdb_cluster_draining 0");
  });

  it("a server that joins a store receives its share of the accounts", { timeout: LIMIT_MS }, async () => {
    const balance = { CTXDB_BALANCE_SECONDS: "1" };
    const one = await open(balance);
    const keys: string[] = [];
    for (let i = 0; i < 6; i++) keys.push(await createAccount(one, `acme-${i}`));
    const two = await open(balance);
    await until(async () => (await stateOf(two)).accounts.length === 3);
    expect((await stateOf(one)).accounts).toHaveLength(3);
    const body = { uri: uriOf(1), content: "A stork.\n", mode: "create" };
    for (const key of keys) expect((await one.rest(key, "POST content/write", body)).http).toBe(200);
  });

  it("a server with wrong settings for the object store is refused with the reason", async () => {
    await (await open()).close();
    const alone = Object.fromEntries(
      Object.keys(settings).map((name) => [
        name,
        name.startsWith("CTXDB_OBJECTS") ? undefined : settings[name],
      ]),
    );
    await expect(open(alone)).rejects.toThrow(/contents of the store are in s3:.*set CTXDB_OBJECTS/);
    await expect(open({ ...s3.settings("elsewhere") })).rejects.toThrow("not in s3://contents/elsewhere");
    await expect(open({ CTXDB_OBJECTS_SECRET_KEY: "wrong" })).rejects.toThrow("keys may not use");
    await expect(open({ CTXDB_OBJECTS_ENDPOINT: "http://127.0.0.1:1" })).rejects.toThrow(
      "http://127.0.0.1:1 does not answer",
    );
    const other = { CTXDB_STORE: await postgres.empty(), CTXDB_OBJECTS: "s3://missing/x" };
    await expect(open(other)).rejects.toThrow("there is no bucket missing");
  });

  it("without its object store, a server stores small files, answers searches, and refuses large files", {
    timeout: LIMIT_MS,
  }, async () => {
    const gone = await startS3();
    const one = await open(gone.settings("gone"));
    expect((await write(one, uriOf(1), largeOf(1))).http).toBe(200);
    await gone.stop();
    expect((await write(one, uriOf(2), largeOf(2))).error?.code).toBe("UNAVAILABLE");
    expect((await write(one, uriOf(3), "A stork.\n")).http).toBe(200);
    expect((await read(one, uriOf(1))).result).toContain("reed bed 1.");
    const found = await one.rest(ROOT_KEY, "POST search/find", { query: "stork" });
    expect(JSON.stringify(found.result)).toContain(uriOf(3));
  });
});
