import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { KvOp } from "../../../src/storage/kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { copyRecords, differences } from "../../../src/storage/transfer/copy-records.ts";
import { FolderRecords } from "../../../src/storage/transfer/folder-records.ts";
import type { RecordsPlace } from "../../../src/storage/transfer/records-place.ts";

type Pair = [string, Uint8Array];
const WORKSPACE = workspaceId(1);
const pairsOf = (records: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(records).map(([key, value]) => [key, Buffer.from(value)]);

async function* pages(...all: Pair[][]): AsyncGenerator<Pair[]> {
  yield* all;
}

async function changes(wanted: Record<string, string>, found: Record<string, string>): Promise<string[]> {
  const ops: string[] = [];
  for await (const { key, value } of differences(pages(pairsOf(wanted)), pages([], pairsOf(found))))
    ops.push(value ? `${key}=${Buffer.from(value)}` : `-${key}`);
  return ops;
}

async function folderWith(ops: readonly Pair[]): Promise<FolderRecords> {
  const kv = new RamKv();
  for (const [key, value] of ops)
    await kv.transact(() => ({ ops: [{ key, value }], apply: () => undefined }));
  return FolderRecords.open(kv, (key) => key.startsWith("f/"));
}

async function allOf(place: RecordsPlace, workspace = WORKSPACE): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of place.records(workspace)) keys.push(...page.map(([key]) => key));
  return keys;
}

describe("copying the records of a workspace", () => {
  it("copying a workspace writes only missing and different records, and deletes surplus ones", async () => {
    const wanted = { a: "1", b: "2", d: "4" };
    expect(await changes(wanted, wanted)).toEqual([]);
    expect(await changes(wanted, {})).toEqual(["a=1", "b=2", "d=4"]);
    expect(await changes({}, wanted)).toEqual(["-a", "-b", "-d"]);
    expect(await changes(wanted, { a: "1", b: "3", c: "3", e: "5" })).toEqual(["b=2", "-c", "d=4", "-e"]);
  });

  it("keys are compared by UTF-8 bytes, so characters outside the BMP come last", async () => {
    expect(await changes({ "\uff5e": "1", "\u{1f426}": "2" }, { "\u{1f426}": "2" })).toEqual(["\uff5e=1"]);
  });

  it("a data directory lists the records of each workspace in order, without those of the server itself", async () => {
    const account = JSON.stringify({ incarnation: 1 });
    const records = pairsOf({
      "k/hash": account,
      "a/acme": account,
      "w/0000001/e/x": "1",
      "w/0000002/e/x": "2",
      "ai/0000001": "1",
      "q/0000001/1": "1",
      "f/0000001/upload": "1",
      "m/fact": "1",
      "s/history": "1",
      an: "64",
    });
    const folder = await folderWith(records);
    expect(await folder.workspaces()).toEqual([0, 1, 2]);
    expect(await allOf(folder)).toEqual(["a/acme", "ai/0000001", "k/hash", "q/0000001/1", "w/0000001/e/x"]);
    expect(await allOf(folder, workspaceId(2))).toEqual(["w/0000002/e/x"]);
    expect(await allOf(folder, workspaceId(0))).toEqual(["s/history"]);
  });

  it("copying a workspace fails if its destination does not store what is written", async () => {
    const from = await folderWith(pairsOf({ "w/0000001/e/x": "1", "w/0000001/e/y": "2" }));
    const to = await folderWith(pairsOf({ "w/0000001/e/z": "3" }));
    const same = (_: unknown, all: AsyncIterable<Pair[]>) => all;
    expect(await copyRecords(from, to, WORKSPACE, same)).toBe(2);
    expect(await allOf(to)).toEqual(["w/0000001/e/x", "w/0000001/e/y"]);
    const forgetful: RecordsPlace = {
      records: () => pages(),
      write: async (_: unknown, _ops: readonly KvOp[]) => undefined,
    };
    await expect(copyRecords(from, forgetful, WORKSPACE, same)).rejects.toThrow("w/0000001/e/x differs");
  });
});
