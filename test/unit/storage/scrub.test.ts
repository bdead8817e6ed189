import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prefixRange } from "../../../src/storage/kv.ts";
import { LevelKv } from "../../../src/storage/level/level-kv.ts";
import { writeAll } from "../../conformance/storage/kv.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("scrubbing a LevelDB store", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let kv: LevelKv;
  beforeEach(async () => {
    folder = await temporaryFolder();
    kv = await LevelKv.open(folder.path, silentLog);
  });
  afterEach(async () => {
    await kv.close();
    await folder.remove();
  });

  const put = (key: string, value: string) => writeAll(kv, { key, value: Buffer.from(value) });
  const remove = (key: string) => writeAll(kv, { key, value: undefined });
  async function holds(word: string): Promise<boolean> {
    for (const name of await readdir(folder.path))
      if ((await readFile(join(folder.path, name))).includes(word)) return true;
    return false;
  }
  const secret = (n: number) => `secret${n}quuxle`;

  it("scrubbing LevelDB leaves no overwritten or deleted value in log or tables", async () => {
    for (let round = 0; round < 4; round++) {
      // the first and the last key of a table are also listed elsewhere
      await put("a/first", `${round}`);
      await put("z/last", `${round}`);
      await put("w/1/a/x", secret(round));
      await put("w/1/b/name-zorblax", "a key with a name");
      // each round moves written data into tables, so that values are on several levels
      await kv.scrub([prefixRange("q/")]);
    }
    await put("a/first", "again");
    await put("z/last", "again");
    await put("w/1/a/x", "harmless");
    await remove("w/1/b/name-zorblax");
    await put("w/1/a/y", "stays");
    expect(await holds(secret(3))).toBe(true);
    await kv.scrub([prefixRange("w/1/a/"), prefixRange("w/1/b/")]);
    for (let round = 0; round < 4; round++) expect(await holds(secret(round))).toBe(false);
    expect(await holds("zorblax")).toBe(false);
    expect(await kv.keys({ gte: "w", lt: "z", limit: 10 })).toEqual(["w/1/a/x", "w/1/a/y"]);
  });

  it("scrubbing LevelDB clears a value written and deleted within one table", async () => {
    await put("w/1/a/x", secret(9));
    await remove("w/1/a/x");
    await kv.scrub([prefixRange("w/1/a/")]);
    expect(await holds(secret(9))).toBe(false);
  });

  it("scrubbing LevelDB waits for a snapshot that still shows the value", async () => {
    await put("w/1/a/x", secret(1));
    const snapshot = kv.snapshot();
    await remove("w/1/a/x");
    let isDone = false;
    const scrubbed = kv.scrub([prefixRange("w/1/a/")]).then(() => {
      isDone = true;
    });
    await put("w/2", "others go on");
    expect(Buffer.from(snapshot.get("w/1/a/x") ?? []).toString()).toBe(secret(1));
    expect(isDone).toBe(false);
    snapshot.close();
    await scrubbed;
    expect(await holds(secret(1))).toBe(false);
  });

  it("scrubbing LevelDB keeps records at the ends of the range", async () => {
    await put("w/1/a/", "first");
    await put("w/1/a0", "behind");
    await kv.scrub([prefixRange("w/1/a/")]);
    expect(Buffer.from(kv.get("w/1/a/") ?? []).toString()).toBe("first");
    expect(Buffer.from(kv.get("w/1/a0") ?? []).toString()).toBe("behind");
  });
});
