import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ERASE } from "../../../src/domain/job.ts";
import { createAccount } from "../../../src/service/account/create-account.ts";
import { deleteAccount } from "../../../src/service/account/delete-account.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { ramStores, type Stores } from "../../support/stores.ts";
import { type Actor, House } from "../../support/tenant.ts";

const HOUR_MS = 3_600_000;
const RETENTION_MS = 24 * HOUR_MS;
const URI = "ctx://resources/rivers.txt";
const wide = (word: string) => `wide ${word} `.repeat(3000);

describe("large contents of a store that can be restored to a time in the past", () => {
  let stores: Stores;
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    const ram = ramStores();
    stores = { ...ram, blobs: new RamBlobs(() => ram.clock.now, RETENTION_MS) };
    house = await House.open(stores, true, [], undefined, undefined, { versions: { perFile: 0 } });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
    ann = house.as("ann", "acme");
  });
  afterEach(() => house.end());

  async function kept(bucket: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { hash } of stores.blobs.list(bucket))
      found.push(
        Buffer.from(await stores.blobs.get(bucket, hash))
          .toString()
          .split(" ")[1] ?? "",
      );
    return found.sort();
  }

  it("a replaced content is kept until no restore of the store can need it", async () => {
    await ann.create(URI, wide("rivers"));
    await ann.replace(URI, wide("lakes"));
    await house.drain();
    const { contents } = (await ann.tenant()).workspace;
    for (const _ of [1, 2]) {
      stores.clock.now += RETENTION_MS / 2 - HOUR_MS;
      expect(await contents.sweep()).toBe(0);
      expect(await kept(contents.bucket)).toEqual(["lakes", "rivers"]);
    }
    stores.clock.now += 3 * HOUR_MS;
    expect(await contents.sweep()).toBe(1);
    expect(await kept(contents.bucket)).toEqual(["lakes"]);
  });

  it("forgetting removes contents that it has freed at once, and keeps those that were freed before", async () => {
    await ann.create(URI, wide("rivers"));
    await ann.replace(URI, wide("lakes"));
    await house.drain();
    const { contents } = (await ann.tenant()).workspace;
    stores.clock.now += HOUR_MS;
    const began = stores.clock.now;
    await ann.replace(URI, wide("streams"));
    await house.drain();
    stores.clock.now += 60_000;
    expect(await contents.sweepFreed(began)).toBe(0);
    expect(await kept(contents.bucket)).toEqual(["rivers", "streams"]);
  });

  it("contents of a deleted account are kept for the same time, but its records are removed at once", async () => {
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    const bea = house.as("bea", "beta");
    await bea.create(URI, wide("rivers"));
    await house.drain();
    const { workspace } = await bea.tenant();
    const { bucket } = workspace.contents;
    const erasures = () => house.queue.jobsOf(workspace.incarnation).filter(({ kind }) => kind === ERASE);
    await deleteAccount(house.deps, house.root, { accountId: "beta" });
    await house.drain();
    expect((await house.keys()).filter((key) => key.startsWith(workspace.keys.prefix))).toEqual([]);
    expect(await kept(bucket)).toEqual(["rivers"]);
    expect(erasures()).toMatchObject([{ dueAt: stores.clock.now + RETENTION_MS }]);
    stores.clock.now += RETENTION_MS + 1;
    await house.drain();
    expect(await kept(bucket)).toEqual([]);
    expect(erasures()).toEqual([]);
    expect(await house.registry.deletions("everything")).toEqual([]);
  });
});
