import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { ShownText, WeighedText } from "../../../src/retrieve/chunk-texts.ts";
import { type ChunkPlace, PassageCache } from "../../../src/retrieve/passage-cache.ts";

const ACME = workspaceId(7);
const OTHER = workspaceId(77);
const place = (node: number, more: Partial<ChunkPlace> = {}): ChunkPlace => ({
  workspace: ACME,
  node: nodeId(node),
  generation: 1,
  start: 0,
  end: 100,
  isMarkdown: true,
  ...more,
});
const text = new ShownText("A walrus.");
const keep = (cache: PassageCache, at: ChunkPlace, bytes = 1000) => cache.keepShown(at, text, bytes);

describe("the cache of passages", () => {
  it("a cached text is found only by its workspace, node, generation, span and form", () => {
    const cache = new PassageCache();
    keep(cache, place(1));
    expect(cache.shown(place(1))).toBe(text);
    expect(cache.weighed(place(1))).toBeUndefined();
    for (const other of [
      place(2),
      place(1, { workspace: OTHER }),
      place(1, { generation: 2 }),
      place(1, { start: 1 }),
      place(1, { end: 99 }),
      place(1, { isMarkdown: false }),
    ])
      expect(cache.shown(other)).toBeUndefined();
  });

  it("the passage cache holds one generation of a file", () => {
    const cache = new PassageCache();
    keep(cache, place(1));
    const { bytes } = cache;
    keep(cache, place(1, { generation: 2 }));
    expect(cache.shown(place(1))).toBeUndefined();
    expect(cache.shown(place(1, { generation: 2 }))).toBe(text);
    expect(cache.bytes).toBe(bytes);
  });

  it("the passage cache never exceeds its limit, and drops unused entries", () => {
    const cache = new PassageCache(100_000);
    for (let node = 0; node < 1000; node++) {
      keep(cache, place(node));
      expect(cache.shown(place(0))).toBe(text);
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.bytes).toBeGreaterThan(90_000);
    expect(cache.shown(place(500))).toBeUndefined();
    expect(cache.shown(place(998))).toBe(text);
  });

  it("one file never exceeds its share of the passage cache, and a text above it is not cached", () => {
    const cache = new PassageCache(100_000);
    for (let start = 0; start < 50; start++) keep(cache, place(1, { start }));
    expect(cache.bytes).toBeLessThan(100_000 / 16);
    keep(cache, place(2), 10_000);
    expect(cache.shown(place(2))).toBeUndefined();
  });

  it("dropping one file's content or a workspace from the passage cache keeps all other texts", () => {
    const cache = new PassageCache();
    keep(cache, place(1));
    keep(cache, place(2));
    cache.keepWeighed(place(2), new WeighedText("A walrus."));
    keep(cache, place(3, { workspace: OTHER }));
    cache.drop(ACME, nodeId(1), 2);
    expect(cache.shown(place(1))).toBe(text);
    cache.drop(ACME, nodeId(1), 1);
    expect(cache.shown(place(1))).toBeUndefined();
    cache.dropAll(ACME);
    expect(cache.weighed(place(2))).toBeUndefined();
    expect(cache.shown(place(3, { workspace: OTHER }))).toBe(text);
    cache.dropAll(OTHER);
    expect(cache.bytes).toBe(0);
  });
});
