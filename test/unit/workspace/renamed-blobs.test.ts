import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { encodeRecord } from "../../../src/storage/record-codec.ts";
import { hashOfBlob, namingBlob } from "../../../src/workspace/tree/contents.ts";
import { renamedBlobs } from "../../../src/workspace/tree/renamed-blobs.ts";

type Pair = [string, Uint8Array];
const HERON = "ab".repeat(32);
const STORK = "cd".repeat(32);
const blob = (references: number, bytes: number) => encodeRecord({ references, bytes });

async function renamed(pairs: readonly Pair[], rename: (name: string) => string) {
  async function* pages() {
    for (const pair of pairs) yield [pair];
  }
  const found = new Map<string, string>();
  for await (const page of renamedBlobs(workspaceId(1), pages(), rename))
    for (const [key, value] of page)
      found.set(key.slice("w/0000001/".length), Buffer.from(value).toString("latin1"));
  return found;
}

describe("records with other names of blobs", () => {
  it("renaming blobs renames their records and references, and adds the longer names to the stored bytes", async () => {
    const pairs: Pair[] = [
      [`w/0000001/b/${HERON}`, blob(1, 20_000)],
      ["w/0000001/c/0000002/0000001", namingBlob(HERON)],
      ["w/0000001/c/0000003/0000001", Buffer.from("\0inline")],
      ["w/0000001/g/stored", encodeRecord({ bytes: 30_000, kinds: "k" })],
    ];
    const found = await renamed(pairs, (name) => `${name}-1`);
    expect([...found.keys()].sort()).toEqual([
      `b/${HERON}-1`,
      "c/0000002/0000001",
      "c/0000003/0000001",
      "g/stored",
    ]);
    expect(found.get("c/0000002/0000001")).toBe(namingBlob(`${HERON}-1`).toString("latin1"));
    expect(found.get("c/0000003/0000001")).toBe("\0inline");
    expect(JSON.parse(found.get("g/stored") ?? "")).toEqual({ bytes: 30_002, kinds: "k" });
  });

  it("blobs that get the same name share their references, and their bytes count once", async () => {
    const pairs: Pair[] = [
      [`w/0000001/b/${HERON}-1`, blob(2, 20_000)],
      [`w/0000001/b/${HERON}-3`, blob(1, 20_000)],
      [`w/0000001/b/${STORK}-3`, encodeRecord({ references: 0, bytes: 17_000, freedAt: 5 })],
      ["w/0000001/g/stored", encodeRecord({ bytes: 40_000 })],
    ];
    const found = await renamed(pairs, hashOfBlob);
    expect(JSON.parse(found.get(`b/${HERON}`) ?? "")).toEqual({ references: 3, bytes: 20_000 });
    expect(JSON.parse(found.get(`b/${STORK}`) ?? "")).toEqual({ references: 0, bytes: 17_000, freedAt: 5 });
    expect(JSON.parse(found.get("g/stored") ?? "")).toEqual({ bytes: 20_000 });
  });
});
