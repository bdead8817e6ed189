import { SerialExecutor } from "../../../src/base/concurrency/serial-executor.ts";
import { UriCodec } from "../../../src/domain/uri.ts";
import { IndexCache } from "../../../src/index/cache.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import type { Kv } from "../../../src/storage/kv.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import type { WorkspaceStores } from "../../../src/workspace/workspace-parts.ts";

export interface TestStores extends WorkspaceStores {
  readonly reports: string[];
}

/** Everything a workspace needs; index files are in a folder on disk. */
export async function storesOf(kv: Kv, folder: string, cacheBytes = 2 ** 30): Promise<TestStores> {
  const reports: string[] = [];
  const clock = () => 0;
  const executor = new SerialExecutor((error) => reports.push(String(error)));
  const index = {
    files: await DiskBlobs.open(folder, clock),
    spaces: [],
    sealDocs: 8,
    cache: new IndexCache(cacheBytes),
    executor,
    report: (what: string) => reports.push(what),
  };
  return {
    kv,
    blobs: new RamBlobs(clock),
    clock,
    uris: new UriCodec("ctx", []),
    onBlobFreed: () => undefined,
    index,
    reports,
  };
}
