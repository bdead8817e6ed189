import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { Registry } from "../../../src/accounts/registry.ts";
import type { Caller } from "../../../src/domain/caller.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { nodeId, RESOURCES } from "../../../src/domain/node.ts";
import { Tenants } from "../../../src/service/tenants.ts";
import { soleStores } from "../../../src/storage/open.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { storesOf } from "../workspace/open-workspace.ts";

const TENANTS = 50;
const ROUNDS = 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const nothing = async () => undefined;

const caller = (account: string): Caller => ({
  account: accountId(account),
  user: "u",
  agent: "a",
  role: "admin",
  accountNamed: true,
  keyless: true,
});

describe("tenants", () => {
  it("idle tenants use no memory, and their data is complete when they are used again", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const kv = new RamKv();
    const held = soleStores(kv);
    await held.start({ adopt: nothing, resume: nothing, leave: nothing, drop: () => undefined });
    const stores = await storesOf(kv, folder.path, 1);
    const tenants = new Tenants(new Registry(kv, held.directory, () => 0, true), held, stores, "user");
    const put = async (account: string, name: string) => {
      const { workspace } = await tenants.openOrCreate(caller(account));
      await workspace.transact((draft) => {
        const node = workspace.nodes.take(draft);
        const generation = workspace.generations.take(draft);
        draft.putEntry(
          RESOURCES,
          name,
          { node: nodeId(node), kind: "file", generation, size: 1, created: 0, modified: 0 },
          {},
        );
        return () => undefined;
      });
    };
    for (let i = 0; i < TENANTS; i++) await put(`t${i}`, "first");
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    expect(stores.index.cache.size).toBe(1);
    expect(tenants.opened).toBeLessThan(5);
    const { workspace } = await tenants.openOrEmpty(caller("t3"));
    expect(workspace.table.children(RESOURCES)).toBe(1);
    for (let round = 0; round < ROUNDS; round++)
      for (const account of ["t3", "t4"]) await put(account, `again${round}`);
    expect(workspace.table.children(RESOURCES)).toBe(1 + ROUNDS);
    expect((await tenants.openOrEmpty(caller("t3"))).workspace.forServer).toBe(workspace.forServer);
    expect(stores.reports).toEqual([]);
  });
});
