import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openZip } from "../../../src/ingest/zip.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const EXTRA_BYTES = 65_532;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** A zip of empty files, whose directory gives each an extra field of 16,383 empty parts. */
function zipWithExtras(files: number): Buffer {
  const names = Array.from({ length: files }, (_, i) => Buffer.from(`f${i}.txt`));
  const locals = names.map((name) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, name]);
  });
  const extra = Buffer.alloc(EXTRA_BYTES);
  for (let at = 0; at < EXTRA_BYTES; at += 4) extra.writeUInt16LE(0x9999, at);
  let offset = 0;
  const entries = names.map((name, i) => {
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50, 0);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt16LE(EXTRA_BYTES, 30);
    head.writeUInt32LE(offset, 42);
    offset += locals[i]!.length;
    return Buffer.concat([head, name, extra]);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(
    entries.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...entries, end]);
}

const limits = { maxFiles: 10_000, maxBytes: 1_000_000, field: "temp_path" };

it("a zip whose directory has large extra fields is read", async () => {
  const file = join(folder.path, "a.zip");
  await writeFile(file, zipWithExtras(60));
  const archive = await openZip(file, limits);
  expect(archive.members.size).toBe(60);
  const parts: Uint8Array[] = [];
  for await (const part of archive.members.get("f1.txt")!.read()) parts.push(part);
  expect(Buffer.concat(parts).length).toBe(0);
  await archive.close();
});

it("a zip directory with more than 64 MiB of extra fields is refused", async () => {
  const file = join(folder.path, "b.zip");
  await writeFile(file, zipWithExtras(1100));
  await expect(openZip(file, limits)).rejects.toThrow(/names in the archive/);
});
