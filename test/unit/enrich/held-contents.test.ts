import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../../../src/service/account/create-account.ts";
import { holdContent } from "../../../src/workspace/tree/held-content.ts";
import { layerOf } from "../../../src/workspace/tree/layers.ts";
import { ramStores } from "../../support/stores.ts";
import { type Actor, House } from "../../support/tenant.ts";

const URI = "ctx://resources/rivers.txt";
const MEMORY_BYTES = 80_000;
const long = (word: string) => `The ${word} flows to the sea. `.repeat(1000);

describe("large files that jobs read whole", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(ramStores(), true, [], undefined, undefined, {
      contentMemoryBytes: MEMORY_BYTES,
      versions: { perFile: 0 },
    });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ann" });
    ann = house.as("ann", "acme");
  });
  afterEach(() => house.end());

  async function entryNow() {
    const { workspace } = await ann.tenant();
    return workspace.entryOf(await ann.node(URI))?.entry ?? expect.fail();
  }

  const abstract = async () => layerOf((await ann.tenant()).workspace, await entryNow(), 0);

  it("large files wait for memory of jobs, and give it back", async () => {
    const { signal } = new AbortController();
    const { contentMemory, incarnation } = (await ann.tenant()).workspace;
    const release = await contentMemory.reserve(incarnation, MEMORY_BYTES, signal);
    await ann.create(URI, long("Elbe"));
    await ann.create("ctx://resources/short.txt", "The Rhine is short here.");
    let isDone = false;
    const drained = house.drain().then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(isDone).toBe(false);
    release();
    await drained;
    expect(await abstract()).toContain("Elbe");
    (await contentMemory.reserve(incarnation, MEMORY_BYTES, signal))();
  });

  it("large files are left out by a job if they are replaced while they wait", async () => {
    const { signal } = new AbortController();
    const { workspace } = await ann.tenant();
    await ann.create(URI, long("Elbe"));
    await house.drain();
    const entry = await entryNow();
    const release = await workspace.contentMemory.reserve(workspace.incarnation, MEMORY_BYTES, signal);
    const held = holdContent(workspace, entry, signal);
    await ann.replace(URI, long("Oder"));
    release();
    expect(await held).toBeUndefined();
    await house.drain();
    expect(await abstract()).toContain("Oder");
  });
});
