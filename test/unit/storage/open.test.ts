import { createHash } from "node:crypto";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StartError } from "../../../src/base/start-error.ts";
import { openStorage } from "../../../src/storage/open.ts";
import { startChild } from "../../support/child.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const open = (dataDir: string) => openStorage({ dataDir, log: silentLog, clock: Date.now });
const child = (dataDir: string, mode: string) => startChild("storage-child.ts", [dataDir, mode]);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe("a data directory", () => {
  it("a data directory keeps its records when it is opened again", async () => {
    const first = await open(folder.path);
    await first.kv.transact(() => ({ ops: [{ key: "a", value: Buffer.from("1") }], apply: () => undefined }));
    await first.close();
    const second = await open(folder.path);
    expect(Buffer.from(second.kv.get("a")!).toString()).toBe("1");
    await second.close();
  });

  it("a data directory in use is refused to a second opener, in any process", async () => {
    const first = await open(folder.path);
    await expect(open(join(folder.path, "."))).rejects.toThrow(StartError);
    await expect(open(folder.path)).rejects.toThrow(/another server .*CTXDB_DATA_DIR/);
    const other = await child(folder.path, "hold").ended;
    expect(other.status).toBe(3);
    expect(other.errors).toContain("another server");
    await first.kv.transact(() => ({ ops: [{ key: "a", value: Buffer.from("1") }], apply: () => undefined }));
    expect(first.kv.get("a")).toBeDefined();
    await first.close();
  });

  it("a data directory stays locked by LevelDB if its lock file is gone", async () => {
    const holder = child(folder.path, "hold");
    await holder.said((output) => output.includes("open"));
    await writeFile(join(folder.path, "server.lock"), "");
    await expect(open(folder.path)).rejects.toThrow(/another server/);
    await holder.kill();
  });

  it("the data directory of a killed server opens with every acknowledged write", async () => {
    for (let round = 0; round < 2; round++) {
      const writer = child(join(folder.path, `${round}`), "write");
      const lines = (output: string) => output.split("\n").slice(0, -1);
      await writer.said((output) => lines(output).length > 400 * (round + 1));
      await writer.kill();
      const acknowledged = lines(await writer.said(() => true));
      const storage = await open(join(folder.path, `${round}`));
      const stored = new Map(await storage.kv.range({ gte: "", lt: "~", limit: 1_000_000 }));
      expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
      for (const [key, hash] of stored) {
        const content = `blob of ${key}`;
        if (hash.byteLength > 0)
          expect(sha256(await storage.blobs.get("1", Buffer.from(hash).toString()))).toBe(
            sha256(Buffer.from(content)),
          );
      }
      await storage.close();
    }
  });

  it("a stale lock is taken over even if its process number was reused", async () => {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    for (const stale of [
      `${process.ppid} 1 ${boot}`,
      `${process.ppid} 1 another-boot`,
      "999999999 5 x",
      "",
      "nonsense",
    ]) {
      await writeFile(join(folder.path, "server.lock"), stale);
      const storage = await open(folder.path);
      await storage.close();
    }
  });

  it("a data directory of another format is refused and left unchanged", async () => {
    await writeFile(join(folder.path, "FORMAT"), "ctxdb 999\n");
    await expect(open(folder.path)).rejects.toThrow(/format "ctxdb 999"/);
    expect(await readFile(join(folder.path, "FORMAT"), "utf8")).toBe("ctxdb 999\n");
  });

  it("only the owner can access a new data directory", async () => {
    const dataDir = join(folder.path, "deep", "data");
    await (await open(dataDir)).close();
    expect(await modeOf(dataDir)).toBe("700");
    expect(await modeOf(join(folder.path, "deep"))).toBe("700");
  });

  it("a data directory that others can access becomes private at the next start, with one warning", async () => {
    await (await open(folder.path)).close();
    await chmod(folder.path, 0o755);
    await chmod(join(folder.path, "kv"), 0o755);
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    for (let start = 0; start < 2; start++)
      await (await openStorage({ dataDir: folder.path, log, clock: Date.now })).close();
    expect(await modeOf(folder.path)).toBe("700");
    expect(await modeOf(join(folder.path, "kv"))).toBe("700");
    expect(
      lines.filter((line) => line.includes("other users")).map((line) => JSON.parse(line)),
    ).toMatchObject([{ folder: folder.path, was: "0755", now: "0700" }]);
  });

  it("a data directory that cannot be created or is damaged is refused with the reason at every attempt", async () => {
    await writeFile(join(folder.path, "file"), "");
    await expect(open(join(folder.path, "file"))).rejects.toThrow(/CTXDB_DATA_DIR/);
    const dataDir = join(folder.path, "data");
    await (await open(dataDir)).close();
    await writeFile(join(dataDir, "kv", "CURRENT"), "MANIFEST-999999\n");
    for (let attempt = 0; attempt < 2; attempt++) {
      const refusal = await open(dataDir).catch((error: Error) => error);
      expect(refusal).toBeInstanceOf(StartError);
      expect((refusal as Error).message).toMatch(/damaged: kv\/CURRENT: it names MANIFEST-999999/);
    }
  });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
