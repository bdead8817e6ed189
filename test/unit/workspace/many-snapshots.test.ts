import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { Keys } from "../../../src/workspace/keys.ts";
import { Snapshots } from "../../../src/workspace/snapshots/snapshots.ts";

const COUNT = 3000;
const ROOT = 1000;

it("removing thousands of snapshots at once leaves none of their numbers and roots", async () => {
  const kv = new RamKv();
  const snapshots = new Snapshots(new Keys(workspaceId(1)));
  const change = (step: (draft: Draft) => void) =>
    kv.transact(
      (read) => {
        const draft = new Draft(read);
        step(draft);
        return draft.toChange(() => undefined);
      },
      { maxBytes: Number.POSITIVE_INFINITY },
    );
  for (let i = 0; i < COUNT; i++) {
    const owner = `u${i % 50}`;
    const roots = [{ node: nodeId(ROOT + (i % 50)), path: ["user", owner] }];
    const parts = [{ owner, roots }];
    await change((draft) => {
      snapshots.create(draft, { owner, name: `s${i}`, path: [], created: 1, expires: 2, parts });
    });
  }
  expect([...snapshots.all]).toHaveLength(COUNT);
  await change((draft) => {
    for (const snapshot of [...snapshots.all]) snapshots.drop(draft, snapshot);
  });
  expect([snapshots.isUsed, snapshots.numbers.size, [...snapshots.rootedAt(nodeId(ROOT))]]).toEqual([
    false,
    0,
    [],
  ]);
  await kv.close();
});

it("snapshots are as before after a change of them that could not be written", async () => {
  const kv = new RamKv();
  const keys = new Keys(workspaceId(1));
  const snapshots = new Snapshots(keys);
  const roots = [{ node: nodeId(ROOT), path: ["resources"] }];
  const about = { owner: "+shared", path: [], created: 1, parts: [{ owner: "+shared", roots }] };
  const change = (step: (draft: Draft) => unknown, maxBytes?: number) =>
    kv.transact(
      (read) => {
        const draft = new Draft(read);
        step(draft);
        return draft.toChange(() => undefined);
      },
      maxBytes === undefined ? {} : { maxBytes },
    );
  const state = () => [
    [...snapshots.all].map(({ name }) => name).sort(),
    snapshots.last,
    [...snapshots.numbers].sort(),
    [...snapshots.rootedAt(nodeId(ROOT))].sort(),
  ];
  await change((draft) => snapshots.create(draft, { ...about, name: "kept" }));
  await change((draft) => snapshots.create(draft, { ...about, owner: "ann", name: "hers" }));
  const before = state();
  for (const step of [
    (draft: Draft) => snapshots.create(draft, { ...about, name: "new" }),
    (draft: Draft) => snapshots.drop(draft, { owner: "+shared", name: "kept" }),
    (draft: Draft) => snapshots.dropUser(draft, "ann"),
  ]) {
    await expect(change(step, 1)).rejects.toThrow("above the limit");
    expect(state()).toEqual(before);
  }
});
