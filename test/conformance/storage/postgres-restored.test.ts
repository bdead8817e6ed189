import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { execute, hasPostgres, type Postgres, rowsOf, startPostgres } from "../../support/postgres.ts";
import { put, read, records, startMember } from "./members.ts";

const LEASE_MS = 60_000;
/** Short enough to be renewed several times within a test. */
const SHORT_LEASE_MS = 4000;
const TABLES = ["members", "workspaces", "kv", "changes", "directory", "facts"];

/** The tables, as a backup of their rows has them. */
const SAVE = `DROP SCHEMA IF EXISTS saved CASCADE; CREATE SCHEMA saved;
  ${TABLES.map((table) => `CREATE TABLE saved.${table} AS TABLE ctxdb.${table};`).join("\n")}`;
const RESTORE = `BEGIN;
  ${TABLES.map(
    (table) =>
      `DELETE FROM ctxdb.${table};
       INSERT INTO ctxdb.${table} OVERRIDING SYSTEM VALUE SELECT * FROM saved.${table};`,
  ).join("\n")}
  COMMIT`;

describe.runIf(hasPostgres)("a PostgreSQL database that was restored to an earlier state", () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.empty();
  });
  afterAll(() => postgres?.stop());

  const start = (name: string, folder?: string, leaseMs = LEASE_MS) =>
    startMember({ url, name, leaseMs, ...(folder !== undefined && { folder }) });

  it.each([
    ["as many changes", 2],
    ["more changes", 5],
    ["fewer changes", 1],
  ])(
    "a copy with changes that the restored store has lost is loaded again, even after %s in the store",
    async (_, changes) => {
      const one = await start("one");
      const workspace = await one.stores.directory.newIncarnation();
      await put(one, workspace, "kept", "1");
      await execute(url, SAVE);
      await put(one, workspace, "lost/1", "1");
      await put(one, workspace, "lost/2", "2");
      await one.end();
      await execute(url, RESTORE);
      await execute(url, "DELETE FROM ctxdb.members");
      const two = await start("two");
      for (let i = 0; i < changes; i++) await put(two, workspace, `new/${i}`, String(i));
      await two.stores.give(workspace);
      const again = await start("one", one.folder);
      expect(again.stores.holding(workspace)).toBeDefined();
      expect(read(again, workspace, "lost/1")).toBeUndefined();
      expect(await records(again)).toEqual(await records(two));
    },
  );

  it("a running server that reconnects to a restored store drops the workspaces that are ahead of it", async () => {
    const one = await start("one", undefined, SHORT_LEASE_MS);
    const [behind, same] = [
      await one.stores.directory.newIncarnation(),
      await one.stores.directory.newIncarnation(),
    ];
    for (const workspace of [behind, same]) await put(one, workspace, "kept", "1");
    await execute(url, SAVE);
    await put(one, behind, "lost", "1");
    one.events.length = 0;
    // the lease in the restored row is as good as before
    await execute(url, "UPDATE saved.members SET until = until + interval '1 minute'");
    await execute(url, RESTORE);
    await postgres.restart();
    await one.heard(`resume ${behind}`);
    expect(one.events).not.toContain(`drop ${same}`);
    expect([read(one, behind, "kept"), read(one, behind, "lost")]).toEqual(["1", undefined]);
    await put(one, behind, "new", "1");
    expect(await rowsOf(url, "SELECT FROM ctxdb.members")).toHaveLength(1);
  });

  it("a server whose number a restored store has given to another server registers again", async () => {
    const one = await start("one", undefined, SHORT_LEASE_MS);
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "by one");
    const { self } = one.members;
    await execute(url, "DELETE FROM ctxdb.members");
    await execute(url, `ALTER TABLE ctxdb.members ALTER COLUMN member RESTART WITH ${self}`);
    const two = await start("two", undefined, SHORT_LEASE_MS);
    expect(two.members.self).toBe(self);
    expect(read(two, workspace, "a")).toBe("by one");
    await one.heard(`drop ${workspace}`);
    expect(one.stores.holding(workspace)).toBeUndefined();
    await put(two, workspace, "a", "by two");
    expect(await one.stores.take(workspace)).toMatchObject({ url: "http://two" });
    expect(one.members.self).toBeGreaterThan(self);
  });
});
