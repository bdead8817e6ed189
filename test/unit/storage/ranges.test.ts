import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const BYTES = 8 * 1024 * 1024;

/** Number of bytes that this process has read from files. */
const bytesRead = async () => Number(/^rchar: (\d+)$/m.exec(await readFile("/proc/self/io", "latin1"))?.[1]);

describe("parts of a large blob", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let blobs: DiskBlobs;
  let hash: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    const writer = await DiskBlobs.open(folder.path, Date.now);
    ({ hash } = await writer.put("1", Buffer.alloc(BYTES, "content")));
    // as after a restart
    blobs = await DiskBlobs.open(folder.path, Date.now);
  });
  afterEach(() => folder.remove());

  const part = async (start: number, end: number) =>
    Buffer.concat(await blobs.stream("1", hash, start, end).toArray()).toString();

  it("reading a large blob range by range verifies the whole blob once", async () => {
    const before = await bytesRead();
    for (let i = 0; i < 50; i++) expect(await part(i * 7, i * 7 + 7)).toBe("content");
    expect((await bytesRead()) - before).toBeLessThan(1.5 * BYTES);
  });

  it("reading many ranges of a large blob at once verifies the whole blob once", async () => {
    const before = await bytesRead();
    const parts = await Promise.all(Array.from({ length: 20 }, (_, i) => part(i * 7, i * 7 + 7)));
    expect(new Set(parts)).toEqual(new Set(["content"]));
    expect((await bytesRead()) - before).toBeLessThan(1.5 * BYTES);
  });

  it("ranges of a blob that this process wrote need no verification", async () => {
    const other = Buffer.alloc(BYTES, "another");
    const put = await blobs.put("1", other);
    const before = await bytesRead();
    expect(Buffer.concat(await blobs.stream("1", put.hash, 0, 7).toArray()).toString()).toBe("another");
    expect((await bytesRead()) - before).toBeLessThan(BYTES / 2);
  });

  it("a range of a blob is read even if another reader left during its verification", async () => {
    const leaving = blobs.stream("1", hash, 0, 7).on("error", () => undefined);
    const staying = part(7, 14);
    leaving.resume().destroy();
    expect(await staying).toBe("content");
  });

  it("a replaced blob file is verified again, even with the same size", async () => {
    expect(await part(0, 7)).toBe("content");
    const other = join(folder.path, "other");
    await writeFile(other, Buffer.alloc(BYTES, "damaged"));
    await rename(other, blobs.pathOf("1", hash));
    await expect(part(0, 7)).rejects.toThrow("damaged");
  });

  it("a blob that was read completely needs no verification for a range, and damage is never returned", async () => {
    const whole = () => blobs.stream("1", hash).toArray();
    await whole();
    const before = await bytesRead();
    expect(await part(0, 7)).toBe("content");
    expect((await bytesRead()) - before).toBeLessThan(BYTES / 2);
    const bytes = await readFile(blobs.pathOf("1", hash));
    bytes[BYTES - 1]! ^= 1;
    await writeFile(blobs.pathOf("1", hash), bytes);
    await expect(whole()).rejects.toThrow("damaged");
  });
});
