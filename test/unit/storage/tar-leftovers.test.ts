import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Header } from "tar";
import { expect, it } from "vitest";
import { BACKUP_FORMAT } from "../../../src/storage/backup/manifest.ts";
import { openBackupFile, readBackups } from "../../../src/storage/open-backups.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A content of an account, in which every second block is the header of a forged manifest. */
function sprayed(): Buffer {
  const manifest = Buffer.alloc(512, " ");
  manifest.write(
    JSON.stringify({
      ...{ format: BACKUP_FORMAT, name: "zz", createdAt: 8e15, version: "9", dataFormat: 1, scheduled: true },
      ...{ records: 0, contents: 0, bytes: 0, addedBytes: 0, durationMs: 0, segments: [], lost: [] },
      contentsHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }),
  );
  const header = Buffer.alloc(512);
  new Header({ path: "zz.json", size: 512, mode: 0o600, type: "File", mtime: new Date(0) }).encode(header);
  return Buffer.concat(Array.from({ length: 200 }, () => [manifest, header]).flat());
}

it("a content of an interrupted backup is never listed as a backup, even after another interruption", async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, "nightly.tar");
  const first = await openBackupFile(path);
  await first.put("contents", sprayed());
  await first.close(); // killed: there is no manifest
  const second = await openBackupFile(path);
  await second.put("contents", Buffer.alloc(512, "x")); // a smaller content comes first
  await second.close(); // killed again, or listed meanwhile
  const found = await readBackups(path, Date.now);
  expect((await found!.list()).backups.map(({ name }) => name)).toEqual([]);
  await found!.close();
  await folder.remove();
});

it("a tar file with remains of interrupted backups can be read, and one without any backup is refused", async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, "nightly.tar");
  // what earlier versions left: a header where the library refuses every number
  await writeFile(path, Buffer.concat([Buffer.alloc(512), Buffer.alloc(2048, 0x81)]));
  const found = await readBackups(path, Date.now);
  expect((await found!.list()).backups).toEqual([]);
  await found!.close();
  await writeFile(path, Buffer.alloc(2048, 0x81));
  await expect(openBackupFile(path)).rejects.toThrow(/data other than backups/);
  await folder.remove();
});
