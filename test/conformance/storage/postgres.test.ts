import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { LevelFile } from "../../../src/storage/level/level-file.ts";
import { Connection } from "../../../src/storage/postgres/connection.ts";
import { openShared } from "../../../src/storage/postgres/open.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { directorySuite } from "./directory.ts";
import { factsSuite } from "./facts.ts";
import { kvSuite } from "./kv.ts";
import { storesSuite } from "./stores.ts";

const LEASE_MS = 60_000;

describe.runIf(hasPostgres)("PostgreSQL", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  async function open() {
    const folder = await temporaryFolder();
    const { stores, close } = await openShared({
      url: await postgres.empty(),
      memberUrl: "http://127.0.0.1:1933",
      leaseMs: LEASE_MS,
      copy: await LevelFile.open(join(folder.path, "copy"), silentLog),
      clock: Date.now,
      log: silentLog,
    });
    return { stores, dispose: () => close().then(folder.remove) };
  }

  async function started() {
    const opened = await open();
    const nothing = async () => undefined;
    await opened.stores.start({ adopt: nothing, resume: nothing, leave: nothing, drop: () => undefined });
    return opened;
  }

  it("copying rows may exceed the time limit of a statement as long as rows arrive", async () => {
    const url = await postgres.empty();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const connection = new Connection(url, silentLog);
    onTestFinished(() => connection.close());
    let bytes = 0;
    const rows = "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 20000)) TO STDOUT";
    for await (const part of connection.copy(rows)) {
      if (bytes === 0) await vi.advanceTimersByTimeAsync(31_000);
      bytes += part.byteLength;
    }
    expect(bytes).toBeGreaterThan(20_000_000);
  });

  it("the time limit of a statement grows with the size of its values, for that statement only", async () => {
    const connection = new Connection(await postgres.empty(), silentLog);
    onTestFinished(() => connection.close());
    const limit = async (value: Buffer) => {
      const asked = "SELECT current_setting('statement_timeout') AS now, length($1::bytea)::text AS bytes";
      return (await connection.query(asked, [value]))[0];
    };
    const small = Buffer.alloc(1);
    expect(await limit(small)).toMatchObject({ now: "30s" });
    expect(await limit(Buffer.alloc(16_000_000))).toEqual({ now: "38s", bytes: "16000000" });
    expect(await limit(small)).toMatchObject({ now: "30s" });
    const large = connection.query("SELECT $1::bytea / 2", [Buffer.alloc(16_000_000)]);
    await expect(large).rejects.toThrow("operator does not exist");
    expect(await limit(small)).toMatchObject({ now: "30s" });
  });

  kvSuite("PostgreSQL with a copy", async () => {
    const { stores, dispose } = await started();
    // the tables that the suite writes to
    for (let i = 0; i < 2; i++) await stores.directory.newIncarnation();
    return { kv: stores.kv, dispose };
  });

  factsSuite("PostgreSQL", async () => {
    const { stores, dispose } = await started();
    return { facts: stores.facts, again: () => stores.facts, dispose };
  });

  directorySuite("PostgreSQL", async () => {
    const { stores, dispose } = await started();
    return { kv: stores.kv, again: () => stores.directory, dispose };
  });

  storesSuite("PostgreSQL", open);
});
