import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../../src/service/access/grant-access.ts";
import { House } from "../../support/tenant.ts";

describe("a record of an earlier version", () => {
  let house: House;

  beforeEach(async () => {
    house = await House.open();
  });
  afterEach(() => house.end());

  it("a record without folders, from an earlier version, shows others a node only at its old path", async () => {
    const boss = house.as("boss");
    const eve = house.as("eve", "acme", "user");
    for (const name of ["moved", "left"]) await boss.create(`ctx://resources/closed/${name}.md`, "A heron.");
    await boss.create("ctx://resources/open/stays.md", "A heron.");
    const [moved, left, stays] = await Promise.all(
      ["closed/moved.md", "closed/left.md", "open/stays.md"].map((path) =>
        boss.node(`ctx://resources/${path}`),
      ),
    );
    await grantAccess(house.deps, boss.call, {
      uri: "ctx://resources/closed",
      granteeType: "everyone",
      granteeId: "",
      effect: "deny",
      level: "read",
    });
    await boss.mv("ctx://resources/closed/moved.md", "ctx://resources/open/moved.md");
    // the folder that hid both has another path now
    await boss.mv("ctx://resources/closed", "ctx://resources/away");
    const sees = async (actor: typeof eve, path: string, node: typeof moved) => {
      const { owner } = await actor.tenant();
      return owner.access!.seesPast({ path: path.split("/"), node: node!, lacksFolders: true });
    };
    expect(await sees(eve, "resources/closed/moved.md", moved)).toBe(false);
    expect(await sees(eve, "resources/closed/left.md", left)).toBe(false);
    expect(await sees(eve, "resources/open/stays.md", stays)).toBe(true);
    expect(await sees(boss, "resources/closed/left.md", left)).toBe(true);
  });
});
