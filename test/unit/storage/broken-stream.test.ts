import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { whenOpen } from "../../support/open-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Size of zeros that need no space on the disk and would take minutes to read. */
const BYTES = 2 ** 40;

it("verifying a blob stops when its reader has left", async () => {
  const folder = await temporaryFolder();
  const blobs = await DiskBlobs.open(join(folder.path, "buckets"), Date.now);
  const path = blobs.pathOf("1", "0".repeat(64));
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  await file.truncate(BYTES);
  await file.close();
  const stream = blobs.stream("1", "0".repeat(64)).resume();
  expect(await whenOpen(path, true)).toBe(true);
  stream.destroy();
  expect(await whenOpen(path, false)).toBe(true);
  await folder.remove();
});
