import { afterEach, expect, it } from "vitest";
import { timeAndOriginLimits } from "../../../src/service/search/time-and-origin-masks.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { ramStores } from "../../support/stores.ts";
import { House } from "../../support/tenant.ts";

/** A store that records which records are read. */
class NotingKv extends RamKv {
  readonly read = new Set<string>();

  override get(key: string): Uint8Array | undefined {
    this.read.add(key);
    return super.get(key);
  }
}

let house: House;
afterEach(() => house.end());

it("a repeated search with a condition does not read memory files again", async () => {
  const kv = new NotingKv();
  house = await House.open(ramStores(kv));
  const ann = house.as("ann");
  const uris = ["router", "office"].map((topic) => `ctx://user/ann/memories/entities/${topic}.md`);
  for (const uri of uris) await ann.create(uri, "- The home router is a Fritz box.\n");
  await house.drain();

  const contentsRead = async (): Promise<string[]> => {
    const { workspace } = await house.tenants.openOrEmpty(ann.call.caller);
    const keys: string[] = [];
    for (const uri of uris) {
      const node = await ann.node(uri);
      keys.push(workspace.keys.content(node, workspace.table.generation[node]!));
    }
    // each call has its own mask, so that no complete answer is cached
    const scope = workspace.table.isDirectory.map(() => 1);
    kv.read.clear();
    await timeAndOriginLimits(workspace, { since: 0, excluded: [] })?.masks(scope, scope);
    return keys.filter((key) => kv.read.has(key));
  };
  expect(await contentsRead()).toHaveLength(2);
  expect(await contentsRead()).toEqual([]);
  await ann.replace(uris[0]!, "- The home router is new.\n");
  expect(await contentsRead()).toHaveLength(1);
});
