import { join } from "node:path";
import { expect, it } from "vitest";
import { Backups } from "../../../src/service/backup/backups.ts";
import { openBackups } from "../../../src/storage/open-backups.ts";
import { silentLog } from "../../support/silent-log.ts";
import { ramStores } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const HOUR_MS = 3_600_000;

it("scheduled backups are written when due, and only the last ones are kept", async () => {
  const folder = await temporaryFolder();
  const { kv, blobs, clock } = ramStores();
  const open = () => openBackups(join(folder.path, "backups"), () => clock.now);
  const backups = new Backups({
    open,
    source: { kv, blobs, referenced: async function* () {}, isTransient: () => false, dataFormat: 1 },
    settings: { bytesPerSecond: 2 ** 30, everyHours: 24, keep: 2, to: undefined, objects: undefined },
    version: "0.0.0",
    clock: () => clock.now,
    log: silentLog,
  });
  await backups.begin("asked-for").done;
  const names: string[][] = [];
  for (let hours = 0; hours <= 72; hours += 12) {
    await backups.runDue();
    const listed = await backups.reading(undefined, (repository) => repository.list());
    names.push((listed?.backups ?? []).map(({ name }) => name));
    clock.now += 12 * HOUR_MS;
  }
  await backups.close();
  await folder.remove();
  const [d1, d2, d3, d4] = ["20231114", "20231115", "20231116", "20231117"].map(
    (day) => `scheduled-${day}-221320`,
  );
  expect(names.map((all) => all.filter((name) => name !== "asked-for"))).toEqual([
    [d1],
    [d1],
    [d2, d1],
    [d2, d1],
    [d3, d2],
    [d3, d2],
    [d4, d3],
  ]);
  expect(names.every((all) => all.includes("asked-for"))).toBe(true);
});
