import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/base/sha256.ts";
import {
  type Pair,
  packSegment,
  segmentsOf,
  unpackSegment,
} from "../../../src/storage/backup/packed-records.ts";

const records = (count: number): Pair[] =>
  Array.from({ length: count }, (_, at) => [
    `w/0000001/e/${String(at * 10).padStart(9, "0")}`,
    Buffer.from(sha256(String(at)).repeat(8)),
  ]);

async function* pagesOf(pairs: readonly Pair[]) {
  for (let at = 0; at < pairs.length; at += 500) yield pairs.slice(at, at + 500);
}

async function packed(pairs: readonly Pair[]): Promise<Buffer[]> {
  const segments: Buffer[] = [];
  for await (const parts of segmentsOf(pagesOf(pairs))) segments.push(await packSegment(parts));
  return segments;
}

describe("segments of a backup", () => {
  it("segments of a backup return every record in order", async () => {
    const pairs: Pair[] = [["a/é漢", new Uint8Array()], ...records(5000)];
    const read: Pair[] = [];
    for (const segment of await packed(pairs)) read.push(...(await unpackSegment(segment)));
    const plain = (all: readonly Pair[]) =>
      all.map(([key, value]) => [key, Buffer.from(value).toString("hex")]);
    expect(plain(read)).toEqual(plain(pairs));
  });

  it("one added record changes only one segment of a backup", async () => {
    const pairs = records(20_000);
    const [before, after] = [
      await packed(pairs),
      await packed(pairs.toSpliced(9000, 0, [`${pairs[8999]?.[0]}5`, Buffer.from("new")])),
    ];
    const known = new Set(before.map(sha256));
    expect(before.length).toBeGreaterThan(10);
    expect(after.filter((segment) => !known.has(sha256(segment)))).toHaveLength(1);
  });

  it("a backup segment that ends within a record is refused", async () => {
    const [segment] = await packed(records(1));
    const { gunzipSync, gzipSync } = await import("node:zlib");
    const cut = gunzipSync(segment ?? Buffer.of()).subarray(0, -1);
    await expect(unpackSegment(gzipSync(cut))).rejects.toThrow(/ends within a record/);
  });
});
