import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkDataFolder } from "../../../src/cli/doctor/environment.ts";
import type { Migration } from "../../../src/storage/migration.ts";
import { migrationsOf, openStorage } from "../../../src/storage/open.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const open = (migrations: readonly Migration[], mayMigrate = true) =>
  openStorage({ dataDir: folder.path, log: silentLog, clock: Date.now, migrations, mayMigrate });

const format = async () => (await readFile(join(folder.path, "FORMAT"), "utf8")).trim();

/** Appends its name to one record, once, and fails the given number of times. */
function appending(name: string, failures = 0): Migration {
  let left = failures;
  return {
    what: `appends ${name}`,
    run: async ({ kv }) => {
      await kv.transact((read) => {
        const before = Buffer.from(read.get("names") ?? "").toString();
        const after = before.includes(name) ? before : before + name;
        return { ops: [{ key: "names", value: Buffer.from(after) }], apply: () => undefined };
      });
      if (left-- > 0) throw new Error("killed");
    },
  };
}

async function names(migrations: readonly Migration[]): Promise<string> {
  const storage = await open(migrations);
  const found = Buffer.from(storage.kv.get("names") ?? "").toString();
  await storage.close();
  return found;
}

it("an older data directory is migrated one format at a time, and only once", async () => {
  expect(await names([])).toBe("");
  expect(await format()).toBe("ctxdb 1");
  expect(await names([appending("a"), appending("b")])).toBe("ab");
  expect(await format()).toBe("ctxdb 3");
  expect(await names([appending("x"), appending("y")])).toBe("ab");
});

it("an interrupted migration runs again at the next start, and completed migrations do not", async () => {
  await names([]);
  const first = appending("a");
  await expect(open([first, appending("b", 1)])).rejects.toThrow(/cannot be used/);
  expect(await format()).toBe("ctxdb 2");
  expect(await names([appending("never"), appending("b")])).toBe("ab");
  expect(await format()).toBe("ctxdb 3");
});

it("a new data directory has the newest format and runs no migration", async () => {
  expect(await names([appending("a")])).toBe("");
  expect(await format()).toBe("ctxdb 2");
});

it("a check of a data directory reports what the next start will do, and changes nothing", async () => {
  await names([]);
  const steps = [appending("a"), appending("b")];
  expect(await migrationsOf(folder.path, steps)).toEqual(["appends a", "appends b"]);
  await expect(open(steps, false)).rejects.toThrow(/start the server once, which appends a; appends b$/);
  expect(await format()).toBe("ctxdb 1");
  expect(await migrationsOf(folder.path, [])).toEqual([]);
  expect(await checkDataFolder(folder.path)).toMatchObject({
    state: "good",
    found: expect.stringContaining(`${folder.path}, of an earlier version: the next start moves`),
  });
});

it("a data directory of a later or unknown format is refused by name and left unchanged", async () => {
  await names([appending("a")]);
  for (const found of ["ctxdb 2", "ctxdb 0", "ctxdb 01", "ctxdb 2.5", "other 1"]) {
    await writeFile(join(folder.path, "FORMAT"), `${found}\n`);
    await expect(open([])).rejects.toThrow(`has the format "${found}"; this version reads only ctxdb 1: use`);
    expect(await migrationsOf(folder.path, [])).toEqual([]);
    expect(await format()).toBe(found);
  }
});
