import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { workspaceId } from "../../src/domain/ids.ts";
import { LevelFile } from "../../src/storage/level/level-file.ts";
import { Connection } from "../../src/storage/postgres/connection.ts";
import { migrate } from "../../src/storage/postgres/migrate.ts";
import { openShared } from "../../src/storage/postgres/open.ts";
import { FORMAT } from "../../src/storage/postgres/schema.ts";
import { ROOT_KEY as SERVER_KEY, Server } from "../crash/server.ts";
import { execute, hasPostgres, type Postgres, rowsOf, startPostgres } from "../support/postgres.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LARGE = "A heron stands in the reeds.\n".repeat(2000);
const FORMER = new URL("../fixtures/store-format-1.sql", import.meta.url);
const LIMIT_MS = 60_000;

describe.runIf(hasPostgres)("a server whose records are in PostgreSQL", () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.empty();
  });
  afterAll(() => postgres?.stop());

  async function open(settings: Record<string, string> = {}): Promise<Served> {
    const served = await serve({ CTXDB_STORE: url, ...settings });
    onTestFinished(() => served.close());
    return served;
  }

  const write = (served: Served, uri: string, content: string, key = ROOT_KEY) =>
    served.rest(key, "POST content/write", { uri, content, mode: "create", wait: true });
  const read = async (served: Served, uri: string, key = ROOT_KEY) =>
    (await served.rest(key, `GET content/read?uri=${encodeURIComponent(uri)}`)).result;

  it("a server over PostgreSQL has all acknowledged writes after a restart, with or without its copy", async () => {
    const served = await open();
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    const { user_key: key = "" } = made.result as { user_key?: string };
    expect((await write(served, "ctx://resources/small.md", "A stork.\n", key)).http).toBe(200);
    expect((await write(served, "ctx://resources/large.md", LARGE, key)).http).toBe(200);
    for (const between of [undefined, () => rm(join(served.dataDir, "copy"), { recursive: true })]) {
      await served.restart(between);
      expect(await read(served, "ctx://resources/small.md", key)).toContain("A stork.");
      expect(await read(served, "ctx://resources/large.md", key)).toContain("A heron stands");
      const found = await served.rest(key, "POST search/find", { query: "heron in the reeds" });
      expect(JSON.stringify(found.result)).toContain("ctx://resources/large.md");
      const { result } = await served.rest(ROOT_KEY, "GET admin/accounts");
      expect(JSON.stringify(result)).toContain("acme");
    }
  });

  it("without its store, a server answers reads until its lease ends, then UNAVAILABLE", async () => {
    const served = await open({ CTXDB_LEASE_SECONDS: "2" });
    await write(served, "ctx://resources/a.md", "A stork.\n");
    await postgres.pause();
    const codes: (string | undefined)[] = [];
    const readOnce = async () => {
      const { error } = await served.rest(ROOT_KEY, "GET content/read?uri=ctx://resources/a.md");
      codes.push(error?.code);
      return error?.code;
    };
    while ((await readOnce()) === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(codes)).toEqual(new Set([undefined, "UNAVAILABLE"]));
    const refused = await write(served, "ctx://resources/b.md", "late");
    expect(refused.error?.code).toBe("UNAVAILABLE");
    await postgres.resume();
    while ((await readOnce()) !== undefined) await new Promise((resolve) => setImmediate(resolve));
    expect((await write(served, "ctx://resources/c.md", "back")).http).toBe(200);
  });

  it("a server that was paused past its lease does not serve a workspace that another server has taken", {
    timeout: LIMIT_MS,
  }, async () => {
    const folder = await temporaryFolder();
    const settings = { CTXDB_STORE: url, CTXDB_LEASE_SECONDS: "2" };
    const paused = new Server({ dataDir: folder.path, sources: folder.path, fromSource: true, settings });
    onTestFinished(async () => {
      await paused.kill();
      await folder.remove();
    });
    const port = await paused.ready();
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
        method,
        headers: { "X-API-Key": SERVER_KEY, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as { error?: { code: string; message: string } };
    };
    const content = { uri: "ctx://resources/a.md", content: "A stork.\n", mode: "create" };
    expect(await ask("POST", "content/write", content)).toMatchObject({ status: "ok" });
    const other = await temporaryFolder();
    const { stores, close } = await openShared({
      url,
      memberUrl: "http://127.0.0.1:1",
      leaseMs: 2000,
      copy: await LevelFile.open(join(other.path, "copy"), silentLog),
      clock: Date.now,
      log: silentLog,
    });
    onTestFinished(() => close().then(other.remove));
    const nothing = async () => undefined;
    await new Promise<void>((resolve, reject) => {
      const resume = async (of: unknown) => (of === workspaceId(1) ? resolve() : undefined);
      const holder = { adopt: nothing, resume, leave: nothing, drop: () => undefined };
      stores.start(holder).then(() => paused.signal("SIGSTOP"), reject);
    });
    const answers = [1, 2, 3].map(() => ask("GET", "content/read?uri=ctx://resources/a.md"));
    expect(stores.holding(workspaceId(1))).toBeDefined();
    paused.signal("SIGCONT");
    for (const { error } of await Promise.all(answers)) expect(error?.code).toBe("UNAVAILABLE");
  });

  it("a data directory and a store that do not belong together are refused with instructions", async () => {
    const served = await open();
    await expect(serve({ CTXDB_DATA_DIR: served.dataDir, CTXDB_STORE: url })).rejects.toThrow(
      "another server (process",
    );
    await expect(serve({ CTXDB_STORE: url })).rejects.toThrow("are in the data directory with the id");
    await served.restart(async () => {
      await expect(serve({ CTXDB_DATA_DIR: served.dataDir })).rejects.toThrow("set CTXDB_STORE");
    });
    const embedded = await serve();
    onTestFinished(() => embedded.close());
    await embedded.restart(() =>
      expect(serve({ CTXDB_DATA_DIR: embedded.dataDir, CTXDB_STORE: url })).rejects.toThrow(
        "holds records of its own",
      ),
    );
    await execute(url, "UPDATE ctxdb.format SET version = 99");
    await expect(open()).rejects.toThrow("has format 99");
    await execute(url, `UPDATE ctxdb.format SET version = -${FORMAT}`);
    await expect(open()).rejects.toThrow("an import into the store has not finished");
    await expect(open({ CTXDB_STORE: "postgres://127.0.0.1:1/none" })).rejects.toThrow(
      "the PostgreSQL store cannot be used",
    );
  });

  it("a store of the first format is migrated by several servers at once, and keeps its records", async () => {
    await execute(url, await readFile(FORMER, "utf8"));
    await execute(url, "INSERT INTO ctxdb.facts VALUES ('kept', '1')");
    const starting = [1, 2, 3].map(async () => {
      const connection = new Connection(url, silentLog);
      await migrate(connection.query, silentLog).finally(() => connection.close());
    });
    await Promise.all(starting);
    const [kept] = await rowsOf(url, "SELECT value::text, version FROM ctxdb.facts, ctxdb.format");
    expect(kept).toEqual({ value: "1", version: FORMAT });
    const served = await open();
    const { result } = await served.rest(ROOT_KEY, "GET observer/members");
    expect(result).toMatchObject({ members: [{ is_draining: false }], hand_overs: [] });
    expect((await write(served, "ctx://resources/a.md", "A stork.\n")).http).toBe(200);
  });

  it("backups by ctxdb are refused over PostgreSQL, because its own backups contain all servers' records", async () => {
    const served = await open();
    const { error } = await served.rest(ROOT_KEY, "POST admin/backups", {});
    expect(error).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(error?.message).toContain("PostgreSQL");
  });
});
