import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Actor, House } from "../../support/tenant.ts";

describe("the partitions of an index", () => {
  let house: House;
  let ann: Actor;
  let bob: Actor;
  beforeEach(async () => {
    house = await House.open();
    ann = house.as("ann");
    bob = house.as("bob");
  });
  afterEach(async () => {
    await house.drain();
    await house.expectSound();
    await house.close();
  });

  const places = async (actor: Actor, query: string) =>
    (await actor.find(query)).filter(({ match }) => match.includes(query)).map(({ uri }) => uri);

  it("a moved file is found at its new URI, and only by users who may see that URI", async () => {
    await ann.create("ctx://resources/notes/a.md", "albatross over the sea");
    await house.drain();
    const steps = [
      ["ctx://resources/notes/a.md", "ctx://user/ann/memories/a.md"],
      ["ctx://user/ann/memories/a.md", "ctx://agent/default/memories/b.md"],
      ["ctx://agent/default/memories/b.md", "ctx://agent/skills/s/c.md"],
      ["ctx://agent/skills/s/c.md", "ctx://user/ann/memories/a.md"],
      ["ctx://user/ann/memories/a.md", "ctx://resources/d.md"],
    ] as const;
    for (const [from, to] of steps) {
      await ann.mv(from, to);
      expect(await places(ann, "albatross")).toContain(to);
      const isShared = to.startsWith("ctx://resources") || to.startsWith("ctx://agent/skills");
      expect((await places(bob, "albatross")).includes(to)).toBe(isShared);
      expect((await places(ann, "albatross")).includes(from)).toBe(false);
    }
    // also after a restart
    const again = await House.open(house.stores);
    expect(await places(again.as("bob"), "albatross")).toContain("ctx://resources/d.md");
    await again.stop();
  });

  it("a file that is replaced after a move is found by its new content", async () => {
    await ann.create("ctx://user/ann/memories/a.md", "albatross over the sea");
    await ann.mv("ctx://user/ann/memories/a.md", "ctx://resources/a.md");
    await bob.replace("ctx://resources/a.md", "buzzard over the sea");
    await bob.mv("ctx://resources/a.md", "ctx://user/bob/memories/a.md");
    await house.drain();
    expect(await places(bob, "buzzard")).toEqual(["ctx://user/bob/memories/a.md"]);
    for (const word of ["albatross", "buzzard"]) expect(await places(ann, word)).toEqual([]);
  });

  it("content of other users does not change the scores of a user's search", async () => {
    const texts = ["albatross over the sea", "a buzzard in the sea of grass", "condor"];
    for (const [i, text] of texts.entries()) await ann.create(`ctx://user/ann/memories/m${i}.md`, text);
    await ann.create("ctx://resources/shared.md", "the sea and the albatross");
    await house.drain();
    const scores = async () => (await ann.find("albatross sea")).map(({ uri, score }) => [uri, score]);
    const before = await scores();
    expect(before.length).toBeGreaterThan(3);
    for (let i = 0; i < 30; i++)
      await bob.create(`ctx://user/bob/memories/m${i}.md`, `albatross sea ${"sea ".repeat(i)}`);
    await bob.create("ctx://agent/default/memories/x.md", "albatross albatross");
    await house.as("eve", "other").create("ctx://resources/x.md", "albatross sea");
    await house.drain();
    expect(await scores()).toEqual(before);
    // not even nodes that are moved into resources and away again
    await bob.mv("ctx://user/bob/memories/m1.md", "ctx://resources/m1.md");
    expect(await scores()).not.toEqual(before);
    await bob.mv("ctx://resources/m1.md", "ctx://user/bob/memories/m1.md");
    expect(await scores()).toEqual(before);
    await bob.rm("ctx://user/bob/memories");
    await house.drain();
    expect(await scores()).toEqual(before);
  });
});
