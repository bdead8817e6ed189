import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { Throttle } from "../../../src/storage/backup/throttle.ts";
import { writeBackup } from "../../../src/storage/backup/write-backup.ts";
import { DiskBackups } from "../../../src/storage/disk/disk-backups.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { ramStores } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Backs up a stored and a missing content, while reads of stored ones fail with `fault`. */
async function backUp(fault?: Error) {
  const folder = await temporaryFolder();
  try {
    const blobs = await DiskBlobs.open(`${folder.path}/blobs`, Date.now);
    const { hash } = await blobs.put("0000001", Buffer.from("a heron"));
    if (fault)
      blobs.stream = () => {
        const failing = new Readable({ read: () => failing.destroy(fault) });
        return failing;
      };
    const missing = "0".repeat(64);
    const backup = await writeBackup(
      await DiskBackups.open(`${folder.path}/backups`, Date.now),
      {
        kv: ramStores().kv,
        blobs,
        referenced: async function* () {
          yield { hash, bytes: 7 };
          yield { hash: missing, bytes: 7 };
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
    return { contents: backup.contents, lost: backup.lost };
  } finally {
    await folder.remove();
  }
}

it("a backup leaves out what is missing, and fails if a content cannot be read just now", async () => {
  expect(await backUp()).toEqual({ contents: 1, lost: [`0000001 ${"0".repeat(64)}`] });
  const tooMany = Object.assign(new Error("EMFILE: too many open files, open"), {
    code: "EMFILE",
    syscall: "open",
  });
  await expect(backUp(tooMany)).rejects.toThrow("too many files open");
  const brokenOff = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  await expect(backUp(brokenOff)).rejects.toThrow("aborted");
});
