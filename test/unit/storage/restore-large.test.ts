import { expect, it } from "vitest";
import { restoreBackup, WHOLE_BACKUP } from "../../../src/storage/backup/restore-backup.ts";
import { Throttle } from "../../../src/storage/backup/throttle.ts";
import { writeBackup } from "../../../src/storage/backup/write-backup.ts";
import { DiskBackups } from "../../../src/storage/disk/disk-backups.ts";
import { ramStores } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KEY = "w/0000001/m/0000001/1/1";

it("a record above the size limit of usual changes can be restored", async () => {
  const folder = await temporaryFolder();
  const source = ramStores();
  const value = Buffer.alloc(8 * 1024 * 1024, "x");
  await source.kv.transact(() => ({ ops: [{ key: KEY, value }], apply: () => undefined }), {
    maxBytes: Number.POSITIVE_INFINITY,
  });
  const backups = await DiskBackups.open(folder.path, Date.now);
  const backup = await writeBackup(
    backups,
    {
      ...source,
      referenced: async function* () {
        // no large contents
      },
      isTransient: () => false,
      dataFormat: 1,
    },
    {
      name: "b",
      version: "0.0.0",
      scheduled: false,
      now: () => 1,
      throttle: new Throttle(2 ** 40, new AbortController().signal),
      onProgress: () => undefined,
    },
  );
  const target = ramStores();
  const onProgress = () => undefined;
  await restoreBackup(backups, backup, target, { select: WHOLE_BACKUP, onProgress });
  expect(Buffer.compare(Buffer.from(target.kv.get(KEY) ?? []), value)).toBe(0);
  await folder.remove();
});
