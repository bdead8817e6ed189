import { expect, it } from "vitest";
import { wholeOf } from "../../../src/ingest/archive.ts";

const member = (size: number, parts: readonly Uint8Array[]) => ({
  size,
  read: async function* () {
    yield* parts;
  },
});

it.each([
  ["no part", 0, []],
  ["one part", 3, ["abc"]],
  ["several parts", 5, ["ab", "c", "de"]],
  ["fewer bytes than its size", 9, ["ab", "c"]],
])("a member of %s is read as a whole", async (_, size, parts) => {
  const read = await wholeOf(
    member(
      size,
      parts.map((part) => Buffer.from(part)),
    ),
  );
  expect(read.toString()).toBe(parts.join(""));
});

it("a large member takes no more memory than its size", async () => {
  const part = Buffer.alloc(64 * 1024, "a");
  const read = await wholeOf(member(64 * part.byteLength, Array(64).fill(part)));
  expect([read.byteLength, read.buffer.byteLength]).toEqual([64 * part.byteLength, 64 * part.byteLength]);
});

it("all of a member is read, even if its first part has its size", async () => {
  let isChecked = false;
  const read = async function* () {
    yield Buffer.from("abc");
    isChecked = true;
  };
  await wholeOf({ size: 3, read });
  expect(isChecked).toBe(true);
});
