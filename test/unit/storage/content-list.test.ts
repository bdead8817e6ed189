import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import { contentList, contentsIn } from "../../../src/storage/backup/listing.ts";
import { type BackupManifest, DamagedBackup } from "../../../src/storage/backup/manifest.ts";
import { longestShare } from "../../support/longest-stretch.ts";

const HASH = "0f".repeat(32);

async function read(list: string) {
  const bytes = Buffer.from(list);
  const manifest = { name: "b", contentsHash: sha256(bytes) } as BackupManifest;
  const found = [];
  for await (const content of contentsIn(manifest, bytes)) found.push(content);
  return found;
}

it("the list of a backup's contents is read back unchanged", async () => {
  const contents = [
    { bucket: "0000001", hash: HASH },
    { bucket: "0000002", hash: `${HASH}-1a` },
  ];
  expect(await read((await buffer(contentList(contents))).toString())).toEqual(contents);
  expect(await read("")).toEqual([]);
});

it("the list of a million contents is written in turns of the event loop", async () => {
  const contents = Array.from({ length: 1_000_000 }, (_, i) => ({
    bucket: String(i % 100).padStart(7, "0"),
    hash: HASH,
  }));
  let bytes = 0;
  const write = async () => {
    for await (const piece of contentList(contents)) bytes += piece.byteLength;
  };
  expect(await longestShare(write)).toBeLessThan(0.3);
  expect(bytes).toBe(contents.length * "0000001 \n".length + contents.length * HASH.length);
});

it.each([`../x ${HASH}\n`, "0000001 ../../etc\n", `0000001 ${HASH}`, "\n", `0000001 ${HASH} more\n`])(
  "a backup's list of contents with a malformed line is reported as damaged: %j",
  async (list) => {
    await expect(read(list)).rejects.toThrow(DamagedBackup);
  },
);
