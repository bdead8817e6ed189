import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Spool } from "../../../src/storage/disk/spool.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SETTING = "CTXDB_MAX_UPLOAD_BYTES";

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const textOf = async (spool: Spool, id: string) => {
  const stream = await spool.read(id);
  return stream && Buffer.concat(await stream.toArray()).toString();
};

describe("the spool of uploads", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let spool: Spool;
  beforeEach(async () => {
    folder = await temporaryFolder();
    spool = await Spool.open(folder.path);
  });
  afterEach(() => folder.remove());

  it("the upload spool keeps an upload until it is removed, even across a restart", async () => {
    const written = await spool.write("one", pieces("hello ", "world"), 11, SETTING);
    expect(written).toEqual({ size: 11, sha256: createHash("sha256").update("hello world").digest("hex") });
    const again = await Spool.open(folder.path);
    expect(await textOf(again, "one")).toBe("hello world");
    expect(await gather(again.list())).toEqual(["one"]);
    await again.remove("one");
    await again.remove("one");
    expect(await textOf(again, "one")).toBeUndefined();
  });

  it("an upload one byte above the limit is refused with 413 and not stored", async () => {
    const refusal = spool.write("big", pieces("123456", "7890", "!"), 10, SETTING);
    await expect(refusal).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      http: 413,
      message: expect.stringContaining(SETTING),
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("the upload spool keeps nothing of an aborted upload and lists no unfinished upload", async () => {
    let seen: unknown;
    async function* broken() {
      yield Buffer.from("half");
      seen = [await spool.read("half"), await gather(spool.list())];
      throw new Error("the sender has left");
    }
    await expect(spool.write("half", broken(), 100, SETTING)).rejects.toThrow("the sender has left");
    expect(seen).toEqual([undefined, []]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("the upload spool never overwrites an upload or writes outside its folder", async () => {
    await spool.write("one", pieces("first"), 10, SETTING);
    await expect(spool.write("one", pieces("second"), 10, SETTING)).rejects.toThrow();
    expect(await textOf(spool, "one")).toBe("first");
    await expect(spool.write("../out", pieces("x"), 10, SETTING)).rejects.toThrow(/not the id/);
    expect(await spool.read("../out")).toBeUndefined();
  });
});
