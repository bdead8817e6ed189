import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { type Cached, IndexCache } from "../../../src/index/cache.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { SHARED } from "../../../src/workspace/tree/locate.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { storesOf } from "../workspace/open-workspace.ts";
import { chunk } from "./segments/chunks.ts";

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
  it("the index cache evicts the least recently used item, never one that is in use", () => {
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

  it("the index cache updates the size of an item when the item is used", () => {
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

  it("the index cache keeps a requested partition even if its workspace is evicted", async () => {
    const folder = await temporaryFolder();
    const stores = await storesOf(new RamKv(), folder.path, 16_000);
    const workspace = await Workspace.open(stores, workspaceId(1), 0);
    const { index } = workspace;
    const { cache } = stores.index;
    const partition = await index.partitionFor(SHARED);
    cache.touch(workspace);
    await index.loadSegments([partition]);
    const first = await index.reserve(partition, 5);
    await workspace.transact((draft) => {
      for (let doc = first; doc < first + 5; doc++) {
        const one = { partition, doc, chunk: chunk(doc, 10) };
        index.putRecord(draft, one);
        draft.chunks.push(one);
      }
      return () => undefined;
    });
    const parts = await index.loadSegments([partition]);
    expect(cache.bytes, "more than there may be, so that all else has to go").toBeGreaterThan(16_000);
    expect(parts.map(({ count }) => count)).toEqual([5]);
    expect(index.loadedSegments([partition])).toEqual(parts);
    await folder.remove();
  });
});
