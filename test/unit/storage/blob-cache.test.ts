import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { BlobCache } from "../../../src/storage/s3/blob-cache.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const CONTENT = Buffer.alloc(20_000, "heron ");
const ROUNDS = 20;

async function opened(maxBytes: number) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const files = await DiskBlobs.open(folder.path, Date.now);
  return { files, cache: await BlobCache.open(files, maxBytes, silentLog) };
}

it("a content that is stored again while its cached file is evicted stays readable until its release", async () => {
  const { files, cache } = await opened(1);
  let { hash, release } = await cache.add("1", CONTENT);
  const path = files.pathOf("1", hash);
  for (let round = 0; round < ROUNDS; round++) {
    const before = statSync(path).ino;
    const adding = cache.add("1", CONTENT);
    // the new file has its name now, and is not durable yet
    while (statSync(path, { throwIfNoEntry: false })?.ino === before) await setImmediate();
    await release();
    ({ release } = await adding);
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
  }
  await release();
  expect(await files.has("1", hash)).toBe(false);
});

it("a content that is removed from the cache while it is in use is removed at its release", async () => {
  const { files, cache } = await opened(1_000_000);
  const { hash, release } = await cache.add("1", CONTENT);
  await cache.remove("1", hash);
  expect((await readFile(files.pathOf("1", hash))).equals(CONTENT)).toBe(true);
  expect(cache.hold("1", hash)).toBeUndefined();
  await release();
  expect(await files.has("1", hash)).toBe(false);
});

it("a content that is removed from the cache and stored again before its release stays cached", async () => {
  const { files, cache } = await opened(1_000_000);
  const first = await cache.add("1", CONTENT);
  await cache.remove("1", first.hash);
  const second = await cache.add("1", CONTENT);
  await first.release();
  await second.release();
  expect((await readFile(files.pathOf("1", first.hash))).equals(CONTENT)).toBe(true);
  expect(cache.hold("1", first.hash)).toBeDefined();
});
