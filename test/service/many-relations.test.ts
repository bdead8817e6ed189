import { afterEach, beforeEach, expect, it } from "vitest";
import type { NodeId } from "../../src/domain/node.ts";
import { prefixRange } from "../../src/storage/kv.ts";
import { nodeEnd, placeEnd } from "../../src/workspace/keys.ts";
import { relate } from "../../src/workspace/relations/records.ts";
import { relationKeysBelow, relationsOf } from "../../src/workspace/relations/relations.ts";
import { Builder } from "../../src/workspace/tree/builder.ts";
import { SHARED } from "../../src/workspace/tree/locate.ts";
import { longestShare } from "../support/longest-stretch.ts";
import { ramStores } from "../support/stores.ts";
import { House } from "../support/tenant.ts";

const FILES = 120;
const RECORD = { reason: "r", createdAt: 1 };

let house: House;
beforeEach(async () => {
  house = await House.open(ramStores());
});
afterEach(() => house.close());

/** Files in one folder, and their nodes. */
async function created(count: number) {
  const ann = house.as("ann");
  const nodes: NodeId[] = [];
  for (let i = 0; i < count; i++) {
    await ann.create(`ctx://resources/d/${i}.md`, `page ${i}`);
    nodes.push(await ann.node(`ctx://resources/d/${i}.md`));
  }
  const { workspace, owner } = await ann.tenant();
  return { workspace, owner, nodes };
}

it("reading thousands of relations gives the event loop back between them", async () => {
  const { workspace, owner, nodes } = await created(FILES);
  for (const from of nodes)
    await workspace.transact((draft) => {
      for (const to of nodes) if (from !== to) relate(draft, nodeEnd(from), nodeEnd(to), RECORD);
      draft.onDurable(() => {
        workspace.hasRelations = true;
      });
      return () => undefined;
    });
  let found = 0;
  const longest = await longestShare(async () => {
    for (let i = 0; i < FILES; i++)
      for await (const _ of relationsOf(workspace, owner, ["resources", "d", `${i}.md`], "out")) found++;
  });
  expect(found).toBe(FILES * (FILES - 1));
  expect(longest).toBeLessThan(0.5);
});

it("the keys of thousands of relations below a path are read in pages", async () => {
  const { workspace } = await created(0);
  const count = 15_000;
  for (let i = 0; i < count; i += 500)
    await workspace.transact((draft) => {
      for (let j = i; j < i + 500; j++)
        relate(draft, placeEnd("user/ann/a/b"), placeEnd(`user/ann/c/${j}`), RECORD);
      return () => undefined;
    });
  let keys: string[] = [];
  const shares: number[] = [];
  // garbage collection, or sorting the store in memory, may fall into one of the runs
  for (let run = 0; run < 5; run++)
    shares.push(
      await longestShare(async () => {
        keys = await relationKeysBelow(workspace, "user/ann");
      }),
    );
  expect([keys.length, new Set(keys).size]).toEqual([4 * count, 2 * count]);
  expect(shares.toSorted((a, b) => a - b)[0]).toBeLessThan(0.6);
});

it("relations of a copy or pack are written ahead a few hundred at a time", async () => {
  const { workspace, nodes } = await created(2);
  const [from, to] = nodes;
  if (from === undefined || to === undefined) throw new Error("no nodes");
  const builder = new Builder(workspace, await workspace.partitionFor(SHARED), { change: "copy" });
  for (let i = 0; i < 1000; i++) await builder.relation(from, to, RECORD);
  const parts = await workspace.kv.keys(prefixRange(workspace.keys.allStages()));
  expect(parts.length).toBeGreaterThanOrEqual(2);
  await builder.abandon();
});
