import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId, type WorkspaceId, workspaceId } from "../../../src/domain/ids.ts";
import { Connection } from "../../../src/storage/postgres/connection.ts";
import { execute, hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { silentLog } from "../../support/silent-log.ts";
import { type MemberServer, put, read, records, startMember } from "./members.ts";

const LEASE_MS = 60_000;
/** Short enough to be renewed several times within a test. */
const SHORT_LEASE_MS = 4000;
const ACME = accountId("acme");

describe.runIf(hasPostgres)("local copies of servers of one PostgreSQL", () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.empty();
  });
  afterAll(() => postgres?.stop());

  const start = (name: string, leaseMs = LEASE_MS) => startMember({ url, name, leaseMs });
  const registryOf = ({ stores }: MemberServer) => new Registry(stores.kv, stores.directory, () => 0, false);
  /** An account with a record, on a server. */
  const account = async (server: MemberServer) => {
    await registryOf(server).createAccount(ACME, "ann");
    const workspace = registryOf(server).incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    await put(server, workspace, "a", "secret");
    return workspace;
  };
  const droppedBy = async ({ stores }: MemberServer) => {
    const dropped: WorkspaceId[] = [];
    await stores.dropOutdated(async (workspace) => void dropped.push(workspace));
    return dropped;
  };

  it("a server removes its copy of an account that was deleted on another server", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await account(one);
    await two.stores.prepare(workspace);
    expect(read(two, workspace, "a")).toBe("secret");
    expect([await droppedBy(one), await droppedBy(two)]).toEqual([[], []]);
    expect(read(two, workspace, "a")).toBe("secret");
    await registryOf(one).deleteAccount(ACME);
    await registryOf(one).finishDeletion(workspace);
    // the owner itself keeps what it holds
    expect([await droppedBy(one), await droppedBy(two)]).toEqual([[], [workspace]]);
    expect(read(one, workspace, "a")).toBe("secret");
    expect(
      (await records(two)).filter(([key]) => key.includes(workspace.toString(36).padStart(7, "0"))),
    ).toEqual([]);
    expect(await droppedBy(two)).toEqual([]);
  });

  it("a local copy is kept while later changes can be loaded, and a removed copy is loaded completely", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const workspace = await account(one);
    await two.stores.prepare(workspace);
    await put(one, workspace, "b", "later");
    expect(await droppedBy(two)).toEqual([]);
    // as after an hour
    await execute(url, "DELETE FROM ctxdb.changes");
    expect(await droppedBy(two)).toEqual([workspace]);
    expect(read(two, workspace, "a")).toBeUndefined();
    await one.stores.give(workspace);
    expect(await two.stores.take(workspace)).toBeUndefined();
    expect([read(two, workspace, "a"), read(two, workspace, "b")]).toEqual(["secret", "later"]);
    expect(await records(two)).toEqual(await records(one));
    // now it is the copy of the other server that has missed nothing
    expect([await droppedBy(one), await droppedBy(two)]).toEqual([[], []]);
  });

  it("a local copy that is reloaded or taken while outdated copies are removed is kept", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const first = await account(one);
    const second = await one.stores.directory.newIncarnation();
    await put(one, second, "a", "1");
    for (const workspace of [first, second]) await two.stores.prepare(workspace);
    for (const workspace of [first, second]) await put(one, workspace, "b", "2");
    await execute(url, "DELETE FROM ctxdb.changes");
    const dropped: WorkspaceId[] = [];
    await two.stores.dropOutdated(async (workspace) => {
      dropped.push(workspace);
      if (workspace !== first) return;
      await one.stores.give(second);
      expect(await two.stores.take(second)).toBeUndefined();
    });
    expect(dropped).toEqual([first]);
    expect(read(two, second, "b")).toBe("2");
  });

  it("a server gives up a workspace at the next lease renewal if its turn in the store has changed", async () => {
    const one = await start("one", SHORT_LEASE_MS);
    const [other, kept] = [
      await one.stores.directory.newIncarnation(),
      await one.stores.directory.newIncarnation(),
    ];
    const turn = one.stores.holding(kept);
    await execute(url, `UPDATE ctxdb.workspaces SET turn = turn + 1 WHERE incarnation = ${other}`);
    await one.heard(`drop ${other}`);
    await put(one, kept, "a", "1");
    expect(one.stores.holding(kept)).toBe(turn);
    expect(one.events).not.toContain(`drop ${kept}`);
  });

  it("a load does not delay the takeover of other workspaces", async () => {
    const [one, two] = [await start("one"), await start("two")];
    const [large, small] = [
      await one.stores.directory.newIncarnation(),
      await one.stores.directory.newIncarnation(),
    ];
    for (const workspace of [large, small]) await put(one, workspace, "a", "1");
    await two.stores.prepare(small);
    for (const workspace of [large, small]) await one.stores.give(workspace);
    const lock = new Connection(url, silentLog);
    onTestFinished(() => lock.close());
    await lock.query("BEGIN");
    await lock.query("LOCK TABLE ctxdb.kv IN ACCESS EXCLUSIVE MODE");
    const loaded = two.stores.take(large);
    while ((await lock.query("SELECT 1 FROM pg_locks WHERE NOT granted")).length === 0);
    expect(await two.stores.take(small)).toBeUndefined();
    expect(two.stores.holding(large)).toBeUndefined();
    await lock.query("ROLLBACK");
    expect(await loaded).toBeUndefined();
    expect([read(two, large, "a"), read(two, small, "a")]).toEqual(["1", "1"]);
  });
});
