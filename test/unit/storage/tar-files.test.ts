import { execFileSync } from "node:child_process";
import { appendFile, copyFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { BACKUP_FORMAT } from "../../../src/storage/backup/manifest.ts";
import type { BackupRepository } from "../../../src/storage/backup/repository.ts";
import { openBackupFile, readBackups } from "../../../src/storage/open-backups.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { codeOf } from "../../support/tenant.ts";

const CONTENT = Buffer.from("A line about heat pumps.\n".repeat(20_000));
const BUCKET = "w1";

/** Stores a backup with one segment and one large content. */
async function write(repository: BackupRepository, name: string, segment: string, content = CONTENT) {
  const records = Buffer.from(segment);
  const [hash, contentHash] = [sha256(records), sha256(content)];
  if (!(await repository.has("records", hash))) await repository.put("records", records);
  if (!(await repository.has("contents", contentHash))) await repository.put("contents", content);
  const counts = { records: 1, contents: 1, bytes: 1, addedBytes: 1, durationMs: 1, createdAt: 1 };
  return repository.finish(
    {
      ...counts,
      format: BACKUP_FORMAT,
      name,
      version: "0.0.0",
      dataFormat: 1,
      scheduled: false,
      segments: [hash],
      lost: [],
    },
    [{ bucket: BUCKET, hash: contentHash }],
  );
}

describe("backups in a tar file", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let path: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, "nightly.tar");
  });
  afterEach(() => folder.remove());

  const changing = async <T>(change: (repository: BackupRepository) => Promise<T>): Promise<T> => {
    const repository = await openBackupFile(path);
    try {
      return await change(repository);
    } finally {
      await repository.close();
    }
  };
  const reading = async <T>(read: (repository: BackupRepository) => Promise<T>): Promise<T> => {
    const repository = await readBackups(path, Date.now);
    if (!repository) throw new Error("there is no backup file");
    try {
      return await read(repository);
    } finally {
      await repository.close();
    }
  };
  const names = () =>
    reading(async (repository) => (await repository.list()).backups.map(({ name }) => name).sort());
  const contentOf = (name: string) =>
    reading(async (repository) => {
      const backup = await repository.manifest(name);
      const parts: Uint8Array[] = [];
      if (backup)
        for await (const { hash } of repository.contents(backup))
          for await (const part of repository.stream("contents", hash)) parts.push(part);
      return Buffer.concat(parts);
    });

  it("a second backup in a tar file appends only new contents, and both backups can be read", async () => {
    await changing((repository) => write(repository, "first", "one"));
    const before = (await stat(path)).size;
    await changing((repository) => write(repository, "second", "two"));
    expect((await stat(path)).size - before).toBeLessThan(10_000);
    expect(await names()).toEqual(["first", "second"]);
    for (const name of ["first", "second"]) expect((await contentOf(name)).equals(CONTENT)).toBe(true);
  });

  it("a tar program unpacks a backup file to a backup folder that only its owner may read", async () => {
    await changing((repository) => write(repository, "first", "one"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    execFileSync("tar", ["-xf", path, "-C", folder.path]);
    const unpacked = await readBackups(folder.path, Date.now);
    const backup = await unpacked?.manifest("first");
    expect((await unpacked?.get("contents", sha256(CONTENT)))?.byteLength).toBe(CONTENT.byteLength);
    expect(backup?.segments).toEqual([sha256("one")]);
  });

  it("a backup cut off anywhere in its tar file leaves the earlier one intact, and the next is complete", async () => {
    await changing((repository) => write(repository, "first", "one"));
    const { size: whole } = await stat(path);
    const other = Buffer.from("Another content.\n".repeat(500));
    await changing((repository) => write(repository, "second", "two", other));
    const { size } = await stat(path);
    const copy = `${path}.copy`;
    await copyFile(path, copy);
    const cuts = Array.from({ length: 20 }, (_, i) => whole - 1024 + Math.floor(((size - whole) * i) / 20));
    for (const cut of cuts) {
      await copyFile(copy, path);
      await truncate(path, cut);
      expect((await names()).includes("first")).toBe(true);
      expect((await contentOf("first")).equals(CONTENT)).toBe(true);
      if ((await names()).includes("second")) continue;
      await changing((repository) => write(repository, "third", "three", other));
      expect((await contentOf("third")).equals(other)).toBe(true);
    }
  });

  it("a damaged content in a tar file is detected, discarded, and stored again by the next backup", async () => {
    await changing((repository) => write(repository, "first", "one"));
    const bytes = await readFile(path);
    bytes[bytes.indexOf("heat pumps")] = 0;
    await writeFile(path, bytes);
    await expect(contentOf("first")).rejects.toThrow(/is damaged/);
    await changing((repository) => repository.discard("contents", sha256(CONTENT)));
    expect(await reading((repository) => repository.has("contents", sha256(CONTENT)))).toBe(false);
    await changing((repository) => write(repository, "second", "two"));
    expect((await contentOf("first")).equals(CONTENT)).toBe(true);
  });

  it("deleting a backup shrinks its tar file by the contents that only that backup needed", async () => {
    const other = Buffer.from("Another content.\n".repeat(5000));
    await changing((repository) => write(repository, "first", "one"));
    await changing((repository) => write(repository, "second", "two", other));
    const freed = await changing(async (repository) => {
      await repository.remove("first");
      return repository.prune();
    });
    expect(freed).toBe(CONTENT.byteLength + "one".length);
    expect((await stat(path)).size).toBeLessThan(other.byteLength + 10_000);
    expect(await names()).toEqual(["second"]);
    expect((await contentOf("second")).equals(other)).toBe(true);
    expect(await readdir(folder.path)).toEqual(["nightly.tar"]);
  });

  it("a file with other data than backups is neither read nor overwritten", async () => {
    await appendFile(path, "the diary of somebody\n".repeat(100));
    const before = await readFile(path);
    expect(await codeOf(openBackupFile(path))).toBe("FAILED_PRECONDITION");
    expect(await codeOf(readBackups(path, Date.now))).toBe("FAILED_PRECONDITION");
    expect((await readFile(path)).equals(before)).toBe(true);
  });
});
