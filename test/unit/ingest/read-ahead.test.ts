import { expect, it } from "vitest";
import { readAhead } from "../../../src/ingest/read-ahead.ts";

const KIB = 1024;

/** Files that record when they are read. */
function filesOf(sizes: readonly (number | undefined)[], begun: number[]) {
  return sizes.map((bytes, i) => ({
    ...(bytes !== undefined && { bytes }),
    read: async () => {
      begun.push(i);
      return Uint8Array.of(i);
    },
  }));
}

it("files are read ahead in order, each once, and only a few small ones early", async () => {
  const begun: number[] = [];
  const files = filesOf(Array(100).fill(KIB), begun);
  const seen: (number | undefined)[] = [];
  let most = 0;
  for await (const [file, bytes] of readAhead(files)) {
    expect(files[seen.length]).toBe(file);
    seen.push(bytes?.[0]);
    most = Math.max(most, begun.length - seen.length);
  }
  expect(seen).toEqual(files.map((_, i) => i));
  expect(begun.toSorted((a, b) => a - b)).toEqual(seen);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});

it("large files and files of unknown size are not read ahead", async () => {
  const begun: number[] = [];
  const files = filesOf([KIB, 1024 * KIB, undefined, KIB], begun);
  const ahead: number[][] = [];
  for await (const _ of readAhead(files)) ahead.push(begun.toSorted((a, b) => a - b));
  expect(ahead).toEqual([
    [0, 3],
    [0, 1, 3],
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ]);
});

it("a file that cannot be read ahead fails only when the import reaches it", async () => {
  const good = { bytes: 1, read: async () => Uint8Array.of(1) };
  const bad = { bytes: 1, read: () => Promise.reject(new Error("outside")) };
  const seen: unknown[] = [];
  const all = async () => {
    for await (const [file] of readAhead([good, good, bad])) seen.push(file);
  };
  await expect(all()).rejects.toThrow("outside");
  expect(seen).toEqual([good, good]);
});
