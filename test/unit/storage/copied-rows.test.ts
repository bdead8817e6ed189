import { describe, expect, it } from "vitest";
import { copiedRows } from "../../../src/storage/postgres/copied-rows.ts";

const HEADER = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);

function row(key: string, value: Buffer): Buffer {
  const fields = [Buffer.from(key), value].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field.length);
    return [length, field];
  });
  return Buffer.concat([Buffer.from([0, 2]), ...fields]);
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(parts: AsyncIterable<Uint8Array>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const batch of copiedRows(parts))
    for (const { key, value } of batch) found.push([key.toString(), value.toString()]);
  return found;
}

describe("rows that are copied from PostgreSQL", () => {
  const rows: [string, string][] = [
    ["", ""],
    ["w/1", "a"],
    ["w/2", "b".repeat(3000)],
    ["w/3", ""],
  ];
  const whole = Buffer.concat([HEADER, ...rows.map(([key, value]) => row(key, Buffer.from(value))), END]);

  it("copied rows are decoded to the same values wherever the byte stream is split", async () => {
    for (const size of [1, 2, 3, 7, 19, 1000, whole.length])
      expect(await rowsOf(inPieces(whole, size))).toEqual(rows);
    expect(await rowsOf(inPieces(Buffer.concat([HEADER, END]), 5))).toEqual([]);
  });

  it("a copy stream cut off anywhere before the end of its last row is an error", async () => {
    for (let length = 0; length < whole.length; length += 11)
      await expect(rowsOf(inPieces(whole.subarray(0, length), 64))).rejects.toThrow("ended early");
  });
});
