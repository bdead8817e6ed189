import { describe, expect, it } from "vitest";
import { RecordCache } from "../../../src/storage/level/record-cache.ts";

const RECORD_BYTES = 1000;

describe("RecordCache", () => {
  const counted = (maxBytes: number) => {
    const cache = new RecordCache(maxBytes);
    const loads: string[] = [];
    const load = (key: string) => {
      loads.push(key);
      return key.startsWith("none") ? undefined : new Uint8Array(RECORD_BYTES).fill(loads.length);
    };
    return { cache, loads, read: (key: string) => cache.read(key, load) };
  };

  it("the record cache loads each key once until it is invalidated, even a missing one", () => {
    const { cache, loads, read } = counted(1e6);
    const first = read("a");
    read("none");
    expect(read("a")).toBe(first);
    expect(read("none")).toBeUndefined();
    expect(loads).toEqual(["a", "none"]);
    for (const key of ["a", "none"]) cache.forget(key);
    expect(read("a")).not.toEqual(first);
    read("none");
    expect(loads).toEqual(["a", "none", "a", "none"]);
  });

  it("the record cache keeps no large records", () => {
    const cache = new RecordCache(1e6);
    for (const length of [3000, 3001])
      expect(cache.read("large", () => new Uint8Array(length))).toHaveLength(length);
  });

  it("the record cache keeps a recently used record when it is full", () => {
    const { cache, loads, read } = counted(100 * RECORD_BYTES);
    for (let i = 0; i < 1000; i++) {
      read("used");
      read(`once ${i}`);
    }
    expect(loads.filter((key) => key === "used")).toHaveLength(1);
    loads.length = 0;
    for (let i = 0; i < 1000; i++) read(`once ${i}`);
    expect(loads.length).toBeGreaterThanOrEqual(900);
    read("used");
    for (let i = 0; i < 50; i++) read(`other ${i}`);
    cache.forget("used");
    loads.length = 0;
    read("used");
    expect(loads).toEqual(["used"]);
  });
});
