import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { blobsSuite } from "./blobs.ts";
import { directorySuite } from "./directory.ts";
import { factsSuite } from "./facts.ts";
import { kvSuite } from "./kv.ts";

kvSuite("memory", async () => {
  const kv = new RamKv();
  return { kv, dispose: () => kv.close() };
});

factsSuite("memory", async () => {
  const kv = new RamKv();
  return { facts: new KvFacts(kv), again: () => new KvFacts(kv), dispose: () => kv.close() };
});

directorySuite("memory", async () => {
  const kv = new RamKv();
  return { kv, again: () => new KvDirectory(kv), dispose: () => kv.close() };
});

blobsSuite("memory", async (clock) => ({ blobs: new RamBlobs(clock), dispose: async () => undefined }));
