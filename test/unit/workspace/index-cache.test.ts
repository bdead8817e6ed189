import { describe, expect, it } from "vitest";
import { type Cached, IndexCache } from "../../../src/workspace/index-cache.ts";

function item(bytes: number, canGo = true): Cached & { gone: boolean; bytes: number } {
  const made = {
    bytes,
    gone: false,
    evict: () => {
      made.gone = canGo;
      return canGo;
    },
  };
  return made;
}

describe("the cache of the index", () => {
  it("evicts what was used least recently, passes over what cannot go, and never what is being used", () => {
    const cache = new IndexCache(100);
    const [a, b, c, d] = [item(40), item(40, false), item(40), item(500)] as const;
    for (const one of [a, b]) cache.touch(one);
    cache.touch(a);
    cache.touch(c);
    expect([a.gone, b.gone, c.gone]).toEqual([true, false, false]);
    cache.touch(d);
    expect([b.gone, c.gone, d.gone]).toEqual([false, true, false]);
    expect(cache.bytes).toBe(540);
  });

  it("reckons with what an item holds when it is used", () => {
    const cache = new IndexCache(100);
    const [a, b] = [item(10), item(10)];
    cache.touch(a);
    cache.touch(b);
    b.bytes = 95;
    cache.touch(b);
    expect(a.gone).toBe(true);
    expect(cache.bytes).toBe(95);
    cache.forget(b);
    expect([cache.bytes, cache.size]).toEqual([0, 0]);
  });
});
