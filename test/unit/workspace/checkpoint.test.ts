import { unlink } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { FIRST_FREE_NODE, type NodeId, nodeId, RESOURCES } from "../../../src/domain/node.ts";
import type { Kv } from "../../../src/storage/kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { CHECKPOINT_NODES, checkpointOf } from "../../../src/workspace/checkpoint.ts";
import type { NodeTable } from "../../../src/workspace/tree/node-table.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { filesBelow, flip } from "../index/indexed.ts";
import { storesOf, type TestStores } from "./open-workspace.ts";

/** Everything in the tree. Nodes that were unlinked but not purged do not matter. */
function tree(table: NodeTable) {
  const nodes = Array.from({ length: table.size }, (_, node) => node).filter((node) =>
    table.isReachable(nodeId(node)),
  );
  return nodes.map((node) => ({
    node,
    parent: table.parent[node],
    generation: table.generation[node],
    isDirectory: table.isDirectory[node],
    updatedAt: table.updatedAt[node],
    activeCount: table.activeCount[node],
    below: table.below(nodeId(node)),
    children: table.children(nodeId(node)),
    visible: table.visibleCount(nodeId(node)),
  }));
}

/** A store that runs other work before its next change. */
class LateKv extends RamKv {
  first: (() => Promise<unknown>) | undefined;

  override async transact<T>(...change: Parameters<typeof RamKv.prototype.transact<T>>): Promise<T> {
    const { first } = this;
    this.first = undefined;
    await first?.();
    return super.transact(...change);
  }
}

async function made(kv: Kv = new RamKv()) {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const stores = await storesOf(kv, folder.path);
  const reopen = (from: TestStores = stores) => Workspace.open(from, workspaceId(1), 0);
  return { folder: folder.path, stores, reopen };
}

/** Creates enough entries for a checkpoint. */
async function fill(workspace: Workspace): Promise<NodeId[]> {
  const nodes: NodeId[] = [];
  await workspace.transact((draft) => {
    for (let i = 0; i < CHECKPOINT_NODES; i++)
      nodes.push(
        putEntry(workspace, draft, i % 100 === 0 ? RESOURCES : (nodes.at(-(i % 100)) ?? RESOURCES), i),
      );
    return () => undefined;
  });
  return nodes;
}

function putEntry(
  workspace: Workspace,
  draft: Parameters<Parameters<Workspace["transact"]>[0]>[0],
  directory: NodeId,
  i: number,
): NodeId {
  const node = nodeId(workspace.nodes.take(draft));
  const kind = i % 100 === 0 ? "directory" : "file";
  draft.putEntry(
    directory,
    `${i % 7 === 0 ? "." : ""}${node}`,
    { node, kind, generation: workspace.generations.take(draft), size: 1, created: i, modified: i },
    {},
  );
  return node;
}

describe("the checkpoint of the node table", () => {
  const step = fc.oneof(
    fc.record({ put: fc.nat() }),
    fc.record({ cut: fc.nat() }),
    fc.record({ move: fc.nat() }),
    fc.record({ replace: fc.nat() }),
  );

  it("a checkpoint and the later journal give the same node table as the records", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(30), async (steps, at) => {
        const { stores, reopen } = await made();
        const workspace = await reopen();
        const nodes = await fill(workspace);
        for (const [i, one] of steps.entries()) {
          if (i === at) await workspace.checkpoint();
          await workspace.transact((draft) => {
            const [pick] = Object.values(one) as [number];
            const node = nodes[pick % nodes.length]!;
            const record = draft.node(node)!;
            const entry = draft.entry(record.directory, record.name);
            if ("put" in one) nodes.push(putEntry(workspace, draft, RESOURCES, pick));
            else if (!entry) return () => undefined;
            else if ("cut" in one) draft.deleteEntry(record.directory, record.name, entry);
            else if ("replace" in one)
              draft.updateEntry(record.directory, record.name, {
                ...entry,
                generation: workspace.generations.take(draft),
                modified: pick,
              });
            else {
              draft.delete(draft.keys.entry(record.directory, record.name));
              draft.putEntry(RESOURCES, `moved-${node}`, entry, {});
            }
            return () => undefined;
          });
        }
        if (steps.length <= at) await workspace.checkpoint();
        expect(checkpointOf(workspace)).toBeDefined();
        const fast = await reopen();
        await stores.kv.transact(() => ({
          ops: [{ key: workspace.keys.checkpoint(), value: undefined }],
          apply: () => undefined,
        }));
        const slow = await reopen();
        expect(tree(fast.table)).toEqual(tree(workspace.table));
        expect(tree(slow.table)).toEqual(tree(workspace.table));
        expect(stores.reports).toEqual([]);
        await stores.index.executor.idle();
      }),
      { numRuns: 10 },
    );
  });

  it("a damaged or missing checkpoint is detected and created again", async () => {
    const { folder, stores, reopen } = await made();
    const workspace = await reopen();
    await fill(workspace);
    await workspace.checkpoint();
    for (const harm of [flip, unlink]) {
      const [path] = await filesBelow(folder);
      await harm(path!);
      const again = await reopen();
      expect(tree(again.table)).toEqual(tree(workspace.table));
      expect(stores.reports.splice(0)).toEqual(["the checkpoint of a node table"]);
      await stores.index.executor.idle();
      expect(await filesBelow(folder)).toHaveLength(1);
      expect(tree((await reopen()).table)).toEqual(tree(workspace.table));
      expect(stores.reports).toEqual([]);
    }
  });

  it("a slower checkpoint does not replace a newer one, whose journal is shorter", async () => {
    const kv = new LateKv();
    const { folder, stores, reopen } = await made(kv);
    const workspace = await reopen();
    await fill(workspace);
    kv.first = async () => {
      await workspace.transact((draft) => {
        putEntry(workspace, draft, RESOURCES, 1);
        return () => undefined;
      });
      await workspace.checkpoint();
    };
    await workspace.checkpoint();
    expect(kv.first).toBeUndefined();
    expect(tree((await reopen()).table)).toEqual(tree(workspace.table));
    expect(stores.reports).toEqual([]);
    expect(await filesBelow(folder)).toHaveLength(1);
  });

  it("a small tree gets no checkpoint, and its journal stays short", async () => {
    const { folder, stores, reopen } = await made();
    const workspace = await reopen();
    await workspace.transact((draft) => {
      putEntry(workspace, draft, RESOURCES, 1);
      return () => undefined;
    });
    await workspace.checkpoint();
    expect(await filesBelow(folder)).toEqual([]);
    expect(
      await stores.kv.keys({
        gte: workspace.keys.allJournal(),
        lt: `${workspace.keys.allJournal()}~`,
        limit: 10,
      }),
    ).toEqual([]);
    await workspace.settle();
    expect((await reopen()).nodes.next).toBe(FIRST_FREE_NODE + 1);
  });
});
