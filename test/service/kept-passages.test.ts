import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import { ChunkReader } from "../../src/retrieve/chunk-reader.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { createMemory } from "../../src/service/memory/create-memory.ts";
import { forget } from "../../src/service/memory/forget.ts";
import { locate } from "../../src/workspace/tree/locate.ts";
import { type Actor, House } from "../support/tenant.ts";

const TEXT = "The walrus sleeps below the ice of the northern sea, far from the harbour.";

describe("passages cached in memory", () => {
  let house: House;
  let eve: Actor;
  beforeEach(async () => {
    house = await House.open();
    await house.registry.createAccount(accountId("acme"), "ada");
    await house.registry.registerUser(accountId("acme"), "eve", "user");
    eve = house.as("eve", "acme", "user");
  });
  afterEach(() => house.end());
  /** Whether passages are cached after a search. */
  const isKept = async (actor: Actor = eve): Promise<boolean> => {
    await actor.find("walrus below the ice");
    return house.passages.bytes > 0;
  };

  it("a repeated find returns the same result from passages cached in memory", async () => {
    await eve.create("ctx://resources/a.md", `# Walrus\n\n${TEXT}\n\n## Ice\n\nIt is *cold* below the ice.`);
    await eve.create("ctx://resources/b.txt", `${TEXT}\n\n`.repeat(40));
    await eve.create("ctx://resources/c.md", "北方的海象睡在冰下，离港口很远。walrus");
    await house.drain();
    for (const query of ["walrus below the ice", "why does the walrus sleep?", "北方的海象", "harbour"])
      expect(await eve.find(query)).toEqual(await eve.find(query));
    expect(house.passages.bytes).toBeGreaterThan(0);
  });

  it("removing a folder drops its passages from memory", async () => {
    await eve.create("ctx://resources/dir/a.md", TEXT);
    expect(await isKept()).toBe(true);
    await eve.rm("ctx://resources/dir");
    await house.drain();
    expect(house.passages.bytes).toBe(0);
  });

  it("replacing a file shows its new text, and drops the passages of the old one", async () => {
    await eve.create("ctx://resources/a.md", TEXT);
    expect(await isKept()).toBe(true);
    const before = house.passages.bytes;
    await eve.replace("ctx://resources/a.md", "A walrus.");
    await house.drain();
    expect((await eve.find("walrus")).map(({ match }) => match)).toEqual(["A walrus."]);
    expect(house.passages.bytes).toBeLessThan(before);
  });

  it("deleting an account drops its passages from memory", async () => {
    await house.registry.createAccount(accountId("other"), "bob");
    const bob = house.as("bob", "other", "user");
    await bob.create("ctx://resources/a.md", TEXT);
    expect(await isKept(bob)).toBe(true);
    await deleteAccount(house.deps, house.root, { accountId: "other" });
    expect(house.passages.bytes).toBe(0);
  });

  it("removing a user drops the user's passages from memory", async () => {
    await eve.create("ctx://user/eve/a.md", TEXT);
    expect(await isKept()).toBe(true);
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "eve" });
    await house.drain();
    expect(house.passages.bytes).toBe(0);
  });

  it("forgetting a memory drops its passages from memory", async () => {
    await createMemory(house.deps, eve.call, { statement: TEXT });
    await house.drain();
    expect(await isKept()).toBe(true);
    await forget(house.deps, eve.call, { query: TEXT, dryRun: false });
    await house.drain();
    expect(house.passages.bytes).toBe(0);
  });

  it("a passage is not cached if its file was replaced while it was read", async () => {
    await eve.create("ctx://resources/a.md", TEXT);
    const { workspace, owner } = await eve.tenant();
    const entry = locate(workspace.kv, workspace.keys, owner, ["resources", "a.md"])?.entry;
    if (!entry) throw new Error("the file is missing");
    await eve.append("ctx://resources/a.md", " It snores.");
    const chunk = { node: entry.node, fused: 1, start: 0, end: 10, entry, isMarkdown: false };
    const reader = new ChunkReader(workspace, house.passages);
    expect((await reader.shown(chunk))?.text).toBe("The walrus");
    expect((await reader.weigh([chunk]))[0]?.weighed?.body).toBe("The walrus");
    expect(house.passages.bytes).toBe(0);
  });
});
