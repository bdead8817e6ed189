import { join } from "node:path";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { blobsSuite } from "./blobs.ts";

blobsSuite("the disk", async (clock) => {
  const folder = await temporaryFolder();
  return { blobs: await DiskBlobs.open(join(folder.path, "buckets"), clock), dispose: folder.remove };
});
