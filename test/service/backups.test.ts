import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApp } from "../../src/app/app.ts";
import { systemClock } from "../../src/base/clock.ts";
import { sha256 } from "../../src/base/sha256.ts";
import { configFrom } from "../../src/config/config.ts";
import { restoreFolder } from "../../src/server/restore-folder.ts";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Matches lost files listed in a backup. */
const MAX_TOLD = 100;
/** Changes of a caller during backups: more would let each of them copy more than the one before. */
const MAX_CHANGES = 60;
const LEFT_OVER = 2000;
const LARGE = "A line about heat pumps in old houses.\n".repeat(2000);

interface Backup {
  readonly name: string;
  readonly state: string;
  readonly records: number;
  readonly contents: number;
  readonly bytes: number;
  readonly added_bytes: number;
}

type Ask = (key: string, path: string) => Promise<{ status: number; result: unknown }>;

describe("backups of a server that serves", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let served: Served;
  let north = "";
  let south = "";
  const backups = () => join(folder.path, "backups");

  const write = async (key: string, uri: string, content: string) => {
    const { http } = await served.rest(key, "POST content/write", {
      uri,
      content,
      mode: "create",
      wait: true,
    });
    expect(http).toBe(200);
  };
  const createBackup = async (body: object = {}) => {
    const { http, result } = await served.rest(ROOT_KEY, "POST admin/backups", body);
    expect(http).toBe(200);
    return result as Backup;
  };
  const restore = (
    dataDir: string,
    options: { name?: string; account?: string; as?: string; from?: string } = {},
  ) =>
    restoreFolder({
      from: options.from ?? backups(),
      name: options.name,
      dataDir,
      account: options.account,
      as: options.as,
      log: silentLog,
      clock: systemClock,
      onProgress: () => undefined,
    });

  /** Returns the answers of a server over another data directory. */
  async function askOf<T>(dataDir: string, questions: (ask: Ask) => Promise<T>): Promise<T> {
    const env = {
      CTXDB_DATA_DIR: dataDir,
      CTXDB_PORT: "0",
      CTXDB_ROOT_API_KEY: ROOT_KEY,
      CTXDB_EMBEDDING_PROVIDER: "light",
    };
    const config = configFrom(env, { folder: dataDir, read: () => undefined });
    const app = await openApp(config, silentLog, "0.0.0");
    try {
      return await questions(async (key, path) => {
        const [url, body] = path.split(" ");
        const answer = await fetch(`http://127.0.0.1:${app.port}/api/v1/${url}`, {
          headers: { "X-API-Key": key, "Content-Type": "application/json" },
          ...(body !== undefined && { method: "POST", body }),
        });
        return { status: answer.status, result: ((await answer.json()) as { result?: unknown }).result };
      });
    } finally {
      await app.close();
    }
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    served = await serve({
      CTXDB_SEAL_DOCS: "8",
      CTXDB_BACKUP_DIR: backups(),
      CTXDB_LOCAL_PATHS: folder.path,
    });
    const keyOf = async (account: string) => {
      const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
        account_id: account,
        admin_user_id: "chief",
      });
      return (made.result as { user_key: string }).user_key;
    };
    [north, south] = [await keyOf("north"), await keyOf("south")];
    await write(north, "ctx://resources/notes/heat.md", "# Heat pumps\n\nA heat pump moves heat.\n");
    await write(north, "ctx://resources/notes/long.md", LARGE);
    await write(south, "ctx://resources/other.md", `${LARGE}In the south.`);
    await served.rest(north, "POST sessions", { session_id: "monday" });
    await served.rest(north, "POST sessions/monday/messages", { role: "user", content: "I live in Lisbon." });
    await served.rest(north, "POST sessions/monday/commit", {});
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });

  it("a restored backup has every file, session and memory as of its snapshot, and nothing later", async () => {
    const backup = await createBackup({ name: "first" });
    expect(backup).toMatchObject({ name: "first", state: "complete", contents: 2, lost: [] });
    await write(north, "ctx://resources/notes/later.md", "# Later\n");
    const dataDir = join(folder.path, "restored");
    expect(await restore(dataDir, { name: "first" })).toMatchObject({
      records: backup.records,
      contents: backup.contents,
    });
    expect(await verifyFolder(dataDir, { log: silentLog, now: systemClock })).toEqual([]);
    const [long, later, hits, memories, other] = await askOf(dataDir, async (ask) => [
      await ask(north, "content/read?uri=ctx://resources/notes/long.md"),
      await ask(north, "content/read?uri=ctx://resources/notes/later.md"),
      await ask(north, 'search/find {"query":"what_moves_heat?","limit":1}'),
      await ask(north, 'search/find {"query":"Lisbon","target_uri":"ctx://user"}'),
      await ask(south, "content/read?uri=ctx://resources/other.md"),
    ]);
    expect(long?.result === LARGE).toBe(true);
    expect(later?.status).toBe(404);
    expect(JSON.stringify(hits?.result)).toContain("ctx://resources/notes/");
    expect(JSON.stringify(memories?.result)).toContain("profile.md");
    expect(other?.result === `${LARGE}In the south.`).toBe(true);
  });

  it("a second backup stores only what changed since the first", async () => {
    const full = await createBackup();
    await write(north, "ctx://resources/notes/new.md", "# New\n");
    const next = await createBackup({ name: "next" });
    expect(next.bytes).toBeGreaterThanOrEqual(full.bytes);
    expect(next.added_bytes).toBeLessThan(next.bytes);
    expect((await createBackup({ name: "same" })).contents).toBe(full.contents);
  });

  it("one account can be restored separately, under another name, with only its own keys", async () => {
    await served.rest(ROOT_KEY, "PUT admin/accounts/north/quotas", { nodes: 5000 });
    await createBackup({ name: "both" });
    const dataDir = join(folder.path, "alone");
    expect(await restore(dataDir, { name: "both", account: "north", as: "nordic" })).toMatchObject({
      contents: 1,
    });
    expect(await verifyFolder(dataDir, { log: silentLog, now: systemClock })).toEqual([]);
    const [accounts, mine, foreign, usage] = await askOf(dataDir, async (ask) => [
      await ask(ROOT_KEY, "admin/accounts"),
      await ask(north, "content/read?uri=ctx://resources/notes/long.md"),
      await ask(south, "content/read?uri=ctx://resources/other.md"),
      await ask(north, "system/usage"),
    ]);
    expect(usage?.result).toMatchObject({
      account_id: "nordic",
      resources: expect.arrayContaining([expect.objectContaining({ limit: 5000, source: "quota" })]),
    });
    expect(accounts?.result).toMatchObject([{ account_id: "nordic", user_count: 1 }]);
    expect(mine?.result === LARGE).toBe(true);
    expect(foreign?.status).toBe(401);
    await expect(restore(join(folder.path, "none"), { account: "west" })).rejects.toThrow(
      /has no account west/,
    );
  });

  it("an account is not restored under an invalid name", async () => {
    await createBackup({ name: "named" });
    const dataDir = join(folder.path, "unnamed");
    await expect(restore(dataDir, { name: "named", account: "north", as: "no/rth" })).rejects.toThrow(
      '--as "no/rth": the id of an account must be 1 to 64 characters of',
    );
  });

  it("webhooks and schedules are restored with their account, but not with a copy under another name", async () => {
    const path = join(folder.path, "planned.md");
    await writeFile(path, "# Planned");
    await served.rest(north, "POST resources", { path, to: "ctx://resources/planned" });
    const planned = { uri: "ctx://resources/planned", paused: true };
    expect(await served.rest(north, "PUT resources/schedules", planned)).toMatchObject({ http: 200 });
    const { http } = await served.rest(north, "POST webhooks", {
      url: "https://192.0.32.8/hook",
      uri: "ctx://resources/never",
      kinds: ["changed"],
    });
    expect(http).toBe(200);
    await createBackup({ name: "hooked" });
    for (const [as, webhooks, schedules] of [
      [undefined, [{ url: "https://192.0.32.8/hook", state: "active" }], [{ state: "paused" }]],
      ["nordic", [], []],
    ] as const) {
      const dataDir = join(folder.path, `hooked-${as}`);
      await restore(dataDir, { name: "hooked", account: "north", ...(as !== undefined && { as }) });
      const [hooks, plans] = await askOf(dataDir, async (ask) => [
        await ask(north, "webhooks"),
        await ask(north, "resources/schedules"),
      ]);
      expect(hooks?.result).toMatchObject(webhooks);
      expect(plans?.result).toMatchObject(schedules);
    }
  });

  it("a restore into a folder with files, or of a missing backup, is refused", async () => {
    await createBackup({ name: "whole" });
    await expect(restore(served.dataDir, { name: "whole" })).rejects.toThrow(/is not empty/);
    await expect(restore(join(folder.path, "none"), { name: "missing" })).rejects.toThrow(
      /no backup missing/,
    );
  });

  it("a damaged part of a backup is reported, never restored, and stored again by the next backup", async () => {
    await createBackup({ name: "good" });
    const records = join(backups(), "objects", "contents");
    const [shelf = ""] = await readdir(records);
    const [object = ""] = await readdir(join(records, shelf));
    await truncate(join(records, shelf, object), 100);
    const dataDir = join(folder.path, "broken");
    await expect(restore(dataDir, { name: "good" })).rejects.toThrow(
      /nothing was restored, because backup good is damaged: .*choose another backup with --backup/,
    );
    expect(await readdir(dataDir)).toEqual([]);
    const found = await served.rest(ROOT_KEY, "POST admin/backups/good/verify", {});
    expect(found.result).toMatchObject({ sound: false, damaged: [object] });
    await createBackup({ name: "healed" });
    for (const name of ["healed", "good"])
      expect((await served.rest(ROOT_KEY, `POST admin/backups/${name}/verify`, {})).result).toMatchObject({
        sound: true,
        damaged: [],
      });
  });

  it("a manifest, list or part that links to an endless file is reported and never read", async () => {
    await createBackup({ name: "linked" });
    const manifest = JSON.parse(await readFile(join(backups(), "linked.json"), "utf8"));
    const [object = ""] = manifest.segments as string[];
    const objects = join(backups(), "objects", "records");
    for (const [path, fault] of [
      [join(backups(), "linked.json"), /linked cannot be read: linked.json is not a file/],
      [join(backups(), "linked.contents"), /linked is damaged.*: linked.contents is not a file/],
      [join(objects, object.slice(0, 2), object), new RegExp(`linked is damaged.*: ${object} is not a file`)],
    ] as const) {
      await rename(path, `${path}.aside`);
      await symlink("/dev/zero", path);
      const dataDir = join(folder.path, "linked");
      await expect(restore(dataDir, { name: "linked" })).rejects.toThrow(fault);
      await rm(path);
      await rename(`${path}.aside`, path);
    }
    expect((await served.rest(ROOT_KEY, "POST admin/backups/linked/verify", {})).result).toMatchObject({
      sound: true,
    });
  });

  it("deleting a backup frees the data that no other backup needs", async () => {
    for (const { name } of (await served.rest(ROOT_KEY, "GET admin/backups")).result as Backup[])
      expect((await served.rest(ROOT_KEY, `DELETE admin/backups/${name}`)).http).toBe(200);
    expect((await served.rest(ROOT_KEY, "GET admin/backups")).result).toEqual([]);
    const objects = await readdir(join(backups(), "objects"), { recursive: true });
    expect(objects.filter((path) => /[0-9a-f]{64}$/.test(path))).toEqual([]);
  });

  it("a backup with a damaged manifest is reported, keeps the parts of others, and can be deleted", async () => {
    for (const name of ["kept", "no-manifest", "no-list"]) await createBackup({ name });
    await truncate(join(backups(), "no-manifest.json"), 40);
    await truncate(join(backups(), "no-list.contents"), 1);
    const root = (call: string, body?: object) => served.rest(ROOT_KEY, call, body);
    const listed = (await root("GET admin/backups")).result as (Backup & { error?: string })[];
    expect(listed.find(({ name }) => name === "no-manifest")).toMatchObject({
      state: "damaged",
      error: "its manifest is damaged",
    });
    for (const name of ["no-manifest", "no-list"]) {
      expect((await root(`POST admin/backups/${name}/verify`, {})).error?.code).toBe("FAILED_PRECONDITION");
      expect((await root(`DELETE admin/backups/${name}`)).http).toBe(200);
    }
    expect((await root("POST admin/backups/kept/verify", {})).result).toMatchObject({ sound: true });
  });

  it("a backup in a tar file is incremental, verified, restored and deleted like one in a folder", async () => {
    const location = "nightly.tar";
    const root = (call: string, body?: object) => served.rest(ROOT_KEY, call, body);
    expect((await root(`GET admin/backups?location=${location}`)).result).toEqual([]);
    const first = await createBackup({ name: "tarred", location });
    expect(first).toMatchObject({ state: "complete", lost: [] });
    expect((await createBackup({ name: "again", location })).added_bytes).toBeLessThan(
      first.added_bytes / 10,
    );
    const listed = (await root(`GET admin/backups?location=${location}`)).result as Backup[];
    expect(listed.map(({ name }) => name).sort()).toEqual(["again", "tarred"]);
    expect(JSON.stringify((await root("GET admin/backups")).result)).not.toContain("tarred");
    expect((await root("POST admin/backups/tarred/verify", { location })).result).toMatchObject({
      sound: true,
    });
    expect((await root("POST admin/backups/tarred/verify", {})).error?.code).toBe("NOT_FOUND");
    const dataDir = join(folder.path, "from-tar");
    await restore(dataDir, {
      name: "tarred",
      account: "north",
      as: "nordic",
      from: join(backups(), location),
    });
    expect(await verifyFolder(dataDir, { log: silentLog, now: systemClock })).toEqual([]);
    const [long] = await askOf(dataDir, async (ask) => [
      await ask(north, "content/read?uri=ctx://resources/notes/long.md"),
    ]);
    expect(long?.result === LARGE).toBe(true);
    for (const name of ["again", "tarred"])
      expect((await root(`DELETE admin/backups/${name}?location=${location}`)).http).toBe(200);
    expect((await root(`GET admin/backups?location=${location}`)).result).toEqual([]);
  });

  it("backup calls with a file, bucket or address that the settings do not allow are refused", async () => {
    const root = (call: string, body?: object) => served.rest(ROOT_KEY, call, body);
    for (const location of [
      "../out.tar",
      "/tmp/out.tar",
      "a/b.tar",
      "s3://",
      "http://127.0.0.1/x",
      "s3://b/../c",
    ])
      for (const answer of [
        await root("POST admin/backups", { location }),
        await root("POST admin/backups/x/verify", { location }),
        await root(`GET admin/backups?location=${encodeURIComponent(location)}`),
        await root(`DELETE admin/backups/x?location=${encodeURIComponent(location)}`),
      ])
        expect([location, answer.error?.code]).toEqual([location, "INVALID_ARGUMENT"]);
    expect((await root("POST admin/backups", { location: "s3://bucket/own" })).error?.code).toBe(
      "PERMISSION_DENIED",
    );
  });

  it("invalid backup calls get their error codes, and only ROOT may back up", async () => {
    await createBackup({ name: "taken" });
    const root = (call: string, body?: object) => served.rest(ROOT_KEY, call, body);
    const codes = [
      await root("POST admin/backups", { name: "taken" }),
      await root("POST admin/backups", { name: "taken", wait: false }),
      await root("POST admin/backups", { name: "../etc" }),
      await root("DELETE admin/backups/none"),
      await root("DELETE admin/backups/..%2Ftaken"),
      await root("POST admin/backups/none/verify", {}),
      await served.rest(north, "GET admin/backups"),
      await served.rest(north, "POST admin/backups", {}),
      await served.rest(north, "DELETE admin/backups/taken"),
      await served.rest(north, "POST admin/backups/taken/verify", {}),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([
      "ALREADY_EXISTS",
      "ALREADY_EXISTS",
      "INVALID_ARGUMENT",
      "NOT_FOUND",
      "NOT_FOUND",
      "NOT_FOUND",
      ...Array<string>(4).fill("PERMISSION_DENIED"),
    ]);
  });

  it("a backup is a consistent snapshot while files are written, moved and deleted", async () => {
    let isDone = false;
    const change = async (from: number) => {
      for (let at = from; !isDone && at < from + MAX_CHANGES; at++) {
        const uri = `ctx://resources/busy/${from}-${at % 5}.md`;
        await served.rest(north, "POST content/write", {
          uri,
          content: `${LARGE}${from} ${at}`,
          mode: "create",
        });
        await served.rest(north, `DELETE fs?uri=${uri}`);
      }
    };
    const changes = [change(0), change(1000), change(2000)];
    const names = ["busy-1", "busy-2"];
    try {
      for (const name of names) await createBackup({ name });
    } finally {
      isDone = true;
      await Promise.all(changes);
    }
    for (const name of names) {
      const dataDir = join(folder.path, name);
      await restore(dataDir, { name });
      expect(await verifyFolder(dataDir, { log: silentLog, now: systemClock })).toEqual([]);
    }
  });

  it("a server that stops during a backup keeps the earlier backups intact and starts no new one", async () => {
    await createBackup({ name: "earlier" });
    await write(north, "ctx://resources/notes/more.md", `${LARGE}More.`);
    const begun = await served.rest(ROOT_KEY, "POST admin/backups", { name: "cut-off", wait: false });
    expect(begun.result).toMatchObject({ name: "cut-off", state: "running" });
    await served.restart();
    const { result } = await served.rest(ROOT_KEY, "GET admin/backups");
    const states = new Map((result as Backup[]).map(({ name, state }) => [name, state]));
    expect(states.get("earlier")).toBe("complete");
    expect(["complete", undefined]).toContain(states.get("cut-off"));
    expect((await served.rest(ROOT_KEY, "POST admin/backups/earlier/verify", {})).result).toMatchObject({
      sound: true,
    });
    await createBackup({ name: "after-restart" });
  });

  it("a second backup at the same time is refused and does not affect the first", async () => {
    const [one, two] = await Promise.all([
      served.rest(ROOT_KEY, "POST admin/backups", { name: "one" }),
      served.rest(ROOT_KEY, "POST admin/backups", { name: "two" }),
    ]);
    expect([one.error?.code, two.error?.code].filter((code) => code !== undefined)).toEqual([
      "FAILED_PRECONDITION",
    ]);
  });

  it("a backup that is shown as complete can be verified at once", async () => {
    // left by an interrupted backup: removing them takes longer than the calls below
    for (let i = 0; i < LEFT_OVER; i++) {
      const hash = sha256(String(i));
      const shelf = join(backups(), "objects", "contents", hash.slice(0, 2));
      await mkdir(shelf, { recursive: true });
      await writeFile(join(shelf, hash), "left over");
    }
    const stateOf = async () => {
      const found = (await served.rest(ROOT_KEY, "GET admin/backups")).result as Backup[];
      return found.filter(({ name }) => name === "tidy").map(({ state }) => state);
    };
    await served.rest(ROOT_KEY, "POST admin/backups", { name: "tidy", wait: false });
    for (let states = await stateOf(); !states.includes("complete"); states = await stateOf())
      expect(states.length).toBeLessThanOrEqual(1);
    expect((await served.rest(ROOT_KEY, "POST admin/backups/tidy/verify", {})).result).toMatchObject({
      sound: true,
    });
  });

  it("a backup reports a file missing in the data directory and includes all others", async () => {
    await write(south, "ctx://resources/lost.md", `${LARGE}Lost.`);
    const before = await createBackup({ name: "before-loss" });
    const lost = join(served.dataDir, "buckets");
    const contents = (await readdir(lost, { recursive: true })).filter((path) => /[0-9a-f]{64}$/.test(path));
    const stored = await readdir(join(backups(), "objects", "contents"), { recursive: true });
    for (const path of contents) await rm(join(lost, path));
    await rm(join(backups(), "objects", "contents"), { recursive: true });
    expect(stored.length).toBeGreaterThan(0);
    const after = await createBackup({ name: "after-loss" });
    expect(after).toMatchObject({ state: "complete", contents: 0 });
    // the trash contains nodes removed by earlier tests
    expect((after as Backup & { lost: string[] }).lost).toHaveLength(Math.min(before.contents, MAX_TOLD));
  });
});
