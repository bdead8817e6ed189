import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { LargeFiles } from "../../../src/ingest/read-ahead.ts";
import { ContentMemory } from "../../../src/workspace/content-memory.ts";

const MIB = 1024 * 1024;

describe("large files of imports", () => {
  const { signal } = new AbortController();
  const memory = () => ({ contentMemory: new ContentMemory(80 * MIB), incarnation: workspaceId(1) });
  const file = (bytes: number, reads: string[], name: string, read = bytes) => ({
    bytes,
    read: async () => {
      reads.push(name);
      return Buffer.alloc(read);
    },
  });

  it("large files of an import wait for those of other imports of their account, and small files do not wait", async () => {
    const shared = memory();
    const reads: string[] = [];
    const first = new LargeFiles(shared, signal);
    const second = new LargeFiles(shared, signal);
    const [one] = first.reserving([file(40 * MIB, reads, "one")]);
    const [two, small] = second.reserving([file(40 * MIB, reads, "two"), file(MIB, reads, "small")]);
    const bytes = await one?.read();
    const waiting = two?.read();
    await small?.read();
    await nextTurn();
    expect(reads).toEqual(["one", "small"]);
    first.taken(bytes);
    await waiting;
    expect(reads).toEqual(["one", "small", "two"]);
    second.release();
  });

  it("large files of an import hold no memory for files that were smaller than listed", async () => {
    const reads: string[] = [];
    const large = new LargeFiles(memory(), signal);
    for (const listed of large.reserving([
      file(40 * MIB, reads, "cut", 10),
      file(40 * MIB, reads, "next", 10),
    ])) {
      large.taken(await listed.read());
    }
    expect(reads).toEqual(["cut", "next"]);
  });
});
