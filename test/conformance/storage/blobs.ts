import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Blobs } from "../../../src/storage/blobs.ts";

const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

async function* inPieces(content: Uint8Array, size: number) {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Requirements for every Blobs. `now` sets the clock that it was opened with. */
export function blobsSuite(
  name: string,
  open: (clock: () => number) => Promise<{
    readonly blobs: Blobs;
    readonly dispose: () => Promise<void>;
    /** The part of blob names after the SHA-256. */
    readonly suffix?: string;
  }>,
): void {
  describe(`${name} as a store of blobs`, () => {
    let blobs: Blobs;
    let dispose: () => Promise<void>;
    let suffix: string;
    let now = 0;
    beforeEach(async () => {
      now = 1_700_000_000_000;
      ({ blobs, dispose, suffix = "" } = await open(() => now));
    });
    afterEach(() => dispose());

    it("a blob store returns a blob completely or in parts, whether it was stored at once or as a stream", async () => {
      const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 251));
      const put = await blobs.put("1", content);
      expect(put).toEqual({ hash: `${hashOf(content)}${suffix}`, bytes: 300_000 });
      expect(await blobs.put("2", inPieces(content, 7001))).toEqual(put);
      expect(Buffer.compare(await blobs.get("2", put.hash), content)).toBe(0);
      expect(Buffer.concat(await gather(blobs.stream("1", put.hash)))).toEqual(content);
      expect(Buffer.concat(await gather(blobs.stream("1", put.hash, 1000, 70_001)))).toEqual(
        content.subarray(1000, 70_001),
      );
      expect(Buffer.concat(await gather(blobs.stream("1", put.hash, 5, 5)))).toHaveLength(0);
    });

    it("a blob store keeps an empty blob", async () => {
      const { hash, bytes } = await blobs.put("1", new Uint8Array());
      expect([bytes, (await blobs.get("1", hash)).byteLength, await blobs.has("1", hash)]).toEqual([
        0,
        0,
        true,
      ]);
    });

    it("dropping a bucket of a blob store keeps the same blob in another bucket", async () => {
      const { hash } = await blobs.put("1", Buffer.from("shared"));
      await blobs.put("2", Buffer.from("shared"));
      await blobs.drop("1");
      await blobs.drop("never-there");
      expect([await blobs.has("1", hash), await blobs.has("2", hash)]).toEqual([false, true]);
      expect(await gather(blobs.list("1"))).toEqual([]);
    });

    it("removing a blob that does not exist succeeds, but reading it fails", async () => {
      const none = `${hashOf(Buffer.from("none"))}${suffix}`;
      await expect(blobs.get("1", none)).rejects.toThrow(/missing/);
      await expect(gather(blobs.stream("1", none))).rejects.toThrow();
      await blobs.remove("1", none);
    });

    it("a blob store keeps nothing of an aborted stream", async () => {
      async function* broken() {
        yield Buffer.from("the first half");
        throw new Error("the sender has left");
      }
      await expect(blobs.put("1", broken())).rejects.toThrow("the sender has left");
      expect(await gather(blobs.list("1"))).toEqual([]);
    });

    it("a sweep of blobs keeps a blob that was written again after it was listed", async () => {
      const { hash } = await blobs.put("1", Buffer.from("comes back"));
      const [seen] = await gather(blobs.list("1"));
      expect(seen).toEqual({ hash, bytes: 10, writtenAt: now });
      now += 60_000;
      await blobs.put("1", Buffer.from("comes back"));
      expect((await gather(blobs.list("1")))[0]?.writtenAt).toBe(now);
      await blobs.remove("1", hash, seen!.writtenAt);
      expect(await blobs.has("1", hash)).toBe(true);
      await blobs.remove("1", hash, now);
      expect(await blobs.has("1", hash)).toBe(false);
    });

    it("removals from a blob store wait until no caller holds it any more", async () => {
      const { hash } = await blobs.put("1", Buffer.from("removed"));
      await blobs.put("2", Buffer.from("dropped"));
      const [release, releaseToo] = [await blobs.hold(), await blobs.hold()];
      const removals = Promise.all([blobs.remove("1", hash), blobs.drop("2")]);
      expect((await blobs.get("1", hash)).byteLength).toBe(7);
      release();
      release();
      expect([await blobs.has("1", hash), (await blobs.buckets()).toSorted()]).toEqual([true, ["1", "2"]]);
      releaseToo();
      await removals;
      expect([await blobs.has("1", hash), await gather(blobs.list("2"))]).toEqual([false, []]);
    });

    it("a blob that many callers store at the same time is stored once", async () => {
      const content = Buffer.alloc(100_000, 3);
      const all = await Promise.all(
        Array.from({ length: 12 }, () => blobs.put("1", inPieces(content, 1000))),
      );
      expect(new Set(all.map((one) => one.hash)).size).toBe(1);
      expect(await gather(blobs.list("1"))).toHaveLength(1);
      expect((await blobs.get("1", all[0]!.hash)).byteLength).toBe(100_000);
    });
  });
}
