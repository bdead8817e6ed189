import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after, type Kv, type KvOp, MAX_CHANGE_BYTES, prefixRange } from "../../../src/storage/kv.ts";

const text = (value: Uint8Array | undefined) =>
  value === undefined ? undefined : Buffer.from(value).toString();
const put = (key: string, value: string): KvOp => ({ key, value: Buffer.from(value) });
const ALL = { gte: "", lt: "\u{10ffff}", limit: 1000 };

export const writeAll = (kv: Kv, ...ops: KvOp[]) => kv.transact(() => ({ ops, apply: () => undefined }));

/** Requirements for every implementation of Kv. */
export function kvSuite(
  name: string,
  open: () => Promise<{ readonly kv: Kv; readonly dispose: () => Promise<void> }>,
): void {
  describe(`${name} as a key-value store`, () => {
    let kv: Kv;
    let dispose: () => Promise<void>;
    beforeEach(async () => {
      ({ kv, dispose } = await open());
    });
    afterEach(() => dispose());

    it("scrubbing a key-value store does not change its visible records", async () => {
      await writeAll(kv, put("a/1", "one"), put("a/2", "two"), put("b", "three"));
      await writeAll(kv, { key: "a/1", value: undefined });
      await kv.scrub([prefixRange("a/")]);
      expect((await kv.texts(ALL)).map(([key]) => key)).toEqual(["a/2", "b"]);
    });

    it("a key-value store orders keys by code points, not by UTF-16 units", async () => {
      const keys = ["a", "a\u0000", "b", "é", "中", "\uff5e", "😀", "ab", "a/b", "Z"];
      await writeAll(kv, ...keys.map((key) => put(key, key)));
      const byCodePoints = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(byCodePoints.indexOf("\uff5e")).toBeLessThan(byCodePoints.indexOf("😀"));
      expect(await kv.keys(ALL)).toEqual(byCodePoints);
      expect(await kv.keys({ ...ALL, reverse: true })).toEqual(byCodePoints.toReversed());
      expect((await kv.range(ALL)).map(([key, value]) => [key, text(value)])).toEqual(
        byCodePoints.map((key) => [key, key]),
      );
      expect(await kv.texts(ALL)).toEqual(byCodePoints.map((key) => [key, key]));
      expect(await kv.texts({ ...ALL, limit: 1, reverse: true })).toEqual([
        [byCodePoints.at(-1), byCodePoints.at(-1)],
      ]);
    });

    it("a key-value range is bounded by gte, lt and limit, from either end, page by page", async () => {
      await writeAll(kv, ...["a/1", "a/2", "a/3", "a/4", "a0", "b/1"].map((key) => put(key, "x")));
      expect(await kv.keys({ gte: "a/2", lt: "a/4", limit: 9 })).toEqual(["a/2", "a/3"]);
      expect(await kv.keys({ ...prefixRange("a/"), limit: 2, reverse: true })).toEqual(["a/4", "a/3"]);
      expect(await kv.keys(prefixRange("a/"))).toEqual(["a/1", "a/2", "a/3", "a/4"]);
      expect(await kv.range({ ...prefixRange("a/"), limit: 0 })).toEqual([]);
      const first = await kv.keys(prefixRange("a/", 3));
      expect(await kv.keys({ ...prefixRange("a/", 3), gte: after(first.at(-1)!) })).toEqual(["a/4"]);
    });

    it("a key-value range may have more and larger values than fit into one page of the driver", async () => {
      const value = "v".repeat(3000);
      const keys = Array.from({ length: 2500 }, (_, i) => `k/${String(i).padStart(5, "0")}`);
      for (let i = 0; i < keys.length; i += 500)
        await writeAll(kv, ...keys.slice(i, i + 500).map((key) => put(key, value)));
      const read = await kv.range(prefixRange("k/"));
      expect(read.map(([key]) => key)).toEqual(keys);
      expect(read.every(([, found]) => text(found) === value)).toBe(true);
    });

    it("a key-value page ends with the pair that reaches maxBytes, from either end", async () => {
      await writeAll(kv, ...[1, 2, 3, 4].map((n) => put(`m/${n}`, "v".repeat(n * 100_000))));
      const numbers = async (maxBytes: number, reverse = false) => {
        const range = { ...prefixRange("m/"), maxBytes, reverse };
        const pages = [await kv.range(range), await kv.texts(range)];
        const [bytes, texts] = pages.map((page) =>
          page.map(([key, value]) => `${key.slice(2)}:${value.length / 100_000}`).join(" "),
        );
        expect(bytes).toBe(texts);
        return bytes;
      };
      expect(await numbers(1)).toBe("1:1");
      expect(await numbers(300_000)).toBe("1:1 2:2");
      expect(await numbers(300_001)).toBe("1:1 2:2 3:3");
      expect(await numbers(300_001, true)).toBe("4:4");
      expect(await numbers(10_000_000, true)).toBe("4:4 3:3 2:2 1:1");
      expect((await kv.range({ ...prefixRange("m/"), limit: 2, maxBytes: 10_000_000 })).length).toBe(2);
    });

    it("a change of two workspaces, or of one and the server, is refused and writes nothing", async () => {
      const [one, two] = [put("w/0000001/e/a", "1"), put("q/0000002/purge/bulk/1", "2")];
      await expect(writeAll(kv, one, two)).rejects.toThrow("a change of both workspace 1 and workspace 2");
      await expect(writeAll(kv, put("s/audit/1", "x"), one)).rejects.toThrow("both server and workspace 1");
      expect(await kv.keys(ALL)).toEqual([]);
      const account = [put("a/acme", "a"), put("k/hash", "k"), put("ai/0000001", "i"), put("an", "1")];
      await writeAll(kv, ...account, one, put("az/0000001", "z"), put("f/0000001/upload", "f"));
      expect(await kv.keys(ALL)).toHaveLength(7);
    });

    it("a snapshot of a key-value store keeps its state during concurrent and later writes", async () => {
      await writeAll(kv, put("a", "old"), put("b", "old"));
      const before = kv.snapshot();
      const writing = writeAll(kv, put("a", "new"), { key: "b", value: undefined }, put("c", "new"));
      const during = kv.snapshot();
      await writing;
      const after_ = kv.snapshot();
      for (const old of [before, during]) {
        expect([text(old.get("a")), text(old.get("b")), text(old.get("c"))]).toEqual([
          "old",
          "old",
          undefined,
        ]);
        expect(await old.keys(ALL)).toEqual(["a", "b"]);
        expect(await old.texts(ALL)).toEqual([
          ["a", "old"],
          ["b", "old"],
        ]);
      }
      await writeAll(kv, put("a", "newest"));
      expect((await after_.range(ALL)).map(([key, value]) => [key, text(value)])).toEqual([
        ["a", "new"],
        ["c", "new"],
      ]);
      for (const snapshot of [before, during, after_]) snapshot.close();
      expect(text(kv.get("a"))).toBe("newest");
    });

    it("simultaneous transactions that increment a counter lose no update", async () => {
      const count = () =>
        kv.transact((read) => {
          const next = Number(text(read.get("n")) ?? 0) + 1;
          return { ops: [put("n", String(next))], apply: () => next };
        });
      const numbers = await Promise.all(Array.from({ length: 300 }, count));
      expect(numbers).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
      expect(text(kv.get("n"))).toBe("300");
    });

    it("a transaction sees the puts and deletions of earlier ones, in values and in key lists", async () => {
      await writeAll(kv, put("d/a", "1"), put("d/b", "1"), put("e/a", "1"));
      const table = ["d/a", "d/b"]; // a fold in memory of the applied changes
      const first = kv.transact(() => ({
        ops: [{ key: "d/a", value: undefined }, put("d/c", "1")],
        apply: () => table.splice(0, 1, "d/c"),
      }));
      const second = kv.transact((read) => {
        const keys = new Set([...table, ...read.touched("d/")]);
        const there = [...keys].filter((key) => read.get(key) !== undefined).sort();
        return { ops: [], apply: () => there };
      });
      await first;
      expect(await second).toEqual(["d/b", "d/c"]);
      expect(kv.touched("d/")).toEqual([]);
    });

    it("a transaction that throws writes nothing, and simultaneous transactions are written", async () => {
      const before = writeAll(kv, put("a", "1"));
      const thrown = kv.transact(() => {
        throw new RangeError("not today");
      });
      const behind = writeAll(kv, put("b", "1"));
      await expect(thrown).rejects.toThrow(new RangeError("not today"));
      await Promise.all([before, behind]);
      expect(await kv.keys(ALL)).toEqual(["a", "b"]);
    });

    it("transactions apply in commit order, when their records are readable and before they resolve", async () => {
      const heard: string[] = [];
      const one = (name: string, ops: KvOp[]) =>
        kv
          .transact(() => ({
            ops,
            apply: () => heard.push(`${name} ${ops.every(({ key }) => kv.get(key) !== undefined)}`),
          }))
          .then(() => heard.includes(`${name} true`));
      const answered = await Promise.all([
        one("a", [put("a", "1")]),
        one("b", []),
        one("c", [put("c", "1")]),
      ]);
      expect(heard).toEqual(["a true", "b true", "c true"]);
      expect(answered).toEqual([true, true, true]);
    });

    it("no reader sees a record before the change that wrote it was applied", async () => {
      let applied = 0;
      const ahead: number[] = [];
      const watch = () => {
        const stored = Number(text(kv.get("n")) ?? 0);
        if (stored !== applied) ahead.push(stored);
      };
      let busy = true;
      const watching = (async () => {
        while (busy) {
          watch();
          await new Promise((resolve) => setImmediate(resolve));
          watch();
        }
      })();
      for (let i = 1; i <= 40; i++) {
        await kv.transact(() => ({
          ops: [
            put("n", String(i)),
            ...Array.from({ length: 200 }, (_, k) => put(`f/${k}`, `${i}`.repeat(100))),
          ],
          apply: () => {
            applied = i;
          },
        }));
      }
      busy = false;
      await watching;
      expect(ahead).toEqual([]);
    });

    it("a change of many records becomes visible at once, however long it takes to write", async () => {
      const LAST = 19_999;
      const key = (i: number) => `many/${String(i).padStart(6, "0")}`;
      const change = (value: string) =>
        kv.transact(
          () => ({
            ops: Array.from({ length: LAST + 1 }, (_, i) => put(key(i), value.repeat(300))),
            apply: () => undefined,
          }),
          {
            maxBytes: 64 * 1024 * 1024,
          },
        );
      await change("a");
      let busy = true;
      const seen = new Set<string>();
      const watching = (async () => {
        while (busy) {
          const values = [0, 7, LAST >> 1, LAST].map((i) => text(kv.get(key(i)))![0]);
          const page = (await kv.range(prefixRange("many/", 3))).map(([, value]) => text(value)![0]);
          seen.add([...new Set(values)].join("")).add([...new Set(page)].join(""));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await change("b");
      busy = false;
      await watching;
      expect([...seen].every((letters) => letters.length === 1)).toBe(true);
      expect(text(kv.get(key(LAST)))![0]).toBe("b");
    });

    it("an error in apply reaches only the caller of that transaction", async () => {
      const bad = kv.transact(() => ({
        ops: [put("x", "1")],
        apply: () => {
          throw new Error("a defect");
        },
      }));
      const good = kv.transact(() => ({ ops: [put("y", "1")], apply: () => "fine" }));
      await expect(bad).rejects.toThrow("a defect");
      // it belongs to the same group and is therefore durable too; a store on disk refuses later writes
      expect(await good).toBe("fine");
    });

    it("a key-value page exceeds its limit in bytes by a few values at most and is never empty", async () => {
      const value = Buffer.alloc(100_000, 1);
      for (let i = 0; i < 20; i++) await writeAll(kv, { key: `v/${String(i).padStart(2, "0")}`, value });
      const found: string[] = [];
      for (let gte = "v/"; ; ) {
        const page = await kv.range({ gte, lt: "v0", limit: 1000, maxBytes: 300_000 });
        if (page.length === 0) break;
        expect(page.length).toBeLessThan(10);
        found.push(...page.map(([key]) => key));
        gte = `${found.at(-1)}\u0000`;
      }
      expect(found).toEqual(Array.from({ length: 20 }, (_, i) => `v/${String(i).padStart(2, "0")}`));
    });

    it("a change above the size limit is refused, and small changes that exceed it together are written", async () => {
      const tooMuch = writeAll(kv, { key: "x", value: Buffer.alloc(MAX_CHANGE_BYTES + 1) });
      await expect(tooMuch).rejects.toThrow(/above the limit/);
      expect(kv.get("x")).toBeUndefined();
      const large = Buffer.alloc(MAX_CHANGE_BYTES / 4, 7);
      let sum = 0;
      const one = (i: number) =>
        kv.transact((read) => {
          const before = i === 0 ? 0 : read.get(`l/${i - 1}`)!.byteLength;
          return {
            ops: [{ key: `l/${i}`, value: large }],
            apply: () => {
              sum += before;
            },
          };
        });
      await Promise.all(Array.from({ length: 11 }, (_, i) => one(i)));
      expect(sum).toBe(10 * large.byteLength);
      expect(await kv.keys(prefixRange("l/"))).toHaveLength(11);
    });

    it("a key-value store equals a map after any series of transactions", async () => {
      const KEYS = ["a", "a/", "a/b", "b", "中", "😀", "\uffff"];
      const key = fc.constantFrom(...KEYS);
      const op = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 5 }), { nil: undefined }) });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(op, { maxLength: 4 }), { maxLength: 8 }), async (changes) => {
          await writeAll(kv, ...(await kv.keys(ALL)).map((old) => ({ key: old, value: undefined })));
          const model = new Map<string, string>();
          for (const { key, value } of changes.flat())
            value ? model.set(key, Buffer.from(value).toString("hex")) : model.delete(key);
          const readAll = () => KEYS.map((key) => kv.get(key));
          readAll();
          const written = Promise.all(changes.map((ops) => writeAll(kv, ...ops)));
          readAll();
          await written;
          expect(readAll().map((value) => value && Buffer.from(value).toString("hex"))).toEqual(
            KEYS.map((key) => model.get(key)),
          );
          const stored = (await kv.range(ALL)).map(([key, value]) => [
            key,
            Buffer.from(value).toString("hex"),
          ]);
          expect(stored).toEqual(
            [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
          );
        }),
        { numRuns: 30 },
      );
    });

    it("closing a key-value store finishes pending writes and refuses later ones", async () => {
      const last = writeAll(kv, put("a", "1")).then(() => "written");
      await kv.close();
      expect(await last).toBe("written");
      await expect(writeAll(kv, put("b", "1"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}
