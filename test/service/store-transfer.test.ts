import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../src/base/sha256.ts";
import { PART_BYTES } from "../../src/storage/s3/multipart-upload.ts";
import { Gate } from "../cluster/gate.ts";
import { ctxdb } from "../support/command-line.ts";
import { execute, hasPostgres, type Postgres, rowsOf, startPostgres } from "../support/postgres.ts";
import { hasS3, type S3Server, startS3 } from "../support/s3.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIMIT_MS = 120_000;
const LARGE = "A heron stands in the reeds.\n".repeat(2000);
const MAX_CUTS = 400;

describe.runIf(hasPostgres && hasS3)("moving data between a data directory and a store", () => {
  let postgres: Postgres;
  let s3: S3Server;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  });
  afterAll(async () => {
    await postgres?.stop();
    await s3?.stop();
  });

  async function open(settings: Record<string, string | undefined> = {}): Promise<Served> {
    const served = await serve(settings);
    onTestFinished(() => served.close().catch(() => undefined));
    return served;
  }

  const write = async (served: Served, key: string, uri: string, content: string, mode = "create") =>
    expect((await served.rest(key, "POST content/write", { uri, content, mode, wait: true })).http).toBe(200);
  const read = async (served: Served, key: string, uri: string) =>
    (await served.rest(key, `GET content/read?uri=${encodeURIComponent(uri)}`)).result;

  const createAccount = async (served: Served, account: string): Promise<string> => {
    const body = { account_id: account, admin_user_id: "ann" };
    const { result } = await served.rest(ROOT_KEY, "POST admin/accounts", body);
    return (result as { user_key: string }).user_key;
  };

  /** Two accounts with small and large files, and a third one that is deleted. Returns the keys. */
  async function fill(served: Served): Promise<readonly string[]> {
    const keys: string[] = [];
    for (const account of ["acme", "birds", "gone"]) {
      const key = await createAccount(served, account);
      keys.push(key);
      await write(served, key, "ctx://resources/small.md", `A stork of ${account}.\n`);
      await write(served, key, "ctx://resources/large.md", LARGE);
      await write(served, key, "ctx://resources/again.md", LARGE);
      await write(served, key, "ctx://resources/\u{1f426}.md", `A bird of ${account}.\n`);
    }
    await served.rest(ROOT_KEY, "DELETE admin/accounts/gone");
    return keys;
  }

  async function expectAll(served: Served, keys: readonly string[]): Promise<void> {
    for (const [i, account] of ["acme", "birds"].entries()) {
      const key = keys[i] ?? "";
      expect(await read(served, key, "ctx://resources/small.md")).toBe(`A stork of ${account}.\n`);
      expect(await read(served, key, "ctx://resources/\u{1f426}.md")).toBe(`A bird of ${account}.\n`);
      for (const name of ["large", "again"])
        expect(await read(served, key, `ctx://resources/${name}.md`)).toBe(LARGE);
      const { result } = await served.rest(key, "POST search/find", { query: "heron in the reeds" });
      expect(JSON.stringify(result)).toContain("ctx://resources/large.md");
    }
    expect((await served.rest(keys[2] ?? "", "GET fs/ls?uri=ctx%3A%2F%2Fresources")).http).toBe(401);
  }

  const expectWhole = async (folder: string) =>
    expect(await ctxdb(["verify", "--data-dir", folder])).toMatchObject({ code: 0, out: "" });

  it("data survives import into a store, changes and export, and commands in a wrong state are refused", {
    timeout: LIMIT_MS,
  }, async () => {
    const store = { CTXDB_STORE: await postgres.empty(), ...s3.settings("moved") };
    const env = { ...store };
    const embedded = await open();
    const keys = await fill(embedded);
    const into = ["store", "import", "--from", embedded.dataDir];
    expect((await ctxdb(into, { env })).err).toContain("another server");
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const out = ["store", "export", "--to", join(folder.path, "out")];
    await embedded.restart(async () => {
      expect((await ctxdb(out, { env })).err).toContain("the store is empty");
      expect((await ctxdb(into)).err).toContain("CTXDB_STORE is not set");
      expect((await ctxdb(into, { env: { CTXDB_STORE: env.CTXDB_STORE } })).err).toContain("CTXDB_OBJECTS");
      const moved = await ctxdb([...into, "--json"], { env });
      expect(moved).toMatchObject({ code: 0 });
      expect(JSON.parse(moved.out)).toMatchObject({ lost: [] });
      expect((await ctxdb(into, { env })).err).toContain("has records already");
    });
    // the source stays as it is
    await expectAll(embedded, keys);

    const served = await open(store);
    await expectAll(served, keys);
    // the same content in a later turn has another name, which the export joins
    await write(served, keys[0] ?? "", "ctx://resources/third.md", LARGE);
    await write(served, keys[1] ?? "", "ctx://resources/large.md", "Now small.\n", "replace");
    await createAccount(served, "newer");
    expect((await ctxdb(out, { env })).err).toContain("servers run over the store");
    await served.close();

    const exported = await ctxdb([...out, "--json"], { env });
    expect(exported.code, exported.err).toBe(0);
    expect(JSON.parse(exported.out)).toMatchObject({ lost: [] });
    await expectWhole(join(folder.path, "out"));
    expect((await ctxdb(out, { env })).err).toContain("is not empty");
    const back = await open({ CTXDB_DATA_DIR: join(folder.path, "out") });
    expect(await read(back, keys[0] ?? "", "ctx://resources/third.md")).toBe(LARGE);
    expect(await read(back, keys[1] ?? "", "ctx://resources/large.md")).toBe("Now small.\n");
    expect(await read(back, keys[1] ?? "", "ctx://resources/again.md")).toBe(LARGE);
    await createAccount(back, "newest");
  });

  it("contents larger than a part of an upload survive import into a store and export", {
    timeout: LIMIT_MS,
  }, async () => {
    const content = Buffer.alloc(PART_BYTES + 1000, 7).fill(9, PART_BYTES);
    const embedded = await open();
    const key = await createAccount(embedded, "acme");
    const form = new FormData();
    form.append("file", new Blob([content]), "large.bin");
    const { result } = await embedded.rest(key, "POST resources/temp_upload", form);
    const { temp_path } = result as { temp_path: string };
    const to = "ctx://resources/large";
    const source = { temp_path, to, build_index: false };
    expect((await embedded.rest(key, "POST resources", source)).http).toBe(200);
    const imported = async () => (await embedded.rest(key, `GET fs/stat?uri=${to}/large.bin`)).http;
    await expect.poll(imported, { timeout: 30_000 }).toBe(200);
    const env = { CTXDB_STORE: await postgres.empty(), ...s3.settings("parts") };
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const out = join(folder.path, "out");
    await embedded.restart(async () => {
      for (const command of [
        ["import", "--from", embedded.dataDir],
        ["export", "--to", out],
      ]) {
        const { code, err, out: said } = await ctxdb(["store", ...command, "--json"], { env });
        expect(code, err).toBe(0);
        expect(JSON.parse(said)).toMatchObject({ contents: 1, lost: [] });
      }
    });
    await expectWhole(out);
  });

  it("an import into a bucket that has objects is refused each time, and nothing is removed from it", {
    timeout: LIMIT_MS,
  }, async () => {
    const url = await postgres.empty();
    const embedded = await open();
    await write(embedded, await createAccount(embedded, "acme"), "ctx://resources/large.md", LARGE);
    const client = s3.client();
    onTestFinished(() => client.close());
    const content = Buffer.from("a content of another store");
    const other = `used/1/${sha256(content)}-1`;
    const source = () => Readable.from([content]);
    await client.put(other, { open: source, bytes: content.length, sha256: sha256(content) });
    const env = { CTXDB_STORE: url, ...s3.settings("used") };
    await embedded.restart(async () => {
      const into = ["store", "import", "--from", embedded.dataDir];
      for (let attempt = 0; attempt < 2; attempt++)
        expect((await ctxdb(into, { env })).err).toContain("has objects already");
      expect((await ctxdb(["store", "discard"], { env })).err).toContain("no unfinished import");
      expect(await client.has(other)).toBe(true);
      const elsewhere = { CTXDB_STORE: url, ...s3.settings("unused") };
      expect(await ctxdb(into, { env: elsewhere })).toMatchObject({ code: 0 });
    });
  });

  it("an object that has the content of another one does not cost the export that content", {
    timeout: LIMIT_MS,
  }, async () => {
    const env = { CTXDB_STORE: await postgres.empty(), ...s3.settings("swapped") };
    const served = await open(env);
    const key = await createAccount(served, "acme");
    // more than are copied at once, so that the first one is there when the last one is read
    for (let i = 0; i < 24; i++) await write(served, key, `ctx://resources/${i}.md`, `${i} ${LARGE}`);
    await served.close();
    const [bucket = ""] = await readdir(s3.folder("swapped"));
    const objects = join(s3.folder("swapped"), bucket);
    const names = (await readdir(objects)).sort();
    const [good = "", damaged = ""] = [names[0], names.at(-1)];
    await writeFile(join(objects, damaged), await readFile(join(objects, good)));
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const to = join(folder.path, "out");
    const { out } = await ctxdb(["store", "export", "--to", to, "--json"], { env });
    const sha256Of = (name: string) => name.slice(0, 64);
    expect(JSON.parse(out)).toMatchObject({ lost: [expect.stringContaining(sha256Of(damaged))] });
    const kept = join(to, "buckets", bucket, good.slice(0, 2), sha256Of(good));
    expect(existsSync(kept)).toBe(true);
  });

  it("an interrupted store import or export resumes when run again, and no server starts before its end", {
    timeout: LIMIT_MS,
  }, async () => {
    const url = new URL(await postgres.empty());
    const embedded = await open();
    const keys = await fill(embedded);
    const other = await open();
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const name = `.s.PGSQL.${url.searchParams.get("port")}`;
    const gate = await Gate.open(
      { path: join(folder.path, name) },
      join(String(url.searchParams.get("host")), name),
    );
    onTestFinished(() => gate.close());
    const direct = { CTXDB_STORE: url.href, ...s3.settings("broken") };
    url.searchParams.set("host", folder.path);
    const env = { ...direct, CTXDB_STORE: url.href };

    /** Runs a command that is cut off from the store a little later each time. Returns the number of cuts. */
    async function cutOff(command: readonly string[], unfinished: () => Promise<void>): Promise<number> {
      for (let cuts = 0; cuts < MAX_CUTS; cuts++) {
        gate.shutAfter(1 + 2 * cuts);
        const { code, err } = await ctxdb(command, { env });
        gate.release();
        if (code === 0) return cuts;
        expect(err).toContain("run the same command again");
        if (cuts % 5 === 0) await unfinished();
      }
      throw new Error("it never ends");
    }
    let isRefused = false;
    let cuts = 0;
    const look = async () => {
      const [format] = await rowsOf<{ version: number }>(
        direct.CTXDB_STORE,
        "SELECT coalesce((SELECT max(version) FROM ctxdb.format), 0) AS version",
      ).catch(() => [{ version: 0 }]);
      if ((format?.version ?? 0) >= 0) return;
      await expect(serve(direct)).rejects.toThrow("an import into the store has not finished");
      isRefused = true;
      expect((await ctxdb(["store", "import", "--from", other.dataDir], { env })).err).toContain(
        "an import of another data directory has not finished",
      );
      // what an attempt of another version has left
      await execute(
        direct.CTXDB_STORE,
        "INSERT INTO ctxdb.kv (incarnation, key, value) VALUES (1, 'w/0000001/e/left', 'over') ON CONFLICT DO NOTHING",
      );
    };
    const command = ["store", "import", "--from", embedded.dataDir];
    await other.restart(() =>
      embedded.restart(async () => {
        cuts = await cutOff(command, look);
      }),
    );
    expect(isRefused).toBe(true);
    expect(cuts).toBeGreaterThan(5);
    const discard = ["store", "discard"];
    expect((await ctxdb(discard, { env: direct })).err).toContain("no unfinished import");
    const served = await open(direct);
    await expectAll(served, keys);
    await served.close();

    const to = join(folder.path, "out");
    let isWhole = true;
    await cutOff(["store", "export", "--to", to], async () => {
      if (!existsSync(join(to, "FORMAT"))) return;
      await expect(serve({ CTXDB_DATA_DIR: to })).rejects.toThrow("is not whole");
      isWhole = false;
    });
    expect(isWhole).toBe(false);
    await expectWhole(to);
    await expectAll(await open({ CTXDB_DATA_DIR: to }), keys);
  });

  it("discarding an unfinished import removes its records and objects only, even after an interruption", {
    timeout: LIMIT_MS,
  }, async () => {
    const url = await postgres.empty();
    const embedded = await open();
    await write(embedded, await createAccount(embedded, "acme"), "ctx://resources/large.md", LARGE);
    const env = { CTXDB_STORE: url, ...s3.settings("discarded") };
    const client = s3.client();
    onTestFinished(() => client.close());
    const keys = async () => {
      const found: string[] = [];
      for await (const { objects } of client.list("discarded/")) found.push(...objects.map(({ key }) => key));
      return found;
    };
    const discard = (other = {}) => ctxdb(["store", "discard"], { env: { ...env, ...other } });
    await embedded.restart(async () => {
      expect((await ctxdb(["store", "import", "--from", embedded.dataDir], { env })).code).toBe(0);
    });
    expect((await discard()).err).toContain("no unfinished import");
    // as if it had been killed before its last statement
    await execute(
      url,
      `UPDATE ctxdb.format SET version = -version;
       INSERT INTO ctxdb.facts VALUES ('import', '"source"'), ('import/contents', '"s3://contents/discarded"')`,
    );
    expect((await discard(s3.settings("elsewhere"))).err).toContain("not s3://contents/elsewhere");
    const content = Buffer.from("not of the import");
    const other = "discarded/other.txt";
    const source = () => Readable.from([content]);
    await client.put(other, { open: source, bytes: content.length, sha256: sha256(content) });
    // what a discard that was killed has removed
    await execute(url, "DELETE FROM ctxdb.kv WHERE incarnation = 0; DELETE FROM ctxdb.directory");
    const { code, err } = await discard();
    expect([code, err]).toEqual([0, expect.stringContaining("the store is empty again")]);
    expect(await keys()).toEqual([other]);
    expect(await rowsOf(url, "SELECT FROM pg_namespace WHERE nspname = 'ctxdb'")).toEqual([]);
    expect((await discard()).err).toContain("no unfinished import");
  });
});
