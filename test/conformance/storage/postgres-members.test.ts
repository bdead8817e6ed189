import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId, workspaceId } from "../../../src/domain/ids.ts";
import { execute, hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { writeAll } from "./kv.ts";
import { keyOf, type MemberServer, put, read, records, startMember } from "./members.ts";

const LEASE_MS = 60_000;
/** Short enough to expire within a test, but not while it is renewed. */
const SHORT_LEASE_MS = 4000;
const ACME = accountId("acme");

describe.runIf(hasPostgres)("servers of one PostgreSQL", () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.empty();
  });
  afterAll(() => postgres?.stop());

  const start = (name: string, leaseMs = LEASE_MS, folder?: string) =>
    startMember({ url, name, leaseMs, ...(folder !== undefined && { folder }) });

  it("a workspace held by a living server is not taken, and the error names that server", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await one.stores.directory.newIncarnation();
    expect(await two.stores.take(workspace)).toMatchObject({ url: "http://one" });
    expect(two.stores.holding(workspace)).toBeUndefined();
    await expect(put(two, workspace, "a", "1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await one.stores.give(workspace);
    expect(await two.stores.take(workspace)).toBeUndefined();
    await put(two, workspace, "a", "1");
    expect(await one.stores.take(workspace)).toMatchObject({ url: "http://two" });
  });

  it("a server declared dead writes nothing more, even before it notices its lost lease", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "by one");
    await execute(url, "DELETE FROM ctxdb.members WHERE url = 'http://one'");
    expect(await two.stores.take(workspace)).toBeUndefined();
    expect(read(two, workspace, "a")).toBe("by one");
    await put(two, workspace, "a", "by two");
    await expect(put(one, workspace, "a", "late")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(one.events.at(-1)).toBe(`drop ${workspace}`);
    expect(one.stores.holding(workspace)).toBeUndefined();
    expect(read(one, workspace, "a")).toBe("by one");
    expect(read(two, workspace, "a")).toBe("by two");
  });

  it("a lost workspace fails only its own changes, not those of other workspaces in the same group", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const [lost, kept] = [
      await one.stores.directory.newIncarnation(),
      await one.stores.directory.newIncarnation(),
    ];
    await execute(url, `UPDATE ctxdb.workspaces SET member = NULL WHERE incarnation = ${lost}`);
    expect(await two.stores.take(lost)).toBeUndefined();
    const ends = await Promise.allSettled([put(one, lost, "a", "1"), put(one, kept, "a", "1")]);
    expect(ends[0].status).toBe("rejected");
    // belongs to the same group: it may be refused, but is then not written either
    if (ends[1].status === "rejected") expect(read(one, kept, "a")).toBeUndefined();
    await put(one, kept, "a", "2");
    expect(read(one, kept, "a")).toBe("2");
    expect(one.events.filter((event) => event.startsWith("drop"))).toEqual([`drop ${lost}`]);
  });

  it("a workspace that a starting server takes gets a later turn than it had before", async () => {
    const one = await start("one");
    const workspace = await one.stores.directory.newIncarnation();
    await one.stores.give(workspace);
    await one.stores.take(workspace);
    const turn = one.stores.holding(workspace) ?? 0;
    await one.end();
    const two = await start("two");
    expect(two.stores.holding(workspace)).toBeGreaterThan(turn);
  });

  it("a server tries again to take over a workspace after a failure", async () => {
    const one = await start("one");
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "1");
    const failures: Error[] = [];
    const two = await startMember({ url, name: "two", leaseMs: SHORT_LEASE_MS, failures });
    failures.push(new Error("the store is away"));
    await execute(url, "UPDATE ctxdb.members SET until = clock_timestamp() WHERE url = 'http://one'");
    await two.heard(`resume ${workspace}`);
    expect(two.events.filter((event) => event === `adopt ${workspace}`)).toHaveLength(2);
    expect(read(two, workspace, "a")).toBe("1");
  });

  it("a failover does not give away a workspace that another call has taken meanwhile", async () => {
    await start("one");
    const two = await start("two");
    const workspace = await two.stores.directory.newIncarnation();
    // as if a server had died that held it: `one` has as few accounts, and comes first
    await two.handOvers.assign([workspace], "failover");
    await put(two, workspace, "a", "1");
    expect(read(two, workspace, "a")).toBe("1");
  });

  it("a server that stops gives up its workspaces at once, and the next server takes them", async () => {
    const one = await start("one");
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "1");
    await one.end();
    const two = await start("two");
    expect(two.events).toEqual([`adopt ${workspace}`, `resume ${workspace}`]);
    expect(read(two, workspace, "a")).toBe("1");
    await put(two, workspace, "b", "2");
    await two.end();
    // its own copy, which lacks a change
    const again = await start("one", LEASE_MS, one.folder);
    expect([read(again, workspace, "a"), read(again, workspace, "b")]).toEqual(["1", "2"]);
  });

  it("a key that the store cannot index fails its own change, and no workspace is given up", async () => {
    const one = await start("one");
    const [workspace, other] = [
      await one.stores.directory.newIncarnation(),
      await one.stores.directory.newIncarnation(),
    ];
    const turn = one.stores.holding(other);
    one.events.length = 0;
    // random, so that the store cannot compress it
    const name = `r/o/${randomBytes(4000).toString("base64url")}`;
    const ends = await Promise.allSettled([put(one, workspace, name, "x"), put(one, other, "a", "1")]);
    expect(ends[0]).toMatchObject({ status: "rejected", reason: { code: "INVALID_ARGUMENT" } });
    expect(ends[1].status).toBe("fulfilled");
    expect(one.stores.holding(other)).toBe(turn);
    expect(one.events).toEqual([]);
  });

  it("workspaces of a dead server are taken over by the server that finds its lease expired", async () => {
    const one = await start("one");
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "1");
    const two = await start("two", SHORT_LEASE_MS);
    await execute(url, "UPDATE ctxdb.members SET until = clock_timestamp() WHERE url = 'http://one'");
    await two.heard(`resume ${workspace}`);
    expect(read(two, workspace, "a")).toBe("1");
  });

  it("a server that cannot renew its lease holds no workspaces, and takes them again when it can", async () => {
    const one = await start("one", SHORT_LEASE_MS);
    const workspace = await one.stores.directory.newIncarnation();
    await put(one, workspace, "a", "1");
    const turn = one.stores.holding(workspace) ?? 0;
    one.events.length = 0;
    await postgres.pause();
    await one.heard(`drop ${workspace}`);
    expect(one.stores.holding(workspace)).toBeUndefined();
    await expect(one.stores.take(workspace)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await postgres.resume();
    await one.heard(`resume ${workspace}`);
    expect(one.stores.holding(workspace)).toBeGreaterThan(turn);
    expect(read(one, workspace, "a")).toBe("1");
    await put(one, workspace, "a", "2");
  });

  it("no acknowledged change is lost and no retried change is stored twice when the store is killed", async () => {
    const one = await start("one");
    const workspace = await one.stores.directory.newIncarnation();
    const key = keyOf(workspace, "counter");
    const acknowledged: number[] = [];
    let isStopped = false;
    const count = async () => {
      while (!isStopped)
        await one.stores.kv
          .transact((read) => {
            const next = Number(read.get(key)?.toString() ?? 0) + 1;
            return { ops: [{ key, value: Buffer.from(String(next)) }], apply: () => acknowledged.push(next) };
          })
          .catch(() => one.stores.take(workspace).catch(() => undefined));
    };
    const callers = Array.from({ length: 8 }, count);
    for (let kills = 0; kills < 3; kills++) {
      const before = acknowledged.length;
      while (acknowledged.length < before + 50) await new Promise((resolve) => setImmediate(resolve));
      await postgres.restart();
    }
    isStopped = true;
    await Promise.all(callers);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    await one.end();
    const two = await start("two");
    expect(Number(read(two, workspace, "counter"))).toBeGreaterThanOrEqual(Math.max(...acknowledged));
  });

  it("a local copy receives the missing changes, and is rebuilt if the store no longer has them", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const registries = [one, two].map(
      ({ stores }) => new Registry(stores.kv, stores.directory, () => 0, false),
    );
    await registries[0]?.createAccount(ACME, "ann");
    const workspace = registries[0]?.incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    const move = async (from: MemberServer, to: MemberServer) => {
      await from.stores.give(workspace);
      expect(await to.stores.take(workspace)).toBeUndefined();
      for (const registry of registries) registry.records.clear();
    };
    const keys = async (server: MemberServer) =>
      (await records(server)).filter(([key]) => key.startsWith("k/"));
    let [from, to] = [one, two];
    for (let turn = 0; turn < 6; turn++) {
      const registry = registries[turn % 2];
      await registry?.regenerateKey(ACME, "ann");
      await put(from, workspace, `n/${turn}`, "x".repeat(turn * 1000));
      if (turn > 1)
        await writeAll(from.stores.kv, { key: keyOf(workspace, `n/${turn - 2}`), value: undefined });
      if (turn > 3) await execute(url, "DELETE FROM ctxdb.changes");
      const before = await records(from);
      await move(from, to);
      expect(await records(to)).toEqual(before);
      expect(await keys(to)).toHaveLength(1);
      [from, to] = [to, from];
    }
  });

  it("after an interrupted load, the next attempt loads the workspace completely, including large values", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await one.stores.directory.newIncarnation();
    const values = ["", "x", "y".repeat(3_000_000), ...Array.from({ length: 2000 }, (_, i) => `value ${i}`)];
    for (const [i, value] of values.slice(0, 3).entries()) await put(one, workspace, `large/${i}`, value);
    await writeAll(
      one.stores.kv,
      ...values
        .slice(3)
        .map((value, i) => ({ key: keyOf(workspace, `small/${i}`), value: Buffer.from(value) })),
    );
    await one.stores.give(workspace);
    const broken = two.stores.take(workspace).catch((error: { code?: string }) => error.code);
    await postgres.restart();
    expect([undefined, "UNAVAILABLE"]).toContain(await broken);
    if (two.stores.holding(workspace) === undefined) expect(await two.stores.take(workspace)).toBeUndefined();
    expect(await records(two)).toEqual(await records(one));
    expect(read(two, workspace, "large/2")).toHaveLength(3_000_000);
  });

  it("a server does not show account names of workspaces that it does not hold, even if its copy has them", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const registries = [one, two].map(
      ({ stores }) => new Registry(stores.kv, stores.directory, () => 0, false),
    );
    const [first, second] = registries;
    await first?.createAccount(ACME, "ann");
    const workspace = first?.incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    await one.stores.give(workspace);
    expect(await two.stores.take(workspace)).toBeUndefined();
    for (const registry of registries) registry.records.clear();
    await second?.deleteAccount(ACME);
    expect(first?.incarnationOf(ACME)).toBeUndefined();
    const { key } = (await first?.createAccount(ACME, "bob")) ?? {};
    expect(key).toBeDefined();
    expect(first?.incarnationOf(ACME)?.incarnation).toBeGreaterThan(workspace);
    // the list of all accounts comes from the store
    expect(await second?.listAccounts()).toMatchObject([{ account: ACME, users: 1 }]);
  });

  it("if two servers create an account with the same name at once, one of them is refused", async () => {
    const servers = [await start("one"), await start("two")];
    const tries = servers.map(({ stores }) =>
      new Registry(stores.kv, stores.directory, () => 0, false).createAccount(ACME, "ann").then(
        () => "created",
        (error: { code?: string }) => error.code,
      ),
    );
    expect((await Promise.all(tries)).sort()).toEqual(["ALREADY_EXISTS", "created"]);
    expect(await servers[0]?.stores.directory.accounts("", 9)).toHaveLength(1);
  });

  it("a workspace loaded before its hand-over has all changes that were made during and after the load", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const registry = new Registry(one.stores.kv, one.stores.directory, () => 0, false);
    await registry.createAccount(ACME, "ann");
    const workspace = registry.incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    for (let i = 0; i < 40; i++) await put(one, workspace, `n/${i}`, `first ${i}`);
    // the copy is read while the owner continues to write
    const loading = two.stores.prepare(workspace);
    for (let i = 0; i < 20; i++) {
      await put(one, workspace, `n/${i}`, `second ${i}`);
      await writeAll(one.stores.kv, { key: keyOf(workspace, `n/${39 - i}`), value: undefined });
    }
    await loading;
    await registry.regenerateKey(ACME, "ann");
    expect(two.stores.holding(workspace)).toBeUndefined();
    expect(two.stores.kv.get("a/acme")).toBeUndefined();
    await expect(put(two, workspace, "a", "1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await one.stores.give(workspace, two.members.self);
    expect(await one.stores.take(workspace)).toMatchObject({ url: "http://two" });
    expect(await two.stores.take(workspace)).toBeUndefined();
    expect(await records(two)).toEqual(await records(one));
    expect(read(two, workspace, "n/7")).toBe("second 7");
  });

  it("loading a deleted account's workspace does not take its name from a new account", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const [first, second] = [one, two].map(
      ({ stores }) => new Registry(stores.kv, stores.directory, () => 0, false),
    );
    await first?.createAccount(ACME, "ann");
    const old = first?.incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    await two.stores.prepare(old);
    await first?.deleteAccount(ACME);
    await second?.createAccount(ACME, "bob");
    const now = second?.incarnationOf(ACME)?.incarnation;
    await two.stores.prepare(old);
    expect(second?.incarnationOf(ACME)?.incarnation).toBe(now);
    await one.stores.give(old, two.members.self);
    expect(await two.stores.take(old)).toBeUndefined();
    expect(second?.incarnationOf(ACME)?.incarnation).toBe(now);
  });

  it("any server may take a workspace handed to a stopped server, but not one handed to a running server", async () => {
    const [one, two, three] = [await start("one"), await start("two"), await start("three")];
    const workspace = await one.stores.directory.newIncarnation();
    const { self } = two.members;
    await one.stores.give(workspace, three.members.self);
    expect(await two.stores.take(workspace)).toMatchObject({ url: "http://three" });
    expect(await three.stores.take(workspace)).toBeUndefined();
    await two.end();
    await three.stores.give(workspace, self);
    expect(await one.stores.take(workspace)).toBeUndefined();
  });

  it("a draining server takes no workspace that another server can take, except those it creates", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await two.stores.directory.newIncarnation();
    expect(await one.handOvers.drain(one.members.self, true)).toBe(true);
    expect(await one.handOvers.drain(999, true)).toBe(false);
    await one.handOvers.due();
    await two.stores.give(workspace);
    expect(await one.stores.take(workspace)).toMatchObject({ url: "http://two" });
    expect(await two.stores.take(workspace)).toBeUndefined();
    const created = await one.stores.directory.newIncarnation();
    expect(one.stores.holding(created)).toBeDefined();
    await two.end();
    expect(await one.stores.take(workspace)).toBeUndefined();
  });

  it("a store that may lose acknowledged writes is refused", async () => {
    await execute(url, "ALTER ROLE ctxdb SET synchronous_commit = off");
    onTestFinished(() => execute(url, "ALTER ROLE ctxdb RESET synchronous_commit"));
    await expect(start("one")).rejects.toThrow("set synchronous_commit to on");
  });
});
