import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { restoreBackup, WHOLE_BACKUP } from "../../../src/storage/backup/restore-backup.ts";
import { Throttle } from "../../../src/storage/backup/throttle.ts";
import { damagedObjects } from "../../../src/storage/backup/verify-objects.ts";
import { writeBackup } from "../../../src/storage/backup/write-backup.ts";
import type { Blobs } from "../../../src/storage/blobs.ts";
import { DiskBlobs } from "../../../src/storage/disk/disk-blobs.ts";
import { openBackupObjects } from "../../../src/storage/open-backups.ts";
import { BlobCache } from "../../../src/storage/s3/blob-cache.ts";
import { S3Blobs } from "../../../src/storage/s3/s3-blobs.ts";
import { hasS3, type S3Server, startS3 } from "../../support/s3.ts";
import { silentLog } from "../../support/silent-log.ts";
import { ramStores } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { blobsSuite } from "./blobs.ts";

const CACHE_BYTES = 1_000_000;

describe.runIf(hasS3)("an S3 server", () => {
  let s3: S3Server;
  let suites = 0;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  interface Opened {
    readonly blobs: S3Blobs;
    readonly files: DiskBlobs;
    /** The folder used as cache. */
    readonly cache: string;
    readonly dispose: () => Promise<void>;
  }

  async function open(prefix: string, turn: () => number | undefined, clock = Date.now): Promise<Opened> {
    const folder = await temporaryFolder();
    const client = s3.client();
    const files = await DiskBlobs.open(folder.path, clock);
    const cache = await BlobCache.open(files, CACHE_BYTES, silentLog);
    const blobs = new S3Blobs({ client, cache, prefix: `${prefix}/`, turnOf: turn, clock, retentionMs: 0 });
    const dispose = async () => {
      client.close();
      await folder.remove();
    };
    return { blobs, files, cache: folder.path, dispose };
  }

  blobsSuite("an S3 server", async (clock) => {
    const { blobs, dispose } = await open(`suite-${suites++}`, () => 71, clock);
    return { blobs, dispose, suffix: "-1z" };
  });

  describe("backups in an object store", () => {
    const settings = (prefix: string) => {
      const found = s3.settings(prefix);
      const of = (name: string) => found[`CTXDB_OBJECTS${name}`] ?? "";
      return {
        endpoint: of("_ENDPOINT"),
        accessKey: of("_ACCESS_KEY"),
        secretKey: of("_SECRET_KEY"),
        region: "us-east-1",
        bucket: "contents",
        prefix: `${prefix}/`,
        log: silentLog,
        clock: Date.now,
      };
    };

    it("backups in an object store are incremental, verified, restored, and leave nothing when deleted", async () => {
      const folder = await temporaryFolder();
      const spoolFolder = join(folder.path, "spool");
      const source = ramStores();
      const large = Buffer.from("A line about heat pumps.\n".repeat(20_000));
      const { hash, bytes } = await source.blobs.put("1", large);
      const backups = await openBackupObjects({ ...settings("backups"), spoolFolder });
      const { signal } = new AbortController();
      const write = (name: string) =>
        writeBackup(
          backups,
          {
            ...source,
            referenced: async function* () {
              yield { hash, bytes };
            },
            isTransient: () => false,
            dataFormat: 1,
          },
          {
            name,
            version: "0.0.0",
            scheduled: false,
            now: () => 1,
            throttle: new Throttle(2 ** 40, signal),
            onProgress: () => undefined,
          },
        );
      await source.kv.transact(() => ({ ops: [{ key: "a", value: large }], apply: () => undefined }));
      const first = await write("first");
      const second = await write("second");
      expect([first.lost, first.contents, second.addedBytes]).toEqual([[], 1, 0]);
      expect(await damagedObjects(backups, first, signal)).toMatchObject({ objects: 2, damaged: [] });
      const target = ramStores();
      const restored = await restoreBackup(backups, first, target, {
        select: WHOLE_BACKUP,
        onProgress: () => undefined,
      });
      expect(restored).toEqual({ records: 1, contents: 1 });
      expect(Buffer.from(await target.blobs.get("1", hash)).equals(large)).toBe(true);
      const files = await readdir(s3.folder("backups"), { recursive: true });
      const path = files.find((file) => file.endsWith(hash)) ?? "";
      await writeFile(join(s3.folder("backups"), path), "damaged");
      expect((await damagedObjects(backups, first, signal)).damaged).toEqual([{ kind: "contents", hash }]);
      await backups.discard("contents", hash);
      await write("third");
      expect((await damagedObjects(backups, first, signal)).damaged).toEqual([]);
      for (const name of ["first", "second", "third"]) await backups.remove(name);
      expect(await backups.prune()).toBeGreaterThan(large.byteLength);
      expect(await backups.list()).toEqual({ backups: [], damaged: [] });
      expect(await readdir(spoolFolder)).toEqual([]);
      await backups.close();
      await folder.remove();
    });

    it("an interrupted backup leaves the previous one, which a later process verifies and continues", async () => {
      const folder = await temporaryFolder();
      onTestFinished(() => folder.remove());
      const spoolFolder = join(folder.path, "spool");
      const source = ramStores();
      const contents: { hash: string; bytes: number }[] = [];
      const add = async (line: string) =>
        contents.push(await source.blobs.put("1", Buffer.from(line.repeat(20_000))));
      await add("A line about heat pumps.\n");
      const { signal } = new AbortController();
      type Backups = Awaited<ReturnType<typeof openBackupObjects>>;
      const write = (backups: Backups, name: string, dies: boolean) =>
        writeBackup(
          backups,
          {
            ...source,
            referenced: async function* () {
              for (const [at, content] of contents.entries()) {
                if (dies && at === 2) await backups.close();
                yield content;
              }
            },
            isTransient: () => false,
            dataFormat: 1,
          },
          {
            name,
            version: "0.0.0",
            scheduled: false,
            now: () => 1,
            throttle: new Throttle(2 ** 40, signal),
            onProgress: () => undefined,
          },
        );
      const opened = () => openBackupObjects({ ...settings("broken"), spoolFolder });
      const dying = await opened();
      const first = await write(dying, "first", false);
      await add("A line about herons.\n");
      await add("A line about storks.\n");
      await expect(write(dying, "second", true)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      const backups = await opened();
      const names = async () => (await backups.list()).backups.map(({ name }) => name);
      expect(await names()).toEqual(["first"]);
      expect((await damagedObjects(backups, first, signal)).damaged).toEqual([]);
      const second = await write(backups, "second", false);
      expect(second.contents).toBe(3);
      expect((await damagedObjects(backups, second, signal)).damaged).toEqual([]);
      expect(await readdir(spoolFolder)).toEqual([]);
      await backups.close();
    });

    it("objects larger than a part are uploaded in parts, and a failed upload leaves the previous object", async () => {
      const partBytes = 5 * 1024 * 1024;
      const client = s3.client({ partBytes });
      onTestFinished(() => client.close());
      const content = Buffer.alloc(2 * partBytes + 1000, "heron, stork ");
      const open = (range?: { start: number; end: number }) =>
        Readable.from([content.subarray(range?.start, range?.end)]);
      const large = { open, bytes: content.byteLength, sha256: sha256(content) };
      await client.put("parts/large", large);
      const stored = () => readFile(join(s3.folder("parts"), "large"));
      expect((await stored()).equals(content)).toBe(true);
      const broken = (range?: { start: number; end: number }) => {
        if (range?.start === partBytes) throw new Error("the disk failed");
        return open(range);
      };
      await expect(client.put("parts/large", { ...large, open: broken })).rejects.toThrow("the disk failed");
      expect((await stored()).equals(content)).toBe(true);
      const other = s3.client({ partBytes });
      const dying = (range?: { start: number; end: number }) => {
        if (range?.start === partBytes) other.close();
        return open(range);
      };
      await expect(other.put("parts/large", { ...large, open: dying })).rejects.toThrow();
      const day = 86_400_000;
      const abandoned = (now: number) => client.abortAbandoned("parts/", now);
      expect(await abandoned(Date.now() + day / 2)).toBe(0);
      expect(await client.abortAbandoned("elsewhere/", Date.now() + 2 * day)).toBe(0);
      expect(await abandoned(Date.now() + 2 * day)).toBe(1);
      expect(await abandoned(Date.now() + 2 * day)).toBe(0);
      expect((await stored()).equals(content)).toBe(true);
    });

    it("the error for keys without access names the object store's contents, but not the keys", async () => {
      const wrong = {
        ...settings("refused"),
        secretKey: "wrong-secret-of-the-tester",
        spoolFolder: undefined,
      };
      const error = await openBackupObjects(wrong).catch((failure: unknown) => failure);
      expect(String(error)).toContain("the keys may not use the bucket contents");
      expect(String(error)).not.toContain("secret-of");
    });
  });

  describe("objects of an S3 server that two servers use", () => {
    let prefix: string;
    /** Servers that own the workspace one after the other. */
    let turns: (number | undefined)[];
    beforeEach(() => {
      prefix = `servers-${suites++}`;
      turns = [5, undefined];
    });

    async function servers(): Promise<[Opened, Opened]> {
      const opened: [Opened, Opened] = [
        await open(prefix, () => turns[0]),
        await open(prefix, () => turns[1]),
      ];
      onTestFinished(async () => {
        for (const { dispose } of opened) await dispose();
      });
      return opened;
    }

    const namesIn = async (blobs: Blobs) => {
      const names: string[] = [];
      for await (const { hash } of blobs.list("1")) names.push(hash);
      return names.sort();
    };

    it("a late removal by a former owner does not remove the same content stored by the next owner", async () => {
      const [{ blobs: one }, { blobs: two }] = await servers();
      const content = Buffer.from("The same heron.");
      const first = await one.put("1", content);
      const [found] = await namesIn(one);
      turns = [undefined, 6];
      const second = await two.put("1", content);
      expect(second.hash).not.toBe(first.hash);
      await one.remove("1", found ?? "");
      expect(await two.get("1", second.hash)).toEqual(content);
      expect(await namesIn(two)).toEqual([second.hash]);
    });

    it("a server lists content stored by itself and earlier owners, but not by later ones", async () => {
      const [{ blobs: one }, { blobs: two }] = await servers();
      const old = await one.put("1", Buffer.from("old"));
      turns[1] = 6;
      const young = await two.put("1", Buffer.from("young"));
      expect(await namesIn(one)).toEqual([old.hash]);
      expect(await namesIn(two)).toEqual([old.hash, young.hash].sort());
    });

    it("a server that does not hold the workspace stores and lists none of its objects", async () => {
      const [, { blobs: two }] = await servers();
      await expect(two.put("1", Buffer.from("mine"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(namesIn(two)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      turns[1] = 9;
      expect(await namesIn(two)).toEqual([]);
    });

    it("content damaged in the cache is fetched again, and content damaged in the store is an error", async () => {
      const [{ blobs: one, files }, { blobs: two }] = await servers();
      const content = Buffer.alloc(50_000, "heron ");
      const { hash } = await one.put("1", content);
      const cached = files.pathOf("1", hash.slice(0, 64));
      await chmod(cached, 0o600);
      await writeFile(cached, "damaged");
      expect(Buffer.compare(await one.get("1", hash), content)).toBe(0);
      const [stored = ""] = await readdir(join(s3.folder(prefix), "1"));
      const object = join(s3.folder(prefix), "1", stored);
      expect((await readFile(object)).byteLength).toBe(50_000);
      await writeFile(object, Buffer.alloc(50_000, "stork "));
      await expect(two.get("1", hash)).rejects.toThrow("is damaged");
    });

    it("a cache does not exceed its maximum bytes, and larger content can still be read", async () => {
      const [{ blobs: one, files }] = await servers();
      const contents = Array.from({ length: 6 }, (_, i) => Buffer.alloc(400_000, `${i}`));
      contents.push(Buffer.alloc(3_000_000, "x"));
      const names: string[] = [];
      for (const content of contents) names.push((await one.put("1", content)).hash);
      await Promise.all(
        names.map(async (name, i) => {
          const found = await one.get("1", name);
          expect(Buffer.compare(found, contents[i] ?? Buffer.of())).toBe(0);
        }),
      );
      let bytes = 0;
      for await (const file of files.list("1")) bytes += file.bytes;
      expect(bytes).toBeLessThanOrEqual(CACHE_BYTES);
    });

    it("the error names wrong keys, a missing bucket, or an unreachable object store", async () => {
      const ask = async (other: Parameters<S3Server["client"]>[0]) => {
        const client = s3.client(other);
        try {
          return await client.fault();
        } catch (error) {
          return (error as { code?: string }).code;
        } finally {
          client.close();
        }
      };
      expect(await ask({})).toBeUndefined();
      expect(await ask({ secretKey: "another" })).toContain("keys may not use the bucket");
      expect(await ask({ bucket: "missing" })).toContain("there is no bucket missing");
      expect(await ask({ endpoint: "http://127.0.0.1:1" })).toBe("UNAVAILABLE");
    });
  });
});
